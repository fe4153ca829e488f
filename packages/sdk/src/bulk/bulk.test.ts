import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clock } from '../../test-support/clock.ts';
import { atEachDoor } from '../../test-support/mocked.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { applied, elsewhere, json, scripted } from '../../test-support/servers/scripted.ts';
import { type BulkOptions, type BulkProgress, InvalidInputError } from '../index.ts';

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

    test('is complete if each item has a value', async () => {
      let isRefused = true;
      const run = (n: number) => (n === 2 && isRefused ? Promise.reject(new Error('not yet')) : n);
      const first = await at.client.bulk(range(4), run);
      expect(first.isComplete).toBe(false);
      expect(first.results).toHaveLength(4);
      isRefused = false;
      const second = await first.resume();
      expect(second.isComplete).toBe(true);
      expect((await at.client.bulk([], run)).isComplete).toBe(true);
      const aborted = await at.client.bulk(range(2), run, { signal: AbortSignal.abort() });
      expect(aborted.isComplete).toBe(false);
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

    test('reports progress, and ignores a callback that throws', async () => {
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
      [undefined, String, {}, 'bulk() requires an iterable of items, such as an array; got undefined.'],
      [
        Promise.resolve([]),
        String,
        {},
        'bulk() requires an iterable of items, such as an array; got promise. Await it first.',
      ],
      [7, String, {}, 'bulk() requires an iterable of items, such as an array; got number.'],
      [range(1), String, { intent: [] }, 'An intent must have at least one part, such as ["import", 17].'],
      [
        range(1),
        String,
        { intent: 'nightly' },
        'An intent must be an array, such as ["import", 17]; got string.',
      ],
      [range(1), String, { intent: [Number.NaN] }, /^intent\[0\] must be a string, a finite number, /],
      [range(1), String, { signal: {} }, 'signal must be an AbortSignal; got object.'],
      [range(1), String, { signal: null }, 'signal must be an AbortSignal; got null.'],
      [range(1), String, { onProgress: 'log' }, 'onProgress must be a function; got string.'],
    ])('refuses %j, %s, %j', async (items, run, options, message) => {
      const call = at.client.bulk(items as number[], run as typeof String, options as BulkOptions);
      const error = await getRejection(call);
      expect(error).toBeInstanceOf(InvalidInputError);
      expect(error.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    });

    test('refuses options that do not exist', async () => {
      const options = { concurency: 2 } as BulkOptions;
      expect(await getRejection(at.client.bulk(range(1), String, options))).toMatchObject({
        code: 'INVALID_OPTIONS',
        message: '"concurency" is not an option of bulk(). Options: concurrency, intent, signal, onProgress.',
      });
      const { resume } = await at.client.bulk(range(1), String);
      expect(await getRejection(resume({ intent: ['a'] } as BulkOptions))).toMatchObject({
        code: 'INVALID_OPTIONS',
        message: '"intent" is not an option of resume(). Options: signal, onProgress.',
      });
      const onProgress = 7 as unknown as BulkOptions['onProgress'];
      expect(await getRejection(resume({ onProgress }))).toBeInstanceOf(InvalidInputError);
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
