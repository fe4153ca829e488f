import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClient } from '../../src/index.ts';
import { clock } from '../../test-support/clock.ts';
import { mocked } from '../../test-support/mocked.ts';
import { small, visibleCursor } from '../../test-support/one-round.ts';
import { getRejection } from '../../test-support/rejection.ts';

/* How often a watch saves its cursor, and for how long. */

test('after a round that failed, the cursor is kept for the wait until the next', async () => {
  const { mock, client } = small(50);
  const saved: number[] = [];
  const end = new AbortController();
  const open = () => ({
    stored: undefined,
    save(_text: string, nextMs: number) {
      saved.push(nextMs);
      const limit = { effect: 'respond', status: 429, error: 'RATE_LIMITED', retryAfter: 3_000 } as const;
      if (saved.length === 1) mock.faults.arm({ ...limit, resource: 'conversations' });
      else end.abort();
    },
    close: () => undefined,
  });
  const options = { cursor: { open }, everyMs: 1, onWarning: () => undefined, signal: end.signal };
  const watch = client.with({ retry: false }).watch({ messages: true }, options);
  expect(await getRejection(watch.next())).toMatchObject({ code: 'ABORTED' });
  // As long as a round may be read before it saves again.
  expect(saved[0]).toBe(60_000);
  expect(saved[1]).toBeGreaterThan(2_900_000);
});

describe('by the clock,', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: [...clock.toFake] }));
  afterEach(() => void vi.useRealTimers());

  test('the cursor is saved again while a round is read that takes long, so that no other watcher takes it', async () => {
    const { mock, options } = mocked();
    const conversations = mock.records({ resource: 'conversations' }).records.length;
    const slow = createClient({ ...options, pacing: { perMinute: 1 } });
    const saves = [performance.now()];
    const cursor = visibleCursor();
    cursor.onSave = () => void saves.push(performance.now());
    const watch = slow.watch(
      { messages: true },
      { cursor, since: 'all', everyMs: 1, onWarning: () => undefined },
    );
    let isOver = false;
    const next = watch.next().finally(() => {
      isOver = true;
    });
    while (!isOver) await vi.advanceTimersByTimeAsync(10_000);
    expect((await next).value).toMatchObject({ type: 'message' });
    const waits = saves.slice(1).map((at, index) => at - (saves[index] ?? 0));
    expect(waits.length).toBeGreaterThan(conversations / 2);
    expect(Math.max(...waits)).toBeLessThanOrEqual(120_000);
    await watch.return(undefined);
  });

  test('the cursor is saved once per round with a long interval in which nothing happens', async () => {
    const { mock, client } = mocked();
    const everyMs = 10 * 60_000;
    const end = new AbortController();
    let saves = 0;
    const open = () => ({
      stored: undefined,
      save: () => {
        saves++;
        return new Promise<void>((resolve) => setTimeout(resolve, 5));
      },
      close: () => undefined,
    });
    const watch = client.watch({ messages: true }, { cursor: { open }, everyMs, signal: end.signal });
    const next = getRejection(watch.next());
    await vi.advanceTimersByTimeAsync(3.5 * everyMs);
    expect(mock.requests.list().filter(({ resource }) => resource === 'conversations')).toHaveLength(4);
    expect(saves).toBe(4);
    end.abort();
    await vi.advanceTimersByTimeAsync(5);
    expect(await next).toMatchObject({ code: 'ABORTED' });
  });

  test('while it waits for days, the cursor is saved each hour and nothing is sent, so that another machine can take over', async () => {
    const { mock, client } = mocked();
    const retryAfter = 3 * 24 * 3_600;
    const hourMs = 3_600_000;
    const end = new AbortController();
    const saves: { at: number; nextMs: number }[] = [];
    const open = () => ({
      stored: undefined,
      save(_text: string, nextMs: number) {
        saves.push({ at: performance.now(), nextMs });
        const limit = { effect: 'respond', status: 429, error: 'RATE_LIMITED', retryAfter } as const;
        if (saves.length === 1) mock.faults.arm({ ...limit, resource: 'conversations' });
      },
      close: () => undefined,
    });
    const countReads = (): number =>
      mock.requests.list().filter(({ resource }) => resource === 'conversations').length;
    const next = getRejection(
      client.watch({ messages: true }, { cursor: { open }, signal: end.signal }).next(),
    );
    await vi.advanceTimersByTimeAsync(71 * hourMs);
    expect(countReads()).toBe(2);
    const gaps = saves.slice(1).map(({ at }, index) => at - (saves[index]?.at ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(hourMs);
    expect(Math.max(...saves.map(({ nextMs }) => nextMs))).toBe(hourMs);
    await vi.advanceTimersByTimeAsync(2 * hourMs);
    expect(countReads()).toBeGreaterThan(2);
    end.abort();
    await vi.advanceTimersByTimeAsync(5);
    expect(await next).toMatchObject({ code: 'ABORTED' });
  });
});
