import type { Mock } from '@orgchat/mock-server';
import { beforeEach, describe, expect, test } from 'vitest';
import { anyone, mocked } from '../../test-support/mocked.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { json, lost, scripted } from '../../test-support/servers/scripted.ts';
import {
  type ChangeOutcome,
  createClient,
  type Evidence,
  type Friend,
  NotFoundError,
  type OrgChatClient,
  type OrgChatError,
  type Reconciliation,
  requireResult,
  ServerError,
} from '../index.ts';

/* What reconcile finds in the records. */

let mock: Mock;
let client: OrgChatClient;
/** Somebody else, with a journal of their own. */
let rival: OrgChatClient;

beforeEach(() => {
  const ours = mocked();
  ({ mock, client } = ours);
  rival = createClient(ours.options);
});

/** A change of ours, a rival who does the same, one who does something else, and one who undoes it. */
interface Kind {
  readonly ours: () => PromiseLike<unknown>;
  readonly same: () => PromiseLike<unknown>;
  readonly other: () => PromiseLike<unknown>;
  readonly undo: () => PromiseLike<unknown>;
}

const vip = { name: 'VIP of a kind', color: 'pink' } as const;
const blue = { ...vip, color: 'blue' } as const;
const scenario = { accountId: null, trigger: 'manual', triggerTagId: null, active: true } as const;
const steps = [{ delayValue: 1, delayUnit: 'days', sendTime: '09:30', text: 'Good morning.' }] as const;

const kinds: Record<string, () => Promise<Kind>> = {
  create: async () => ({
    // As a person types it; the server trims.
    ours: () => client.tags.create({ ...vip, name: ` ${vip.name} ` }),
    same: () => rival.tags.create(vip),
    other: () => rival.tags.create(blue),
    async undo() {
      for await (const tag of rival.tags.list()) if (tag.name === vip.name) await rival.tags.delete(tag);
    },
  }),
  update: async () => {
    const tag = requireResult(await rival.tags.create({ name: 'Old', color: 'green' }));
    return {
      ours: () => client.tags.update(tag, vip),
      same: () => rival.tags.edit(tag, () => vip),
      other: () => rival.tags.edit(tag, () => blue),
      undo: () => rival.tags.edit(tag, () => ({ name: 'Old', color: 'green' })),
    };
  },
  delete: async () => {
    const tag = requireResult(await rival.tags.create(vip));
    return {
      ours: () => client.tags.delete(tag),
      same: async () => rival.tags.delete(await rival.tags.get(tag.id)),
      other: () => rival.tags.edit(tag, () => blue),
      // A deleted record does not come back; one like it has another id.
      undo: () => rival.tags.create(vip),
    };
  },
  'update-friend': async () => {
    const friend = await anyone(client);
    return {
      ours: () => client.friends.update(friend, { notes: 'Likes tea' }),
      same: () => rival.friends.edit(friend, () => ({ notes: 'Likes tea' })),
      other: () => rival.friends.edit(friend, () => ({ notes: 'Likes coffee' })),
      undo: () => rival.friends.edit(friend, () => ({ notes: friend.notes })),
    };
  },
  'set-friend-tags': async () => {
    const friend = await anyone(client);
    const tag = requireResult(await rival.tags.create(vip));
    const set = async (tagIds: readonly string[]): Promise<ChangeOutcome<Friend>> =>
      rival.friends.setTags(await rival.friends.get(friend), tagIds);
    return {
      ours: () => client.friends.setTags(friend, [tag.id]),
      same: () => set([tag.id]),
      other: () => set([]),
      undo: () => set(friend.tagIds),
    };
  },
  'enroll-scenario': async () => {
    const friend = await anyone(client);
    const made = [{ name: 'One' }, { name: 'Two' }].map(({ name }) =>
      rival.scenarios.create({ ...scenario, name, steps: [...steps] }),
    );
    const [one, two] = await Promise.all(made);
    const enroll = (who: OrgChatClient, into = one) => who.friends.enroll(friend, into?.result ?? '');
    return {
      ours: () => enroll(client),
      same: () => enroll(rival),
      other: () => enroll(rival, two),
      // Nothing in this API takes a friend out of a scenario.
      undo: async () => undefined,
    };
  },
};

/** Sends a change whose outcome the server then calls uncertain. */
async function uncertain(applied: boolean, { ours }: Kind): Promise<OrgChatError> {
  mock.faults.arm({ effect: 'uncertain', answer: 502, applied, operation: 'changeChat' });
  const error = await getRejection(ours());
  expect(error.code).toBe('OPERATION_UNCERTAIN');
  return error;
}

