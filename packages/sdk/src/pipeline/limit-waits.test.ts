import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  account,
  elsewhere,
  failure,
  json,
  type Step,
  scripted,
} from '../../test-support/servers/scripted.ts';
import type { ClientEvent, ClientOptions, OrgChatError, SharedPacing } from '../index.ts';

/* A 429 without Retry-After, in the time of a fake clock. */

const vip = { name: 'VIP', color: 'pink' } as const;
const limited = failure(429, 'RATE_LIMITED');
const unknownCode = failure(429, 'SLOW_DOWN');
const minute = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_780_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

interface Run {
  readonly error: OrgChatError | undefined;
  /** When each request was sent, in milliseconds from the first. */
  readonly sentAt: readonly number[];
  readonly tookMs: number;
  readonly retryInMs: number | undefined;
  readonly waits: readonly unknown[];
}

/** Makes one call and lets time pass until it ends. */
async function run(steps: readonly Step[], options: ClientOptions = {}): Promise<Run> {
  const waits: unknown[] = [];
  const onEvent = (event: ClientEvent): void => {
    if (event.type === 'wait') waits.push([event.reason, event.ms]);
  };
  const { client, sent } = scripted(steps, { ...elsewhere(), onEvent, retry: {}, ...options });
  const startedAt = performance.now();
  let endedAt: number | undefined;
  let error: OrgChatError | undefined;
  let retryInMs: number | undefined;
  const ended = client.account().then(
    () => undefined,
    (thrown: OrgChatError) => {
      error = thrown;
      retryInMs = thrown.retryAt && thrown.retryAt.getTime() - Date.now();
    },
  );
  void ended.then(() => {
    endedAt = performance.now();
  });
  while (endedAt === undefined) await vi.advanceTimersByTimeAsync(100);
  const sentAt = sent.map(({ at }) => Math.round(at - startedAt));
  return { error, sentAt, tookMs: endedAt - startedAt, retryInMs, waits };
}

describe('a 429 without Retry-After', () => {
  test('that means rateLimited waits 5, 15 and 40 s, and then succeeds', async () => {
    const { error, sentAt, waits } = await run([limited, limited, limited, json(account)]);
    expect(error).toBeUndefined();
    expect(sentAt).toEqual([0, 5_000, 20_000, 60_000]);
    expect(waits).toEqual([
      ['pacing', 5_000],
      ['pacing', 15_000],
      ['pacing', 40_000],
    ]);
  });

  test('that means rateLimited rejects after the last wait, and says when to try again', async () => {
    const { error, sentAt, retryInMs } = await run([limited]);
    expect(error).toMatchObject({ name: 'RateLimitError', limit: 'minute', attempts: 4 });
    expect(sentAt).toHaveLength(4);
    expect(retryInMs).toBe(minute);
  });

  test.each([false, { maxAttempts: 2 }] as const)('keeps to the option retry: %j', async (retry) => {
    const { sentAt, retryInMs } = await run([limited], { retry });
    expect(sentAt).toEqual(retry ? [0, 5_000] : [0]);
    expect(retryInMs).toBe(minute);
  });

  test('that does not fit a deadline of the caller rejects at once', async () => {
    const { error, sentAt, retryInMs } = await run([limited], { timeoutMs: 8_000 });
    expect(error).toMatchObject({ name: 'RateLimitError' });
    expect(sentAt).toEqual([0, 5_000]);
    expect(retryInMs).toBe(15_000);
  });

  test('whose code is not known waits 5 and 15 s, within the deadline', async () => {
    const { error, sentAt, retryInMs, waits } = await run([unknownCode]);
    expect(error).toMatchObject({ name: 'RateLimitError', limit: undefined, attempts: 3 });
    expect(sentAt).toEqual([0, 5_000, 20_000]);
    expect(retryInMs).toBe(minute);
    expect(waits).toEqual([
      ['retry', 5_000],
      ['retry', 15_000],
    ]);
  });

  test('from a gateway is one whose code is not known', async () => {
    const page: Step = () => new Response('Too many requests', { status: 429 });
    expect(await run([page])).toMatchObject({ sentAt: [0, 5_000, 20_000], retryInMs: minute });
  });

  test('of a used-up quota holds no program', async () => {
    const { error, tookMs } = await run([failure(429, 'QUOTA_EXCEEDED')]);
    expect(error).toMatchObject({ limit: 'quota' });
    expect(tookMs).toBeLessThan(200);
  });

  test('holds back the other calls of the key, too', async () => {
    const options = { ...elsewhere(), pacing: {}, retry: {} } as const;
    const { client, sent } = scripted([limited, json(account)], options);
    const first = client.account();
    await vi.advanceTimersByTimeAsync(100);
    expect(sent).toHaveLength(1);
    const second = client.account();
    await vi.advanceTimersByTimeAsync(4_800);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    await Promise.all([first, second]);
    expect(sent).toHaveLength(3);
  });

  test('tells the store of a shared pacing how long the line waits', async () => {
    const released: unknown[] = [];
    const shared = {
      reserve: async () => ({ state: 'granted', waitMs: 0, askAgainMs: 0 }) as const,
      release: async ({ retryAfterMs }: { readonly retryAfterMs?: number | undefined }) => {
        released.push(retryAfterMs);
      },
    };
    await run([limited, limited, json(account)], { pacing: { shared } });
    expect(released).toEqual([5_000, 15_000, undefined]);
  });

  test('can be aborted while it waits', async () => {
    const end = new AbortController();
    const { client } = scripted([limited], { retry: {} });
    const call = client.account({ signal: end.signal }).catch((error: OrgChatError) => error);
    await vi.advanceTimersByTimeAsync(1_000);
    end.abort();
    expect(await call).toMatchObject({ code: 'ABORTED', attempts: 1 });
  });

  test('keeps the entry of a write held as long as the write may be sent', async () => {
    const { client } = scripted([limited], { retry: {} });
    const call = client.tags.create(vip).catch((error: OrgChatError) => error);
    await vi.advanceTimersByTimeAsync(59_000);
    const [entry] = await client.operations.list();
    expect(entry?.state).toBe('pending');
    expect(Date.parse(`${entry?.deadline}`)).toBeGreaterThan(Date.now() + 30_000);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await call).toMatchObject({ outcome: 'refused', attempts: 4 });
  });
});

