import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ClientEvent, DeadlineError, OutcomeUnknownError } from '../../src/index.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import { clock } from '../../test-support/clock.ts';
import { type JournalMethod, slow } from '../../test-support/journals/slow-journal.ts';
import { failed, getRejection } from '../../test-support/rejection.ts';
import { applied, failure, json, lost, scripted } from '../../test-support/servers/scripted.ts';

/* A journal that does not answer holds a write no longer than its deadline. What the write says stays true. */

const vip = { name: 'VIP', color: 'pink' } as const;
const intent = ['vip'];
const id = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';

/** A journal that has an operation with the intent, whose outcome is unknown. */
async function withUnknown() {
  const journal = memoryJournal();
  const { client } = scripted([lost], { journal, retry: false });
  const error = await getRejection(client.tags.create(vip, { intent }));
  return { journal, operationId: `${error.operationId}` };
}

/** Notes the problems that a client reports. */
function listen() {
  const problems: string[] = [];
  const onEvent = (event: ClientEvent): void => {
    if (event.type === 'journal') problems.push(event.problem.message);
  };
  return { problems, onEvent };
}

/** `failed` with the clock of the test, which advances this far. A call that waits longer never ends. */
async function failedWithin(ms: number, call: () => PromiseLike<unknown>): ReturnType<typeof failed> {
  const result = failed(call());
  await vi.advanceTimersByTimeAsync(ms);
  return result;
}

const unanswered = 'The journal did not answer before the deadline, so nothing was sent.';

beforeEach(() => void vi.useFakeTimers({ toFake: [...clock.toFake] }));
afterEach(() => void vi.useRealTimers());

test.each(['get', 'claim'] as const)(
  'a write whose journal never answers %s() ends at its deadline, and sends nothing',
  async (method) => {
    const { slowed } = slow(method, (await withUnknown()).journal);
    const other = scripted([applied], { journal: slowed });
    const { error } = await failedWithin(30, () => other.client.tags.create(vip, { intent, timeoutMs: 30 }));
    expect(error).toBeInstanceOf(DeadlineError);
    expect(error).toMatchObject({ code: 'DEADLINE_EXCEEDED', outcome: 'abandoned' });
    expect((error as Error).message).toContain(unanswered);
    expect(other.sent).toHaveLength(0);
  },
);

test('an operation that is claimed after the deadline is free again, and finished by the next call', async () => {
  const { journal, slowed, answer } = slow('claim', (await withUnknown()).journal);
  const second = scripted([], { journal: slowed });
  await failedWithin(30, () => second.client.tags.create(vip, { intent, timeoutMs: 30 }));
  answer();
  await vi.advanceTimersByTimeAsync(0);
  const third = scripted([applied], { journal });
  const { operationId } = await third.client.tags.create(vip, { intent });
  expect(third.sent).toHaveLength(1);
  expect(await third.client.operations.list()).toMatchObject([{ operationId, state: 'applied' }]);
});

test('an operation that is found after the deadline is not begun', async () => {
  const { journal, slowed, answer } = slow('get');
  const { client } = scripted([], { journal: slowed });
  await failedWithin(30, () => client.tags.create(vip, { intent, timeoutMs: 30 }));
  answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(await scripted([], { journal }).client.operations.list()).toEqual([]);
});

