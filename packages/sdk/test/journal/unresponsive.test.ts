import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DeadlineError, OutcomeUnknownError } from '../../src/index.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import { clock } from '../../test-support/clock.ts';
import { failed, getRejection } from '../../test-support/rejection.ts';
import { applied, lost, scripted } from '../../test-support/scripted.ts';

/* A journal that does not answer holds a write no longer than its deadline. What the write says stays true. */

const vip = { name: 'VIP', color: 'pink' } as const;
const intent = ['vip'];

type Method = 'add' | 'get' | 'claim';

/** A journal with one method that does not answer before `answer` is called. */
function slow(method: Method, journal: Journal = memoryJournal()) {
  let answer = (): void => undefined;
  const isOver = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const work = journal[method] as (...args: readonly unknown[]) => unknown;
  const wait = async (...args: readonly unknown[]): Promise<unknown> => {
    await isOver;
    return work(...args);
  };
  return { journal, answer, slowed: { ...journal, [method]: wait } as Journal };
}

/** A journal that has an operation with the intent, whose outcome is unknown. */
async function withUnknown() {
  const journal = memoryJournal();
  const { client } = scripted([lost], { journal, retry: false });
  const error = await getRejection(client.tags.create(vip, { intent }));
  return { journal, operationId: `${error.operationId}` };
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
