import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clock } from '../../test-support/clock.ts';
import { failed } from '../../test-support/rejection.ts';
import { elsewhere, failure, json, type Step, scripted } from '../../test-support/servers/scripted.ts';
import { DeadlineError } from '../index.ts';

const empty = json({ records: [], total: 0, limited: false });
const vip = { name: 'VIP', color: 'pink' } as const;

describe('pacing', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: [...clock.toFake] }));
  afterEach(() => void vi.useRealTimers());
  const patient = { timeoutMs: 10 * 60_000, pacing: { perMinute: 60 } };

  test('lets sixty calls pass per minute, and the others in order', async () => {
    const { client, sent } = scripted([empty], { ...patient, ...elsewhere() });
    const order: number[] = [];
    const calls = Array.from({ length: 130 }, (_, n) =>
      client.tags
        .list()
        .withResponse()
        .then(() => order.push(n)),
    );
    await vi.advanceTimersByTimeAsync(59_000);
    expect(order).toHaveLength(60);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(order).toHaveLength(120);
    await vi.advanceTimersByTimeAsync(61_000);
    await Promise.all(calls);
    expect(order).toEqual(Array.from({ length: 130 }, (_, n) => n));
    for (const [index, { at }] of sent.entries()) {
      const earlier = sent[index - 60];
      if (earlier) expect(at - earlier.at).toBeGreaterThanOrEqual(60_000);
    }
  });

  test('is shared only by the clients with the same base URL and key', async () => {
    const here = elsewhere();
    const first = scripted([empty], { ...patient, ...here });
    const second = scripted([empty], { ...patient, ...here });
    const other = scripted([empty], { ...patient, ...here, apiKey: 'another-key-123456' });
    const calls = [first, second, other].flatMap(({ client }) =>
      Array.from({ length: 40 }, () => client.tags.list().withResponse()),
    );
    await vi.advanceTimersByTimeAsync(1_000);
    expect([first.sent.length, second.sent.length, other.sent.length]).toEqual([40, 20, 40]);
    await vi.advanceTimersByTimeAsync(61_000);
    await Promise.all(calls);
  });

  test('counts attempts, not calls', async () => {
    const { client, sent } = scripted([failure(500, 'X'), failure(500, 'X'), empty], {
      ...patient,
      ...elsewhere(),
      pacing: { perMinute: 2 },
    });
    const call = client.tags.list().withResponse();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(61_000);
    expect((await call).attempts).toBe(3);
  });

  test('a pause outlasts the last request before it, also one that was answered late', async () => {
    const late: Step = async (request, body) => {
      await new Promise((resolve) => setTimeout(resolve, 40_000));
      return failure(429, 'RATE_LIMITED')(request, body);
    };
    const slow = { ...patient, ...elsewhere(), attemptTimeoutMs: 50_000, retry: {} };
    const { client, sent } = scripted([late, failure(429, 'RATE_LIMITED'), late, late, empty], slow);
    const first = failed(client.tags.list().withResponse());
    // The waits are 5, 15 and 40 s, and after the last answer the others wait for a minute.
    await vi.advanceTimersByTimeAsync(181_000);
    await first;
    expect(sent).toHaveLength(4);
    const answeredAt = performance.now();
    await vi.advanceTimersByTimeAsync(50_000);
    const second = client.tags.list().withResponse();
    await vi.advanceTimersByTimeAsync(8_000);
    expect(sent).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(3_000);
    await second;
    expect(sent[4]?.at).toBeGreaterThan(answeredAt + 58_000);
  });

  test('a turn after the deadline fails at once, and says when', async () => {
    const { client, sent } = scripted([empty], {
      ...elsewhere(),
      timeoutMs: 5_000,
      pacing: { perMinute: 1 },
    });
    await client.tags.list();
    const error = await client.tags.create(vip).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(DeadlineError);
    const { retryAt } = error as DeadlineError;
    expect((retryAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(55_000);
    expect(sent).toHaveLength(1);
    expect(await client.operations.list()).toMatchObject([{ state: 'abandoned' }]);
  });

  test('an abort in the queue ends the call at once and frees its slot', async () => {
    const { client, sent } = scripted([empty], { ...patient, ...elsewhere(), pacing: { perMinute: 1 } });
    await client.tags.list();
    const controller = new AbortController();
    const aborted = client.account({ signal: controller.signal }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1_000);
    controller.abort();
    expect(await aborted).toMatchObject({ code: 'ABORTED' });
    const next = client.tags.list().withResponse();
    await vi.advanceTimersByTimeAsync(60_000);
    await next;
    expect(sent).toHaveLength(2);
  });

  test('with a fraction rounds down', async () => {
    const { client, sent } = scripted([empty], {
      ...elsewhere(),
      timeoutMs: 1000,
      pacing: { perMinute: 1.5 },
    });
    await client.tags.list();
    expect((await failed(client.tags.list().withResponse())).error).toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      retryAt: expect.any(Date),
    });
    expect(sent).toHaveLength(1);
  });

  test('off is off', async () => {
    const { client, sent } = scripted([empty], { ...elsewhere(), pacing: false });
    await Promise.all(Array.from({ length: 200 }, () => client.tags.list()));
    expect(sent).toHaveLength(200);
  });
});