describe('a change whose journal does not answer add() before the deadline', () => {
  /** The journal may store the entry, and this process may end before it can be undone. */
  const call = (journal: Journal) => {
    const { client, sent } = scripted([applied], { journal });
    return { sent, ended: failedWithin(30, () => client.tags.create(vip, { timeoutMs: 30 })) };
  };

  test('sends nothing, and says that it may be sent later', async () => {
    const { sent, ended } = call(slow('add').slowed);
    const { error } = await ended;
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error).toMatchObject({ outcome: 'unknown', reason: 'DEADLINE_EXCEEDED' });
    expect((error as Error).cause).toBeInstanceOf(DeadlineError);
    expect((error as Error).message).toContain(
      `${unanswered} It may have recorded the operation, which a later resume then sends.`,
    );
    expect(sent).toEqual([]);
  });

  test('is finished by resume() once its entry is there', async () => {
    const { slowed, answer } = slow('add');
    const { sent, ended } = call(slowed);
    const error = (await ended).error as OutcomeUnknownError;
    answer();
    await vi.advanceTimersByTimeAsync(0);
    const { client } = scripted([applied], { journal: slowed });
    expect(await client.operations.list()).toMatchObject([
      { operationId: error.operationId, state: 'unknown', attempts: 0, error: { code: 'OUTCOME_UNKNOWN' } },
    ]);
    expect(await error.resume?.()).toMatchObject({ applied: true, operationId: error.operationId });
    expect(sent).toHaveLength(1);
  });

  test('said what stays true if its entry cannot be changed afterwards', async () => {
    const journal = memoryJournal();
    const broken = (): never => {
      throw new Error('The store is down.');
    };
    const { slowed, answer } = slow('add', { ...journal, settle: broken, remove: broken });
    const { error } = await call(slowed).ended;
    answer();
    await vi.advanceTimersByTimeAsync(0);
    const later = scripted([applied], { journal });
    expect(await later.client.operations.list()).toMatchObject([{ state: 'pending' }]);
    expect(error.outcome).toBe('unknown');
  });
});

test('a keyword write that is added after the deadline was never sent, and leaves no entry', async () => {
  const { journal, slowed, answer } = slow('add');
  const { client, sent } = scripted([], { journal: slowed });
  const { error } = await failedWithin(30, () =>
    client.addKeywords('s', { keywords: ['a'] }, { timeoutMs: 30 }),
  );
  expect(error).toMatchObject({ code: 'DEADLINE_EXCEEDED', outcome: 'abandoned' });
  answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(await scripted([], { journal }).client.operations.list()).toEqual([]);
  expect(sent).toEqual([]);
});

describe('a write whose journal never answers settle()', () => {
  test('is applied at its deadline, and reports that this could not be recorded', async () => {
    const { problems, onEvent } = listen();
    const { client } = scripted([applied], { journal: slow('settle').slowed, onEvent });
    const call = client.tags.create(vip, { timeoutMs: 5_000 });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await call).toMatchObject({ applied: true });
    expect(problems).toEqual(['Error: The journal did not answer in time.']);
  });

  test('is refused with the error of the server', async () => {
    const { problems, onEvent } = listen();
    const refused = failure(400, 'INVALID_INPUT');
    const { client } = scripted([refused], { journal: slow('settle').slowed, onEvent });
    const { error } = await failedWithin(5_000, () => client.tags.create(vip, { timeoutMs: 5_000 }));
    expect(error).toMatchObject({ outcome: 'refused', status: 400 });
    expect(problems).toHaveLength(1);
  });

  test('that ends with its deadline waits a second for it', async () => {
    const { slowed, answer } = slow('settle');
    const { problems, onEvent } = listen();
    const hanging = () => new Promise<Response>(() => undefined);
    const { client } = scripted([hanging], { journal: slowed, onEvent });
    const { error, ms } = await failedWithin(1_030, () => client.tags.create(vip, { timeoutMs: 30 }));
    expect([error, ms]).toMatchObject([{ outcome: 'unknown', reason: 'DEADLINE_EXCEEDED' }, 1_030]);
    expect(problems).toHaveLength(1);
    answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(await client.operations.list()).toMatchObject([{ state: 'unknown' }]);
  });
});

