import type { ServerDescription } from '@orgchat/spec';
import { configurationResources } from '@orgchat/spec';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMock, type Mock } from '../../src/index.ts';
import { deriveFriendId, deriveUuid } from '../../src/primitives/digest.ts';
import { Caller, createGuard } from '../../test-support/caller.ts';
import { data, nobody, step } from '../../test-support/data.ts';
import { RestartableMock } from '../../test-support/restartable-mock.ts';

/* Whatever a mock answers: its state can be loaded, and then it is the same to every key. */

const accountOf = (id: string) => ({ id, name: id });
const keyOf = (key: string, accountIds: string[] | null) =>
  ({ key, name: key, scope: 'write', accountIds }) as const;
const at = { updatedAt: '1950-01-01T00:00:00Z' };
const documents = [{ title: 'D', kind: 'note', body: '', ...at } as const];
const projects = [{ id: 'p', name: 'P', ...at, documents }];
const seed = {
  organizations: [
    {
      ...{ id: 'org_a', accounts: ['a1', 'a2'].map(accountOf), sites: [{ id: 'site' }], projects },
      keys: [keyOf('all', null), keyOf('first', ['a1']), keyOf('none', [])],
      friends: ['f1', 'f2'].map((userId) => ({ accountId: 'a1', userId, displayName: userId })),
    },
    {
      ...{ id: 'org_b', accounts: [accountOf('b1')], keys: [keyOf('other', null)] },
      routes: [{ id: 'rb', accountId: 'b1', name: 'R', tagId: null, scenarioId: null }],
    },
  ],
};
const [a1, b1] = [deriveUuid('a1'), deriveUuid('b1')];
const friend = { accountId: a1, userId: deriveFriendId('f1') };

const kinds = [
  ...['create', 'update', 'delete', 'note', 'tags', 'enroll', 'keyword'],
  ...['edit', 'edit friend', 'edit project', 'edit document', 'rival', 'uncertain'],
  ...['message', 'friend', 'document', 'submission', 'click', 'site', 'key', 'clock'],
] as const;
const texts = ['Plain', ' padded ', '', '😀'.repeat(80), '😀'.repeat(200), 'a\0', '\ud800'];
const moments = ['2020-01-01T00:00:00Z', '1960-02-03T00:00:00.5Z', '2026-02-30', '9999-12-31T23:59:59Z', '7'];

const stepOf = fc.record({
  kind: fc.constantFrom(...kinds),
  resource: fc.constantFrom(...configurationResources),
  key: fc.constantFrom('all', 'first', 'other'),
  account: fc.constantFrom(a1, a1.toUpperCase(), deriveUuid('a2'), b1, nobody, 'no id', null),
  target: fc.constantFrom(nobody, deriveUuid('rb'), 'no id'),
  text: fc.constantFrom(...texts),
  moment: fc.constantFrom(undefined, ...moments),
  n: fc.nat(3),
});
type Step = typeof stepOf extends fc.Arbitrary<infer T> ? T : never;

/** Data of a resource with a text and an account, if it has one. */
function fill(resource: Step['resource'], { text, account, target }: Step): Record<string, unknown> {
  const whole: Record<string, unknown> = {
    ...data[resource],
    ...('accountId' in data[resource] && { accountId: account }),
  };
  const label = ['name', 'keyword', 'title'].find((name) => name in whole) as string;
  whole[label] = text;
  if ('tagId' in whole) whole.tagId = target;
  if ('steps' in whole) whole.steps = [{ ...step, text: `${text} ` }];
  return whole;
}

