import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clock } from '../../test-support/clock.ts';
import { atEachDoor } from '../../test-support/mocked.ts';
import { rejectionOf } from '../../test-support/rejection.ts';
import { applied, elsewhere, json, scripted } from '../../test-support/scripted.ts';
import { type BulkProgress, createClient, InvalidInputError, OutcomeUnknownError } from '../index.ts';

const range = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

atEachDoor((at) => {
  describe('bulk', () => {
    const create = (n: number, { intent }: { intent: readonly string[] | readonly unknown[] }) =>
      at.client.tags.create({ name: `Bulk ${n}`, color: 'pink' }, { intent: intent as string[] });
    const names = async () =>
      (await at.client.tags.list().toArray())
        .map(({ name }) => name)
        .filter((name) => name.startsWith('Bulk'));

    test('gives a result per item, in the order of the items', async () => {
      const { results } = await at.client.bulk(range(20), create);
      expect(results.map(({ item, status }) => [item, status])).toEqual(range(20).map((n) => [n, 'done']));
      expect(results[7]).toMatchObject({ item: 7, value: { applied: true, result: { name: 'Bulk 7' } } });
      expect(await names()).toHaveLength(20);
    });

    test('runs as many at once as it may', async () => {
      let running = 0;
      let most = 0;
      const run = async (n: number) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return n * 2;
      };
      const { results } = await at.client.bulk(range(30), run, { concurrency: 5 });
      expect(most).toBe(5);
      expect(results.map(({ value }) => value)).toEqual(range(30).map((n) => n * 2));
    });

    test('resumes what failed and what is unknown, without a double', async () => {
      at.mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 2 });
      const once = createClient({ ...at.options, retry: false });
      let failures = 1;
      const outcome = await once.bulk(range(6), async (n, { intent }) => {
        if (n === 4 && failures-- > 0) throw new Error('no such customer');
        return once.tags.create({ name: `Bulk ${n}`, color: 'pink' }, { intent });
      });
      const statuses = outcome.results.map(({ status }) => status);
      expect(statuses.filter((status) => status === 'unknown')).toHaveLength(2);
      expect(outcome.results[4]).toMatchObject({ status: 'failed', error: { message: 'no such customer' } });
      const { results } = await outcome.resume();
      expect(results.every(({ status }) => status === 'done')).toBe(true);
      expect(results.every(({ value }) => value?.applied)).toBe(true);
      expect(await names()).toHaveLength(6);
    });

    test('asks about an unknown change that has an id of its own, instead of a second one', async () => {
      at.mock.faults.arm({ effect: 'lose-response', operation: 'changeChat', times: 1 });
      const once = createClient({ ...at.options, retry: false });
      let calls = 0;
      const outcome = await once.bulk([1], (n) => {
        calls++;
        return once.tags.create({ name: `Bulk ${n}`, color: 'pink' });
      });
      expect(outcome.results[0]?.error).toBeInstanceOf(OutcomeUnknownError);
      const { results } = await outcome.resume();
      expect(results).toEqual([{ item: 1, status: 'done' }]);
      expect([calls, await names()]).toEqual([1, ['Bulk 1']]);
    });

    test('with an intent changes nothing twice when the program runs again', async () => {
      const options = { intent: ['import', 'customers.csv'] };
      await at.client.bulk(range(5), create, options);
      const { results } = await at.client.bulk(range(7), create, options);
      expect(results.map(({ value }) => value?.replayed)).toEqual([
        ...range(5).map(() => true),
        false,
        false,
      ]);
      expect(await names()).toHaveLength(7);
    });

    test('stops when the signal aborts, and continues where it stopped', async () => {
      const controller = new AbortController();
      const { signal } = controller;
      const run = (n: number, context: { intent: readonly unknown[] }) => {
        if (n === 3) controller.abort();
        return create(n, context);
      };
      const outcome = await at.client.bulk(range(10), run, { signal, concurrency: 1 });
      const statuses = outcome.results.map(({ status }) => status);
      expect(statuses).toEqual([...range(4).map(() => 'done'), ...range(6).map(() => 'skipped')]);
      const { results } = await outcome.resume();
      expect(results.every(({ status }) => status === 'done')).toBe(true);
      expect(await names()).toHaveLength(10);
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
      const { results } = await at.client.bulk(
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

    test('rejects as its source does, after the items in progress', async () => {
      let ended = 0;
      async function* source() {
        yield 1;
        throw new Error('the file ended in the middle of a line');
      }
      const call = at.client.bulk(source(), async (n) => {
        await create(n, { intent: ['one'] });
        ended++;
      });
      expect((await rejectionOf(call)).message).toBe('the file ended in the middle of a line');
      expect(ended).toBe(1);
    });

    test('reports progress, and ignores who cannot show it', async () => {
      const seen: BulkProgress[] = [];
      const onProgress = (progress: BulkProgress) => {
        seen.push(progress);
        throw new Error('no terminal');
      };
      const { results } = await at.client.bulk(range(3), (n) => (n === 1 ? Promise.reject(n) : n), {
        onProgress,
      });
      expect(results.map(({ status }) => status)).toEqual(['done', 'failed', 'done']);
      expect(seen.map(({ total, done, failed }) => [total, done + failed])).toEqual([
        [3, 1],
        [3, 2],
        [3, 3],
      ]);
      expect(seen.at(-1)?.remainingMs).toBe(0);
    });

    test.each([
      [range(1), String, { concurrency: 0 }, 'concurrency must be an integer from 1 to 1000; got 0.'],
      [
        range(1),
        String,
        { concurrency: Number.NaN },
        'concurrency must be an integer from 1 to 1000; got NaN.',
      ],
      [
        range(1),
        String,
        { concurrency: Infinity },
        'concurrency must be an integer from 1 to 1000; got Infinity.',
      ],
      [range(1), undefined, {}, 'bulk() requires a function; got undefined.'],
      [undefined, String, {}, 'bulk() requires an iterable of items; got undefined.'],
      [7, String, {}, 'bulk() requires an iterable of items; got number.'],
    ])('refuses %j, %s, %j', async (items, run, options, message) => {
      const error = await rejectionOf(at.client.bulk(items as number[], run as typeof String, options));
      expect(error).toBeInstanceOf(InvalidInputError);
      expect(error.message).toBe(message);
    });
  });
});

