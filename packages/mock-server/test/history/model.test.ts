import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMock, type Mock } from '../../src/index.ts';
import { deriveUuid } from '../../src/primitives/digest.ts';
import { Caller, createGuard, type Item } from '../../test-support/caller.ts';
import { data, vip, welcome } from '../../test-support/data.ts';
import { lastId, readState, readStateWithoutRequests } from '../../test-support/history.ts';

const kinds = [
  ...['create', 'update', 'remove', 'note', 'tag friend', 'enroll', 'keyword', 'replay', 'refused', 'read'],
  ...['uncertain', 'rival', 'plan', 'key', 'edit'],
] as const;
type Step = { readonly kind: (typeof kinds)[number]; readonly n: number };

const step: fc.Arbitrary<Step> = fc.record({ kind: fc.constantFrom(...kinds), n: fc.nat(5) });

/** Makes a step. The same steps send the same requests, each under an operationId that depends on its position. */
async function perform(mock: Mock, caller: Caller, { kind, n }: Step, position: number): Promise<void> {
  const change = (input: object, name = `step ${position}`) => caller.change(deriveUuid(name), input);
  const at = async (resource: string): Promise<Item | undefined> =>
    (await caller.read({ resource, offset: n, limit: 1 })).body.records[0];
  const tag = async (then: (found: Item) => object): Promise<void> => {
    const found = await at('tags');
    if (found !== undefined) await change(then(found));
  };
  const friend = async (then: (found: Item, person: object) => object): Promise<void> => {
    const found = await caller.first('friends');
    await change(then(found, { accountId: found.accountId, userId: found.userId }));
  };
  switch (kind) {
    case 'create':
      return void (await change({ action: 'create-tags', data: { ...data.tags, name: `Tag ${n}` } }));
    case 'update':
    case 'rival':
      if (kind === 'rival') mock.faults.arm({ effect: 'rival-edit', action: 'update-tags' });
      return tag((found) => ({
        ...{ action: 'update-tags', id: found.id, ...createGuard(found) },
        data: { ...data.tags, name: `Renamed ${n}` },
      }));
    case 'remove':
      return tag((found) => ({
        ...{ action: 'delete-configuration', resource: 'tags', id: found.id, ...createGuard(found) },
      }));
    case 'note':
      return friend((found, person) => ({
        ...{ action: 'update-friend', ...person, ...createGuard(found), data: { notes: `Note ${n}` } },
      }));
    case 'tag friend':
      return friend((found, person) => ({
        ...{ action: 'set-friend-tags', ...person, ...createGuard(found), tagIds: n % 2 === 0 ? [vip] : [] },
      }));
    case 'enroll':
      return friend((_, person) => ({ action: 'enroll-scenario', ...person, scenarioId: welcome }));
    case 'keyword':
      return void (await caller.keywords('demo-site', { keywords: [`keyword ${n}`, 'always'] }));
    case 'replay':
      return void (await change({ action: 'create-tags', data: data.tags }, `shared ${n}`));
    case 'refused':
      return void (await change({ action: 'create-tags', data: { ...data.tags, color: 'none' } }));
    case 'uncertain':
      mock.faults.arm({
        ...{ effect: 'uncertain', answer: 500, resolve: { afterRequests: 1 }, applied: n % 2 === 0 },
        action: 'create-tags',
      });
      return void (await change({ action: 'create-tags', data: data.tags }, `shared ${n}`));
    case 'read':
      return void (await caller.read({ resource: 'tags' }));
    case 'plan':
      return void mock.patchOrganization({ studio: n % 2 === 0 });
    case 'key':
      return void mock.patchKey('demo-read-key', { suspended: n % 2 === 0 });
    case 'edit': {
      const { accountId, userId } = await caller.first('friends');
      const edited = { displayName: `Edited ${n}` };
      return void mock.edit({ resource: 'friends', id: `${accountId}/${userId}`, data: edited });
    }
  }
}

/** What was true just before a request or an edit that changed something, and which step made it. */
interface EarlierState {
  readonly id: number;
  readonly state: object;
  readonly position: number;
}

/** Makes steps from a position on, and remembers the state before each request that changed the state. */
async function record(mock: Mock, steps: readonly Step[], from = 0): Promise<EarlierState[]> {
  const remembered: EarlierState[] = [];
  let position = from;
  const watchedFetch: typeof fetch = async (input, init) => {
    const state = readState(mock);
    const answer = await mock.fetch(input, init);
    if (JSON.stringify(readState(mock)) !== JSON.stringify(state))
      remembered.push({ id: lastId(mock), state, position });
    return answer;
  };
  const caller = new Caller({ baseUrl: mock.baseUrl, fetch: watchedFetch });
  for (; position < steps.length; position++) {
    const step = steps[position] as Step;
    const state = readState(mock);
    await perform(mock, caller, step, position);
    // An edit of the control API is kept like a request.
    if (step.kind === 'edit') remembered.push({ id: lastId(mock), state, position });
    // An armed fault that hit nothing would hit a later step.
    mock.faults.disarm();
  }
  return remembered;
}

const createSubject = (): Mock => {
  const mock = createMock({ history: 1000, rateLimit: 'off', onError: () => {} });
  mock.clock.move({ frozen: true });
  return mock;
};

const settings = { seed: Number(process.env.ORGCHAT_TEST_SEED ?? 16), numRuns: 25 };
const steps = fc.array(step, { minLength: 3, maxLength: 25 });

describe('history', () => {
  it('goes back to exactly the state before any request that changed something, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.array(fc.nat(100), { minLength: 1, maxLength: 6 }),
        async (made, choices) => {
          const mock = createSubject();
          const remembered = await record(mock, made);
          const changed = new Set(remembered.map(({ id }) => id));
          for (const { id } of mock.requests.list().filter((entry) => !changed.has(entry.id)))
            expect(() => mock.rewind({ requestId: id })).toThrow('changed nothing');
          for (const choice of choices) {
            const target = remembered[choice % remembered.length];
            if (target === undefined) return;
            mock.rewind({ requestId: target.id });
            expect(readState(mock)).toEqual(target.state);
          }
        },
      ),
      settings,
    );
  });

  it('continues from there as the first time: the same ids, revisions and outcomes', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(100), async (made, choice) => {
        const mock = createSubject();
        const remembered = await record(mock, made);
        const target = remembered[choice % remembered.length];
        if (target === undefined) return;
        const first = readStateWithoutRequests(mock);
        mock.rewind({ requestId: target.id });
        await record(mock, made, target.position);
        expect(readStateWithoutRequests(mock)).toEqual(first);
      }),
      settings,
    );
  });

  it('branches into a sandbox, and neither changes the other', async () => {
    await fc.assert(
      fc.asyncProperty(steps, steps, fc.nat(100), async (made, more, choice) => {
        const mock = createSubject();
        const remembered = await record(mock, made);
        const target = remembered[choice % remembered.length];
        if (target === undefined) return;
        const before = readState(mock);
        const branch = mock.sandbox({ from: { requestId: target.id } });
        expect(readState(branch)).toEqual(target.state);
        const ofBranch = await record(branch, more);
        expect(readState(mock)).toEqual(before);
        const left = readState(branch);
        await record(mock, more);
        expect(readState(branch)).toEqual(left);
        const [first] = ofBranch;
        if (first === undefined) return;
        branch.rewind({ requestId: first.id });
        expect(readState(branch)).toEqual(first.state);
        branch.reset();
        expect(readState(branch)).toEqual(target.state);
      }),
      settings,
    );
  });
});