/** What happened, to whom our change is uncertain. */
const situations = {
  'not applied': (kind: Kind) => uncertain(false, kind),
  applied: (kind: Kind) => uncertain(true, kind),
  'not applied, but a rival did the same': async (kind: Kind) => {
    const error = await uncertain(false, kind);
    await kind.same();
    return error;
  },
  'not applied, and a rival did something else': async (kind: Kind) => {
    const error = await uncertain(false, kind);
    await kind.other();
    return error;
  },
  'applied, and a rival undid it': async (kind: Kind) => {
    const error = await uncertain(true, kind);
    await kind.undo();
    return error;
  },
} as const;

const yes: Evidence = 'matches';
const no: Evidence = 'differs';
const unchanged: Evidence = 'unchanged-so-far';
const gone: Evidence = 'superseded';

/** What the records then show, by the kind of change. */
const expected: Record<keyof typeof situations, Record<string, Evidence>> = {
  'not applied': {
    create: no,
    update: unchanged,
    delete: unchanged,
    'update-friend': unchanged,
    'set-friend-tags': unchanged,
    'enroll-scenario': no,
  },
  applied: {
    create: yes,
    update: yes,
    delete: yes,
    'update-friend': yes,
    'set-friend-tags': yes,
    'enroll-scenario': yes,
  },
  'not applied, but a rival did the same': {
    create: yes,
    update: yes,
    delete: yes,
    'update-friend': yes,
    'set-friend-tags': yes,
    'enroll-scenario': yes,
  },
  'not applied, and a rival did something else': {
    create: no,
    update: no,
    delete: gone,
    'update-friend': no,
    'set-friend-tags': no,
    'enroll-scenario': no,
  },
  'applied, and a rival undid it': {
    create: no,
    update: no,
    delete: yes,
    'update-friend': no,
    'set-friend-tags': no,
    'enroll-scenario': yes,
  },
};

const verdicts: Partial<Record<Evidence, Reconciliation['verdict']>> = {
  'unchanged-so-far': 'not-applied',
  superseded: 'not-applied',
};

describe.each(Object.keys(situations) as (keyof typeof situations)[])('%s', (situation) => {
  test.each(Object.entries(expected[situation]))('%s: %s', async (name, evidence) => {
    const kind = await kinds[name]?.();
    if (!kind) throw new Error(`no such kind: ${name}`);
    const error = await situations[situation](kind);
    const changes = (): number =>
      mock.requests.list().filter(({ operation }) => operation === 'changeChat').length;
    const before = changes();
    const found = await client.operations.reconcile(error);
    const { operationId } = error;
    expect(found).toMatchObject({ operationId, evidence, verdict: verdicts[evidence] ?? 'inconclusive' });
    expect(new Date(found.checkedAt).toISOString()).toBe(found.checkedAt);
    const rests = evidence === yes ? name !== 'delete' : name !== 'create' && name !== 'enroll-scenario';
    expect(found.records).toHaveLength(rests ? 1 : 0);
    expect(changes()).toBe(before);
    expect(await client.operations.list({ state: 'unknown' })).toMatchObject([{ operationId }]);
  });
});

test('a record before a hundred newer ones is found', async () => {
  const kind = await kinds.create?.();
  const error = await uncertain(true, kind as Kind);
  for (let n = 0; n < 101; n++) await rival.tags.create({ name: `Tag ${n}`, color: 'blue' });
  const { evidence, records } = await client.operations.reconcile(error);
  expect({ evidence, records }).toMatchObject({ evidence: 'matches', records: [{ name: vip.name }] });
});

test('matching records that are older than the change are not evidence, and end the search', async () => {
  const old = (id: string, hours: number) => ({
    ...vip,
    id,
    createdAt: new Date(Date.now() - hours * 3_600_000).toISOString(),
  });
  const page = json({ records: [old('a', 1), old('b', 2)], total: 500, limited: true });
  const { client, sent } = scripted([lost, page], { retry: false });
  const error = await getRejection(client.tags.create(vip));
  expect(await client.operations.reconcile(error)).toMatchObject({ evidence: 'differs', records: [] });
  expect(sent).toHaveLength(2);
});

test.each([
  ['RUNTIME_UNAVAILABLE', ServerError],
  ['A_CODE_OF_TOMORROW', NotFoundError],
])('rejects if nothing can be read: %s', async (code, type) => {
  const kind = await kinds.delete?.();
  const error = await uncertain(true, kind as Kind);
  mock.faults.arm({ effect: 'respond', operation: 'readChat', status: 404, error: code, times: 8 });
  const rejection = await getRejection(client.with({ retry: false }).operations.reconcile(error));
  expect(rejection).toBeInstanceOf(type);
});
