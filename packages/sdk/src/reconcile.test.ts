import { createMock, type Mock } from '@orgchat/mock-server';
import { beforeEach, describe, expect, test } from 'vitest';
import { failure, json, lost, refusedConnection, scripted } from '../test-support/scripted.ts';
import {
  type ChangeOutcome,
  createClient,
  type Evidence,
  type FriendRecord,
  type JournalEntry,
  memoryJournal,
  NotFoundError,
  type OrgChatClient,
  type OrgChatError,
  type Reconciliation,
} from './index.ts';

let mock: Mock;
let client: OrgChatClient;
/** Somebody else, with a journal of their own. */
let rival: OrgChatClient;

beforeEach(() => {
  mock = createMock({ rateLimit: 'off' });
  const options = {
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    apiKey: 'demo-write-key',
    pacing: false,
  } as const;
  client = createClient(options);
  rival = createClient(options);
});

async function errorOf(promise: PromiseLike<unknown>): Promise<OrgChatError> {
  return promise.then(
    () => expect.unreachable('it should have been rejected'),
    (error: OrgChatError) => error,
  );
}

async function anyone(): Promise<FriendRecord> {
  for await (const friend of client.friends.list({ maxItems: 1 })) return friend;
  throw new Error('the demo has no friends');
}

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
    const { result: tag } = await rival.tags.create({ name: 'Old', color: 'green' });
    return {
      ours: () => client.tags.update(tag, vip),
      same: () => rival.tags.edit(tag, () => vip),
      other: () => rival.tags.edit(tag, () => blue),
      undo: () => rival.tags.edit(tag, () => ({ name: 'Old', color: 'green' })),
    };
  },
  delete: async () => {
    const { result: tag } = await rival.tags.create(vip);
    return {
      ours: () => client.tags.delete(tag),
      same: async () => rival.tags.delete(await rival.tags.get(tag.id)),
      other: () => rival.tags.edit(tag, () => blue),
      // A deleted record does not come back; one like it has another id.
      undo: () => rival.tags.create(vip),
    };
  },
  'update-friend': async () => {
    const friend = await anyone();
    return {
      ours: () => client.friends.update(friend, { notes: 'Likes tea' }),
      same: () => rival.friends.edit(friend, () => ({ notes: 'Likes tea' })),
      other: () => rival.friends.edit(friend, () => ({ notes: 'Likes coffee' })),
      undo: () => rival.friends.edit(friend, () => ({ notes: friend.notes })),
    };
  },
  'set-friend-tags': async () => {
    const friend = await anyone();
    const { result: tag } = await rival.tags.create(vip);
    const set = async (tagIds: readonly string[]): Promise<ChangeOutcome<FriendRecord>> =>
      rival.friends.setTags(await rival.friends.get(friend), tagIds);
    return {
      ours: () => client.friends.setTags(friend, [tag.id]),
      same: () => set([tag.id]),
      other: () => set([]),
      undo: () => set(friend.tagIds),
    };
  },
  'enroll-scenario': async () => {
    const friend = await anyone();
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
  const error = await errorOf(ours());
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

const yes: Evidence = 'as-intended';
const no: Evidence = 'otherwise';
const unchanged: Evidence = 'unchanged-so-far';
const gone: Evidence = 'overtaken';

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
  overtaken: 'not-applied',
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
    expect(found).toMatchObject({ operationId, evidence, verdict: verdicts[evidence] ?? 'cannot-tell' });
    expect(new Date(found.asOf).toISOString()).toBe(found.asOf);
    const rests = evidence === yes ? name !== 'delete' : name !== 'create' && name !== 'enroll-scenario';
    expect(found.records).toHaveLength(rests ? 1 : 0);
    expect(changes()).toBe(before);
    expect(await client.operations.list({ state: 'unknown' })).toMatchObject([{ operationId }]);
  });
});

describe('what is settled needs no reading', () => {
  test.each([
    ['applied', json({ ok: true, applied: true, replayed: true, auditRecorded: true }), 'applied'],
    ['refused', failure(404, 'NOT_FOUND'), 'not-applied'],
    ['abandoned', refusedConnection, 'not-applied'],
  ] as const)('%s', async (state, step, verdict) => {
    const { client, sent } = scripted([step], { retry: false });
    await Promise.resolve(client.tags.create(vip)).catch(() => undefined);
    const [entry] = await client.operations.list({ state });
    const before = sent.length;
    const { operationId = '' } = entry ?? {};
    expect(await client.operations.reconcile(operationId)).toMatchObject({ verdict, evidence: 'settled' });
    expect(sent).toHaveLength(before);
  });
});

