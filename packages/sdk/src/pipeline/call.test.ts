import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { clock } from '../../test-support/clock.ts';
import { applied, failure, json, scripted } from '../../test-support/servers/scripted.ts';
import { type ClientEvent, memoryJournal, type OrgChatError } from '../index.ts';

const vip = { name: 'VIP', color: 'pink' } as const;
const empty = json({ records: [], total: 0, limited: false });
const failed = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).then(
    () => expect.unreachable('it should have been rejected'),
    (error: unknown) => error,
  );

/** A client against scripted answers, and the events of its listener. */
function listened(...[steps, options]: Parameters<typeof scripted>) {
  const events: ClientEvent[] = [];
  return { ...scripted(steps, { ...options, onEvent: (event) => events.push(event) }), events };
}

describe('events of a call', () => {
  test('a wait before another attempt, with its length', async () => {
    const retry = { maxAttempts: 2, baseDelayMs: 4, maxDelayMs: 4 };
    const { client, events } = listened([failure(500, 'INTERNAL_ERROR'), applied], { retry });
    await client.tags.create(vip);
    const waits = events.filter((event) => event.type === 'wait');
    expect(waits).toMatchObject([{ reason: 'retry', ms: expect.any(Number) }]);
    expect(waits[0]?.ms).toBeLessThanOrEqual(4);
  });

  test('how long an attempt and the call took', async () => {
    const { client, events } = listened([failure(500, 'INTERNAL_ERROR'), applied]);
    const startedAt = performance.now();
    await client.tags.create(vip);
    const elapsed = performance.now() - startedAt;
    const attempts = events.flatMap((event) => (event.type === 'attempt' ? [event.durationMs] : []));
    const [whole = Number.NaN] = events.flatMap((event) =>
      event.type === 'outcome' ? [event.durationMs] : [],
    );
    expect(attempts).toHaveLength(2);
    for (const one of attempts) expect(one).toBeGreaterThanOrEqual(0);
    // Each is a part of the call, and the call of what the caller waited.
    expect(attempts[0]! + attempts[1]!).toBeLessThanOrEqual(whole);
    expect(whole).toBeLessThanOrEqual(elapsed);
  });

  test('calls have increasing numbers, so that a log can be ordered', async () => {
    const { client, events } = listened([empty]);
    await client.tags.list();
    await client.tags.list();
    const numbers = events.flatMap((event) => (event.type === 'request' ? [event.callId] : []));
    expect(numbers).toHaveLength(2);
    expect(numbers[1]).toBeGreaterThan(numbers[0]!);
    expect(numbers[0]).toBeGreaterThan(0);
  });

  describe('on a clock of the test', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: [...clock.toFake] }));
    afterEach(() => void vi.useRealTimers());

    test('a wait for the rate limit, with its length', async () => {
      const { client, events } = listened([empty], {
        baseUrl: 'https://paced.example.com/api/v1',
        timeoutMs: 5 * 60_000,
        pacing: { perMinute: 1 },
      });
      await client.tags.list();
      const second = client.tags.list().withResponse();
      await vi.advanceTimersByTimeAsync(61_000);
      await second;
      expect(events.map(({ type }) => type)).toEqual([
        ...['request', 'attempt', 'outcome'],
        ...['request', 'wait', 'attempt', 'outcome'],
      ]);
      expect(events[4]).toMatchObject({ reason: 'pacing', operation: 'readChat', ms: 60_250 });
    });
  });
});

test('a retry delay that does not fit into the deadline ends the call at once', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  onTestFinished(() => void vi.restoreAllMocks());
  const { client, sent } = listened([failure(500, 'INTERNAL_ERROR')], {
    timeoutMs: 5_000,
    retry: { baseDelayMs: 7_200_000, maxDelayMs: 7_200_000 },
  });
  const before = Date.now();
  const error = (await failed(client.account())) as OrgChatError & { retryAt: Date };
  expect(error).toMatchObject({ code: 'INTERNAL_ERROR', retryAt: expect.any(Date) });
  expect(error.retryAt.getTime()).toBeGreaterThanOrEqual(before + 3_600_000);
  expect(sent).toHaveLength(1);
});

describe('a change whose journal fails', () => {
  test('says that nothing was sent', async () => {
    const journal = { ...memoryJournal(), add: () => Promise.reject(new Error('ENOSPC')) };
    const { client, sent } = listened([applied], { journal });
    expect(await failed(client.tags.create(vip))).toMatchObject({
      code: 'JOURNAL_FAILED',
      reason: 'journal-unavailable',
      message: expect.stringContaining('nothing was sent: ENOSPC'),
    });
    expect(sent).toHaveLength(0);
  });
});

describe('a keyword write that may have arrived', () => {
  test('is not sent again under its intent, and says so', async () => {
    const { client, sent } = listened([failure(500, 'INTERNAL_ERROR')]);
    const options = { intent: ['batch', 1] } as const;
    await failed(client.keywords.add('site', { keywords: ['a'] }, options));
    const again = await failed(client.keywords.add('site', { keywords: ['a'] }, options));
    expect(again).toMatchObject({ code: 'OUTCOME_UNKNOWN', cause: { code: 'NOT_RESUMABLE' } });
    expect(sent).toHaveLength(1);
  });
});

describe('a fetch of the caller’s', () => {
  test('is called as a plain function, as the fetch of a platform requires', async () => {
    const callers: unknown[] = [];
    const { client } = scripted([], {
      async fetch(this: unknown, request) {
        callers.push(this);
        return applied(request, '') as Response;
      },
    });
    await client.tags.create(vip);
    expect(callers).toEqual([undefined]);
  });

  test('that answers nothing is not replaced by the network', async () => {
    const network = vi.fn<typeof fetch>();
    vi.stubGlobal('fetch', network);
    onTestFinished(() => void vi.unstubAllGlobals());
    const forgotten = (() => undefined) as unknown as () => Promise<Response>;
    const { client } = scripted([], { fetch: forgotten, retry: false });
    expect(await failed(client.tags.create(vip))).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(network).not.toHaveBeenCalled();
  });
});