describe('the time left', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: [...clock.toFake] }));
  afterEach(() => void vi.useRealTimers());

  const after = (ms: number) => async () => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return applied(new Request('https://example.com'), '');
  };

  test.each([
    ['one request per item', 1, 50, 60],
    ['two requests per item', 2, 50, 60],
    ['a slow server', 1, 20_000, 60],
    ['another pacing', 1, 50, 37],
  ])('is right within 20 %% after the first minute: %s', async (_case, requests, answerMs, perMinute) => {
    const options = { ...elsewhere(), pacing: { perMinute }, attemptTimeoutMs: 60_000 };
    const { client } = scripted([after(answerMs)], options);
    const seen: { at: number; remainingMs: number }[] = [];
    const run = client.bulk(
      range(400),
      async (n) => {
        for (let request = 0; request < requests; request++)
          await client.tags.create({ name: `${n}`, color: 'pink' });
      },
      { onProgress: ({ remainingMs = -1 }) => seen.push({ at: performance.now(), remainingMs }) },
    );
    const startedAt = performance.now();
    let end: number | undefined;
    void run.then(() => (end = performance.now()));
    while (end === undefined) await vi.advanceTimersByTimeAsync(1_000);
    const later = seen.filter(({ at }) => at - startedAt > 60_000 && seen.at(-1)!.at - at > 10_000);
    expect(later.length).toBeGreaterThan(200);
    for (const { at, remainingMs } of later) {
      const actual = seen.at(-1)!.at - at;
      expect(Math.abs(remainingMs - actual) / actual, `${remainingMs} instead of ${actual}`).toBeLessThan(
        0.2,
      );
    }
  });

  test('is known from the first item on if nothing is paced', async () => {
    const { client } = scripted([json({ records: [], total: 0, limited: false })], { pacing: false });
    const seen: BulkProgress[] = [];
    await client.bulk(range(4), async () => vi.advanceTimersByTimeAsync(1_000), {
      concurrency: 1,
      onProgress: (progress) => seen.push(progress),
    });
    expect(seen.map(({ remainingMs }) => remainingMs)).toEqual([3_000, 2_000, 1_000, 0]);
  });
});