describe('a call for an earlier operation', () => {
  test.each<[JournalMethod, string]>([
    ['get', 'resume'],
    ['claim', 'resume'],
    ['get', 'resumeAll'],
    ['claim', 'resumeAll'],
    ['get', 'reconcile'],
  ])('whose journal never answers %s() ends %s() at its deadline', async (method, name) => {
    const { journal, operationId } = await withUnknown();
    const { client, sent } = scripted([applied], { journal: slow(method, journal).slowed });
    const { operations } = client;
    const options = { timeoutMs: 30 };
    if (name === 'resumeAll') {
      const outcomes = operations.resumeAll(options);
      await vi.advanceTimersByTimeAsync(90);
      expect(await outcomes).toMatchObject([
        { operationId, state: 'unknown', error: { reason: 'DEADLINE_EXCEEDED' } },
      ]);
    } else {
      const call = name === 'resume' ? operations.resume : operations.reconcile;
      const { error } = await failedWithin(30, () => call(operationId, options));
      expect(error).toMatchObject({ operationId, outcome: 'unknown', reason: 'DEADLINE_EXCEEDED' });
      expect((error as Error).message).toContain(unanswered);
    }
    expect(sent).toHaveLength(0);
  });

  test('whose journal never answers get() ends a change of a listed row without a revision at its deadline', async () => {
    const list = json({ records: [{ id, ...vip }], total: 1, limited: false });
    const { client, sent } = scripted([list], { journal: slow('get').slowed });
    const [row] = (await client.tags.list()).records;
    const { error } = await failedWithin(30, () => client.tags.update(row, vip, { intent, timeoutMs: 30 }));
    expect(error).toMatchObject({ code: 'DEADLINE_EXCEEDED', outcome: 'abandoned' });
    expect(sent).toHaveLength(1);
  });
});

describe('a renewal of a hold that is never answered', () => {
  /** The first claim of the journal is the renewal: the entry was added. */
  const wait = (options: { readonly timeoutMs?: number; readonly signal?: AbortSignal }) => {
    const { problems, onEvent } = listen();
    const journal = slow('claim').slowed;
    const limited = failure(429, 'RATE_LIMITED');
    const { client, sent } = scripted([limited, applied], { journal, onEvent, retry: { maxAttempts: 3 } });
    return { problems, sent, call: client.tags.create(vip, options) };
  };

  test('does not keep the request waiting longer than its pause', async () => {
    const { problems, sent, call } = wait({});
    await vi.advanceTimersByTimeAsync(5_001);
    expect(await call).toMatchObject({ applied: true });
    expect([sent.length, problems]).toEqual([2, ['The journal did not answer in time.']]);
  });

  test('ends the call before it sends anything if it says late that another call has the entry', async () => {
    const journal = memoryJournal();
    let answer = (): void => undefined;
    const claim: Journal['claim'] = () =>
      new Promise((resolve) => {
        answer = () => resolve({ entry: undefined, heldUntil: undefined });
      });
    const waiting = async () => ({ state: 'waiting', waitMs: 20_000, askAgainMs: 1_000 }) as const;
    const shared = { reserve: waiting, release: async () => undefined };
    const { client, sent } = scripted([applied], { journal: { ...journal, claim }, pacing: { shared } });
    const ended = failed(client.tags.create(vip));
    await vi.advanceTimersByTimeAsync(5_000);
    answer();
    await vi.advanceTimersByTimeAsync(0);
    expect((await ended).error).toMatchObject({ code: 'OPERATION_IN_FLIGHT', attempts: 0 });
    expect(sent).toEqual([]);
  });

  test('does not keep the call from its signal', async () => {
    const end = new AbortController();
    const { problems, call } = wait({ signal: end.signal });
    const ended = failed(call);
    await vi.advanceTimersByTimeAsync(100);
    end.abort('closed');
    await vi.advanceTimersByTimeAsync(0);
    expect((await ended).error).toMatchObject({ code: 'ABORTED' });
    expect(problems).toEqual([]);
  });
});

test('a signal ends a wait for get() at once, and nothing is recorded', async () => {
  const { journal, slowed, answer } = slow('get');
  const { client, sent } = scripted([applied], { journal: slowed });
  const end = new AbortController();
  const call = failed(client.tags.create(vip, { intent, signal: end.signal }));
  await vi.advanceTimersByTimeAsync(10);
  end.abort('closed');
  await vi.advanceTimersByTimeAsync(0);
  expect((await call).error).toMatchObject({ code: 'ABORTED', outcome: 'abandoned', cause: 'closed' });
  answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(await scripted([], { journal }).client.operations.list()).toEqual([]);
  expect(sent).toEqual([]);
});