describe('what may be under way', () => {
  /** A client whose process died in a change, so long before its call would have given up. */
  async function crashed(deadline: number) {
    const journal = memoryJournal();
    let begun: JournalEntry | undefined;
    const recording = {
      ...journal,
      add(entry: JournalEntry) {
        begun = { ...entry, deadline: new Date(deadline).toISOString() };
        return journal.add(begun);
      },
    };
    const never = { ...recording, settle: async () => undefined };
    const given = scripted([lost, json({ records: [], total: 0, limited: false })], {
      journal: never,
      retry: false,
    });
    await errorOf(given.client.tags.create(vip));
    return { ...given, operationId: begun?.operationId ?? '' };
  }

  test('is not looked for before its deadline', async () => {
    const { client, sent, operationId } = await crashed(Date.now() + 60_000);
    const found = await client.operations.reconcile(operationId);
    expect(found).toMatchObject({ verdict: 'cannot-tell', evidence: 'under-way', records: [] });
    expect(sent).toHaveLength(1);
  });

  test('is looked for after it', async () => {
    const { client, sent, operationId } = await crashed(Date.now() - 1);
    expect(await client.operations.reconcile(operationId)).toMatchObject({ evidence: 'otherwise' });
    expect(sent).toHaveLength(2);
  });

  test('on the server may be applied after it was not: the verdict says as of when', async () => {
    const { result: tag } = await client.tags.create({ name: 'Old', color: 'green' });
    mock.faults.arm({ effect: 'drop-request', operation: 'changeChat', times: 4 });
    const error = await errorOf(client.tags.update(tag, vip));
    const found = await client.operations.reconcile(error);
    expect(found).toMatchObject({ verdict: 'not-applied', evidence: 'unchanged-so-far', records: [tag] });
    await client.operations.resumeAll();
    expect(await client.operations.reconcile(error)).toMatchObject({
      verdict: 'applied',
      evidence: 'settled',
    });
  });
});

test('a record made behind a hundred others is found', async () => {
  const kind = await kinds.create?.();
  const error = await uncertain(true, kind as Kind);
  for (let n = 0; n < 101; n++) await rival.tags.create({ name: `Tag ${n}`, color: 'blue' });
  const { evidence, records } = await client.operations.reconcile(error);
  expect({ evidence, records }).toMatchObject({ evidence: 'as-intended', records: [{ name: vip.name }] });
});

test('records like it that are older than the change are no evidence, and end the search', async () => {
  const old = { ...vip, id: 'a', createdAt: new Date(Date.now() - 3_600_000).toISOString() };
  const page = json({ records: [old], total: 500, limited: true });
  const { client, sent } = scripted([lost, page], { retry: false });
  const error = await errorOf(client.tags.create(vip));
  expect(await client.operations.reconcile(error)).toMatchObject({ evidence: 'otherwise', records: [] });
  expect(sent).toHaveLength(2);
});

test('where nothing can be read there is no verdict', async () => {
  const kind = await kinds.delete?.();
  const error = await uncertain(true, kind as Kind);
  mock.faults.arm({
    effect: 'respond',
    operation: 'readChat',
    status: 404,
    error: 'RUNTIME_UNAVAILABLE',
    times: 2,
  });
  expect(await errorOf(client.operations.reconcile(error))).toBeInstanceOf(NotFoundError);
});

test('keywords cannot be read', async () => {
  mock.faults.arm({ effect: 'lose-response', operation: 'addSeoKeywords' });
  const error = await errorOf(client.keywords.add('demo-site', { keywords: ['x'] }));
  const found = await client.operations.reconcile(error.operationId ?? '');
  expect(found).toMatchObject({ verdict: 'cannot-tell', evidence: 'not-readable' });
});

test('what the journal does not know is said so', async () => {
  const operationId = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
  const message = `operation ${operationId} is not in the journal; nothing was sent`;
  expect(await errorOf(client.operations.reconcile({ operationId }))).toMatchObject({
    code: 'UNKNOWN_OPERATION',
    message,
  });
  expect(await errorOf(client.operations.reconcile({}))).toMatchObject({ code: 'INVALID_INPUT' });
});
