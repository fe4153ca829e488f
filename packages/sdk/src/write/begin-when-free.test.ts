import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  applied,
  elsewhere,
  failure,
  replayed,
  type Step,
  scripted,
} from '../../test-support/servers/scripted.ts';
import type { ClientOptions, OrgChatError } from '../index.ts';
import { getHoldEnd } from '../journal/entries.ts';
import type { Journal, JournalEntry } from '../journal/journal.ts';
import { memoryJournal } from '../journal/memory.ts';

/* A write whose operation another process has in progress, in the time of a fake clock. */

const vip = { name: 'VIP', color: 'pink' } as const;
const intent = ['order', 1, 'welcome'];

beforeEach(() => {
  vi.useFakeTimers({ now: 1_780_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The process that has the operation: its entry is held until the test settles it. */
async function begunElsewhere(options: { readonly deadlineMs?: number } = {}) {
  const journal = memoryJournal();
  const server = elsewhere();
  let entry: JournalEntry | undefined;
  const looks: number[] = [];
  const watched: Journal = {
    ...journal,
    add: async (added, more) => {
      entry = { ...added, token: 'theirs' };
      return journal.add(entry, more);
    },
  };
  // It never gets an answer, as a process that was stopped.
  const other = scripted([() => new Promise<Response>(() => undefined)], { ...server, journal: watched });
  const timeoutMs = options.deadlineMs ?? 60_000;
  void other.client.tags.create(vip, { intent, timeoutMs }).catch(() => undefined);
  for (let ms = 0; entry === undefined && ms < 1_000; ms++) await vi.advanceTimersByTimeAsync(1);
  const startedAt = performance.now();
  // Calls of this process know nothing of those of the other.
  vi.resetModules();
  const here: typeof import('../../test-support/servers/scripted.ts') = await import(
    '../../test-support/servers/scripted.ts'
  );
  const mine: Journal = {
    ...journal,
    claim: (key, hold) => {
      looks.push(Math.round(performance.now() - startedAt));
      return journal.claim(key, hold);
    },
  };
  return {
    looks,
    /** Creates a client of this process. */
    connect: (steps: readonly Step[], more: ClientOptions = {}) =>
      here.scripted(steps, { ...server, journal: mine, ...more }),
    settle: async (state: 'applied' | 'refused' | 'unknown') => {
      if (entry === undefined) throw new Error('nothing was begun');
      await journal.settle({ ...entry, state });
    },
    holdEnd: () => getHoldEnd(`${entry?.deadline}`),
  };
}

const settled = <T>(call: PromiseLike<T>): Promise<T | OrgChatError> =>
  Promise.resolve(call).catch((error: OrgChatError) => error);

describe('a write whose operation another process has in progress', () => {
  test('waits until the other is done, and gets its answer', async () => {
    const other = await begunElsewhere();
    const { client, sent } = other.connect([replayed]);
    const call = settled(client.tags.create(vip, { intent }));
    await vi.advanceTimersByTimeAsync(300);
    expect(sent).toHaveLength(0);
    await other.settle('applied');
    await vi.advanceTimersByTimeAsync(400);
    expect(await call).toMatchObject({ applied: true, replayed: true });
    expect(sent).toHaveLength(1);
  });

  test('looks after pauses that grow from 10 ms to 1 s', async () => {
    const other = await begunElsewhere();
    const { client } = other.connect([replayed]);
    const call = settled(client.tags.create(vip, { intent }));
    await vi.advanceTimersByTimeAsync(5_000);
    const pauses = other.looks.slice(1).map((at, index) => at - (other.looks[index] ?? 0));
    expect(pauses).toEqual([10, 20, 40, 80, 160, 320, 640, 1_000, 1_000, 1_000]);
    await other.settle('applied');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await call).toMatchObject({ applied: true });
  });

  test('makes the change itself if the other had no effect', async () => {
    const other = await begunElsewhere();
    const { client, sent } = other.connect([applied]);
    const call = settled(client.tags.create(vip, { intent }));
    await vi.advanceTimersByTimeAsync(100);
    await other.settle('refused');
    await vi.advanceTimersByTimeAsync(200);
    expect(await call).toMatchObject({ applied: true, replayed: false });
    expect(sent).toHaveLength(1);
  });

  test('asks about the change if its outcome was unknown to the other', async () => {
    const other = await begunElsewhere();
    const { client, sent } = other.connect([failure(400, 'INVALID_INPUT')], { retry: false });
    const call = settled(client.tags.create(vip, { intent }));
    await vi.advanceTimersByTimeAsync(100);
    await other.settle('unknown');
    await vi.advanceTimersByTimeAsync(200);
    expect(await call).toMatchObject({ outcome: 'unknown' });
    expect(sent).toHaveLength(1);
  });

  test('gives up at its deadline, and says when to ask again', async () => {
    const other = await begunElsewhere();
    const { client, sent } = other.connect([applied]);
    const call = settled(client.tags.create(vip, { intent, timeoutMs: 3_000 }));
    await vi.advanceTimersByTimeAsync(3_000);
    const error = (await call) as OrgChatError;
    expect(error).toMatchObject({ name: 'ConflictError', code: 'OPERATION_IN_FLIGHT', outcome: 'abandoned' });
    expect(Number(error.retryAt)).toBeLessThanOrEqual(Date.now() + 1_000);
    expect(error.message).toContain(new Date(other.holdEnd()).toISOString());
    expect(sent).toHaveLength(0);
  });

  test('with waitForOther: false rejects at once, and says when to ask again', async () => {
    const other = await begunElsewhere();
    const { client } = other.connect([applied]);
    const error = await settled(client.tags.create(vip, { intent, waitForOther: false }));
    expect(error).toMatchObject({ code: 'OPERATION_IN_FLIGHT', retryAt: new Date(Date.now() + 1_000) });
  });

  test('with waitForOther: false does not wait for another call of its own process either', async () => {
    const { client, sent } = scripted([() => new Promise<Response>(() => undefined), replayed]);
    const first = settled(client.tags.create(vip, { intent, timeoutMs: 5_000 }));
    const waiting = settled(client.tags.create(vip, { intent }));
    let error: unknown;
    void settled(client.tags.create(vip, { intent, waitForOther: false })).then((ended) => {
      error = ended;
    });
    await vi.advanceTimersByTimeAsync(100);
    expect(error).toMatchObject({ code: 'OPERATION_IN_FLIGHT', outcome: 'abandoned' });
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await first).toMatchObject({ outcome: 'unknown' });
    expect(await waiting).toMatchObject({ applied: true });
  });

  test('does not say to ask again later than the hold ends', async () => {
    const other = await begunElsewhere();
    await vi.advanceTimersByTimeAsync(0);
    vi.setSystemTime(other.holdEnd() - 300);
    const { client } = other.connect([applied]);
    const error = await settled(client.tags.create(vip, { intent, waitForOther: false }));
    expect(error).toMatchObject({ code: 'OPERATION_IN_FLIGHT', retryAt: new Date(other.holdEnd()) });
  });

  test('ends with its signal', async () => {
    const other = await begunElsewhere();
    const { client, sent } = other.connect([applied]);
    const end = new AbortController();
    const call = settled(client.tags.create(vip, { intent, signal: end.signal }));
    await vi.advanceTimersByTimeAsync(700);
    end.abort('closed');
    expect(await call).toMatchObject({ code: 'ABORTED', outcome: 'abandoned', cause: 'closed' });
    expect(sent).toHaveLength(0);
    expect(vi.getTimerCount()).toBeLessThanOrEqual(2);
  });

  test('refuses a waitForOther that is not a boolean', async () => {
    const { client } = scripted([applied]);
    const options = { intent, waitForOther: 'no' as never };
    expect(await settled(client.tags.create(vip, options))).toMatchObject({ code: 'INVALID_OPTIONS' });
  });
});
