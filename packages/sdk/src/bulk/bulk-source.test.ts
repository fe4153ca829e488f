import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { mocked } from '../../test-support/mocked.ts';
import { getRejection } from '../../test-support/rejection.ts';
import type { BulkItemContext, BulkProgress } from '../index.ts';

const range = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const double = (n: number) => n * 2;

/** A source that gives an item when it is pushed. */
function pushed() {
  const waiting: ((result: IteratorResult<number>) => void)[] = [];
  const source: AsyncIterable<number> = {
    [Symbol.asyncIterator]: () => ({ next: () => new Promise((resolve) => waiting.push(resolve)) }),
  };
  const push = (value: number) => waiting.shift()?.({ value });
  const end = () => waiting.shift()?.({ value: undefined, done: true });
  return { source, push, end, waiting };
}

/** A source that fails once before its second item, and continues if it is read again. */
function interrupted(): AsyncIterable<number> {
  let n = 0;
  const next = async (): Promise<IteratorResult<number>> => {
    if (++n === 2) throw new Error('the connection was lost');
    return n <= 4 ? { value: n } : { value: undefined, done: true };
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

test('a list may be emptied right after the call', async () => {
  const { client } = mocked();
  const [list, set] = [[1, 2], new Set([3, 4])];
  const running = [client.bulk(list, double), client.bulk(set, double)];
  list.length = 0;
  set.clear();
  const outcomes = await Promise.all(running);
  expect(outcomes.map(({ results }) => results.map(({ value }) => value))).toEqual([
    [2, 4],
    [6, 8],
  ]);
});

test('reads an asynchronous source only as fast as it needs items', async () => {
  let given = 0;
  let ended = 0;
  async function* source() {
    for (const n of range(50)) {
      given++;
      expect(given - ended).toBeLessThanOrEqual(4);
      yield n;
    }
  }
  const seen: BulkProgress[] = [];
  const { results } = await mocked().client.bulk(
    source(),
    async (n) => {
      await new Promise((resolve) => setImmediate(resolve));
      ended++;
      return n;
    },
    { concurrency: 3, onProgress: (progress) => seen.push(progress) },
  );
  expect(results.map(({ value }) => value)).toEqual(range(50));
  expect(seen[0]).toMatchObject({ total: undefined, remainingMs: undefined, done: 1 });
  expect(seen.at(-1)).toMatchObject({ done: 50, failed: 0, unknown: 0 });
});

test('stops when the signal aborts, and continues where it stopped', async () => {
  const { client } = mocked();
  const controller = new AbortController();
  const { signal } = controller;
  const run = (n: number, { intent }: BulkItemContext) => {
    if (n === 3) controller.abort();
    return client.tags.create({ name: `Bulk ${n}`, color: 'pink' }, { intent });
  };
  const outcome = await client.bulk(range(10), run, { signal, concurrency: 1 });
  const statuses = outcome.results.map(({ status }) => status);
  expect(statuses).toEqual([...range(4).map(() => 'done'), ...range(6).map(() => 'skipped')]);
  const { results } = await outcome.resume();
  expect(results.every(({ status }) => status === 'done')).toBe(true);
  expect((await client.tags.list().toArray()).filter(({ name }) => name.startsWith('Bulk'))).toHaveLength(10);
});

test('an abort ends a run that waits for its source, and resume() takes the item that comes later', async () => {
  const controller = new AbortController();
  const { source, push, end, waiting } = pushed();
  const ran: number[] = [];
  const run = mocked().client.bulk(source, (n) => ran.push(n), { signal: controller.signal, concurrency: 2 });
  await nextTurn();
  push(1);
  await nextTurn();
  controller.abort();
  const outcome = await run;
  expect(outcome.results).toMatchObject([{ item: 1, status: 'done' }]);
  push(2);
  await nextTurn();
  expect(ran).toEqual([1]);
  const resumed = outcome.resume();
  await nextTurn();
  expect(ran).toEqual([1, 2]);
  expect(waiting).toHaveLength(1);
  end();
  expect((await resumed).results.map(({ item, status }) => [item, status])).toEqual([
    [1, 'done'],
    [2, 'done'],
  ]);
});

test('an item that its source gives after it aborted the run is not started', async () => {
  const controller = new AbortController();
  async function* source() {
    yield 1;
    controller.abort();
    yield 2;
  }
  const ran: number[] = [];
  const run = (n: number) => ran.push(n);
  const outcome = await mocked().client.bulk(source(), run, { signal: controller.signal, concurrency: 1 });
  expect(ran).toEqual([1]);
  const { results } = await outcome.resume();
  expect(ran).toEqual([1, 2]);
  expect(results.map(({ status }) => status)).toEqual(['done', 'done']);
});

test('a source that fails after the abort leaves no rejection unhandled', async () => {
  const controller = new AbortController();
  async function* source() {
    controller.abort();
    await nextTurn();
    yield* range(0);
    throw new Error('too late');
  }
  const outcome = await mocked().client.bulk(source(), double, { signal: controller.signal });
  expect(outcome).toMatchObject({ results: [], sourceError: undefined });
  await nextTurn();
  expect((await outcome.resume()).sourceError).toMatchObject({ message: 'too late' });
});

test('a source that fails ends the run, and the results before it are kept', async () => {
  const error = new Error('the file ended in the middle of a line');
  async function* source() {
    yield 1;
    yield 2;
    throw error;
  }
  let failures = 1;
  const run = async (n: number) => {
    await nextTurn();
    if (n === 2 && failures-- > 0) throw new Error('not yet');
    return n;
  };
  const outcome = await mocked().client.bulk(source(), run, { concurrency: 3 });
  expect(outcome.sourceError).toBe(error);
  expect(outcome.results.map(({ status }) => status)).toEqual(['done', 'failed']);
  const { results, sourceError, isComplete } = await outcome.resume();
  expect(results.map(({ value }) => value)).toEqual([1, 2]);
  expect(isComplete).toBe(false);
  // The generator has ended. The items after the error are still missing.
  expect(sourceError).toBe(error);
});

test('resume() reads on from a source that can continue', async () => {
  const outcome = await mocked().client.bulk(interrupted(), double);
  expect(outcome.sourceError).toMatchObject({ message: 'the connection was lost' });
  expect(outcome.results.map(({ value }) => value)).toEqual([2]);
  expect(outcome.isComplete).toBe(false);
  const { results, sourceError, isComplete } = await outcome.resume();
  expect([sourceError, isComplete]).toEqual([undefined, true]);
  expect(results.map(({ value }) => value)).toEqual([2, 6, 8]);
});

test('an iterable that is not asynchronous is read before the first item, and rejects as it does', async () => {
  function* source() {
    yield 1;
    throw new Error('not a list');
  }
  const ran: number[] = [];
  const call = mocked().client.bulk(source(), (n) => ran.push(n));
  expect((await getRejection(call)).message).toBe('not a list');
  expect(ran).toEqual([]);
});