/** Sends what a step says. Any of it may be refused. */
async function perform(mock: Mock, given: Step): Promise<void> {
  const { kind, resource, key, text, moment, target, n } = given;
  const caller = new Caller(mock, key);
  const control = async (path: string, body: object): Promise<void> => {
    const sent = { method: 'POST', body: JSON.stringify(body) };
    const { status } = await mock.fetch(`${mock.controlUrl}${path}`, sent);
    expect(status).toBeLessThan(500);
  };
  const one = async (of: string) =>
    (await caller.read({ resource: of, offset: n, limit: 1 })).body.records?.[0];
  const whole = fill(resource, given);
  const person = async () => (await one('friends')) ?? { ...friend, revision: '0'.repeat(64), label: '-' };
  switch (kind) {
    case 'create':
      return void (await caller.apply({ action: `create-${resource}`, data: whole }));
    case 'rival':
    case 'update':
    case 'delete': {
      if (kind === 'rival')
        await control('/faults', {
          effect: 'rival-edit',
          data: n > 1 ? { accountId: given.account } : whole,
        });
      const found = await one(resource);
      if (found === undefined) return;
      const about = { id: found.id, ...createGuard(found) };
      const deletion = { action: 'delete-configuration', resource, ...about };
      await caller.apply(
        kind === 'delete' ? deletion : { action: `update-${resource}`, ...about, data: whole },
      );
      return void mock.faults.disarm();
    }
    case 'note':
    case 'tags': {
      const found = await person();
      const { accountId, userId } = found;
      const about = { accountId, userId, ...createGuard(found) };
      const noted = { action: 'update-friend', ...about, data: { notes: text } };
      const tagged = { action: 'set-friend-tags', ...about, tagIds: [target] };
      return void (await caller.apply(kind === 'note' ? noted : tagged));
    }
    case 'enroll': {
      const scenario = await one('scenarios');
      const scenarioId = scenario?.id ?? nobody;
      return void (await caller.apply({ action: 'enroll-scenario', ...friend, scenarioId }));
    }
    case 'keyword':
      return void (await caller.keywords('site', { keywords: [text], group: n > 1 ? ' g ' : '' }));
    case 'uncertain':
      mock.faults.arm({ effect: 'uncertain', answer: 500, applied: n > 1 });
      await caller.apply({ action: 'create-tags', data: { ...data.tags, name: text } });
      return void mock.faults.disarm();
    case 'edit': {
      const found = await one(resource);
      const query = key === 'other' ? '?organization=org_b' : '';
      return control(`/edit${query}`, { resource, id: found?.id ?? nobody, data: n > 1 ? whole : {} });
    }
    case 'edit friend': {
      const edited = n > 1 ? { displayName: text } : { tagIds: [target] };
      return control('/edit', { resource: 'friends', id: friend.userId, data: edited });
    }
    case 'edit project': {
      const edited = n > 1 ? { name: text } : { description: text };
      return control('/edit', { resource: 'projects', id: deriveUuid('p'), data: edited });
    }
    case 'edit document': {
      const { body } = await caller.studio({ resource: 'documents', projectId: deriveUuid('p') });
      const edited = n > 1 ? { title: text } : { body: text };
      return control('/edit', { resource: 'documents', id: body.documents?.[0]?.id ?? nobody, data: edited });
    }
    case 'message':
      return control(`/friends/a1/f${1 + (n % 2)}/messages`, { text, sentAt: moment });
    case 'friend':
      return control('/friends', { displayName: text, notes: text, createdAt: moment, messages: [{ text }] });
    case 'document':
      return control('/studio/projects/p/documents', {
        title: text,
        kind: 'note',
        body: text,
        updatedAt: moment,
      });
    case 'submission': {
      const form = await one('forms');
      return control(`/forms/${form?.id}/submissions`, { values: { mail: text }, submittedAt: moment });
    }
    case 'click': {
      const link = await one('links');
      return control(`/links/${link?.id}/clicks`, { clickedAt: moment, ...(n > 1 && friend) });
    }
    case 'site':
      return control('/sites', {
        id: text,
        keywords: [text, { keyword: 'k', group: text, addedAt: moment }],
      });
    case 'key':
      return control('/keys', { name: text, scope: 'read', accountIds: [given.account] });
    case 'clock':
      return control('/clock', n > 1 ? { now: moment } : { advanceMs: 31_536_000_000_000 * n });
  }
}

/** What the keys can read, revisions included. */
async function readAll(mock: Mock): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const key of ['all', 'first', 'none']) {
    const caller = new Caller(mock, key);
    for (const resource of [...configurationResources, 'friends', 'conversations', 'accounts'])
      answers.push([key, resource, (await caller.read({ resource })).body]);
    answers.push((await caller.studio({ resource: 'projects' })).body);
    answers.push((await caller.studio({ resource: 'documents', projectId: deriveUuid('p') })).body);
  }
  return answers;
}

const readState = (mock: Mock): object =>
  JSON.parse(JSON.stringify({ ...(mock.state() as object), savedAt: '' })) as object;

const behaviors: readonly ServerDescription['behavior'][] = [
  undefined,
  { trims: false, refusedIdIsFree: false },
  { unknownReference: 'accepted', onDelete: 'remove' },
  { unknownReference: 'accepted', trims: false },
];

const file = new RestartableMock();

describe('the state of a mock that did anything', () => {
  it('is accepted as a state, and by a restart from the data file, and is the same then', async () => {
    const steps = fc.array(stepOf, { minLength: 15, maxLength: 30 });
    const property = fc.asyncProperty(fc.constantFrom(...behaviors), steps, async (behavior, made) => {
      const server = { server: 1, ...(behavior && { behavior }) } as const;
      const { mock } = file.start({ seed, server, history: 3 });
      mock.clock.move({ now: '2026-01-01T00:00:00Z', frozen: true });
      for (const one of made) await perform(mock, one);
      const state = readState(mock);
      const copy = createMock({ state, rateLimit: 'off' });
      expect(readState(copy)).toEqual(state);
      const seen = await readAll(mock);
      expect(await readAll(copy)).toEqual(seen);
      const last = readState(mock);
      const restarted = file.start({ server }).mock;
      expect(readState(restarted)).toEqual(last);
      expect(await readAll(restarted)).toEqual(seen);
      file.remove();
    });
    await fc.assert(property, {
      seed: Number(process.env.ORGCHAT_TEST_SEED ?? 16),
      numRuns: 40,
    });
  }, 120_000);
});