describe.each([
  ['0', '0'],
  ['a date that has passed by the clock of this machine', 'Thu, 28 May 2026 20:25:00 GMT'],
])('a Retry-After of %s', (_what, asked) => {
  const headers = { 'retry-after': asked };

  test('is no Retry-After of a 429', async () => {
    const { error, sentAt, retryInMs } = await run([failure(429, 'RATE_LIMITED', headers)]);
    expect(error).toMatchObject({ name: 'RateLimitError', attempts: 4 });
    expect(sentAt).toEqual([0, 5_000, 20_000, 60_000]);
    expect(retryInMs).toBe(minute);
  });

  test('never shortens the wait of a shared pacing', async () => {
    const released: unknown[] = [];
    const shared: SharedPacing = {
      reserve: async () => ({ state: 'granted', waitMs: 0, askAgainMs: 0 }),
      release: async ({ retryAfterMs }) => void released.push(retryAfterMs),
    };
    await run([failure(429, 'RATE_LIMITED', headers), json(account)], { pacing: { shared } });
    expect(released).toEqual([5_000, undefined]);
  });

  test('leaves a 503 its own waits, and says no time that has passed', async () => {
    const { sentAt, tookMs, retryInMs } = await run([failure(503, 'BUSY', headers)]);
    expect(sentAt).toHaveLength(4);
    expect(tookMs).toBeLessThan(3_000);
    expect(retryInMs).toBeUndefined();
  });
});

test('retryAt is at most 32 days away, whatever the server says', async () => {
  const days = 24 * 3_600_000;
  for (const asked of ['99999999999', 'Fri, 31 Dec 9999 23:59:59 GMT']) {
    const { retryInMs } = await run([failure(429, 'RATE_LIMITED', { 'retry-after': asked })]);
    expect(retryInMs).toBe(32 * days);
  }
});

test('two processes with one key finish their work under the default pacing', async () => {
  // What the server counts: a request that it answers with 429 is not one of them.
  const accepted: number[] = [];
  const server: Step = () => {
    const now = performance.now();
    while ((accepted[0] ?? now) <= now - minute) accepted.shift();
    if (accepted.length >= 60) return limited({} as Request, '');
    accepted.push(now);
    return json(account)({} as Request, '');
  };
  const key = elsewhere();
  const processes = await Promise.all(
    [1, 2].map(async () => {
      // Another copy of the package has a pacing of its own, as another process has.
      vi.resetModules();
      const support: typeof import('../../test-support/servers/scripted.ts') = await import(
        '../../test-support/servers/scripted.ts'
      );
      return support.scripted([server], { ...key, pacing: {}, retry: {} }).client;
    }),
  );
  let isDone = false;
  const work = Promise.allSettled(
    processes.flatMap((client) => Array.from({ length: 90 }, () => client.account())),
  ).then((results) => {
    isDone = true;
    return results.filter(({ status }) => status === 'rejected');
  });
  for (let seconds = 0; !isDone && seconds < 600; seconds++) await vi.advanceTimersByTimeAsync(1_000);
  expect(await work).toEqual([]);
});
