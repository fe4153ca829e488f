import { describe, expect, it } from 'vitest';
import { createMock, type Mock, MockOptionsError } from '../../src/index.ts';
import { Caller } from '../../test-support/caller.ts';

const unlimited = { rateLimit: 'off', monthlyLimit: 'off' } as const;
const kilobyte = 1024;

const post = (mock: Mock, body: string): Promise<Response> =>
  mock.fetch(`${mock.baseUrl}/chat/read`, {
    method: 'POST',
    headers: { Authorization: 'Bearer demo-read-key' },
    body,
  });

describe('bodies in the log', () => {
  it('are kept up to 64 KiB each', async () => {
    const mock = createMock(unlimited);
    const pad = (bytes: number): string => '{"resource":"accounts"}'.padEnd(bytes);
    await post(mock, pad(64 * kilobyte));
    await post(mock, pad(64 * kilobyte + 1));
    await post(mock, `"${'日'.repeat(30_000)}"`);
    const [whole, cut, japanese] = mock.requests.list().map(({ id }) => mock.requests.get(id).request);
    expect(whole).toMatchObject({ body: { resource: 'accounts' }, bodyKept: 'complete', bodyBytes: 65_536 });
    expect(cut).toMatchObject({ body: pad(64 * kilobyte), bodyKept: 'truncated', bodyBytes: 65_537 });
    expect(japanese).toMatchObject({
      body: `"${'日'.repeat(21_845)}`,
      bodyKept: 'truncated',
      bodyBytes: 90_002,
    });
  });

  it('are dropped oldest first above logBytes, and counted', async () => {
    const mock = createMock({ ...unlimited, logBytes: 10 * kilobyte });
    const body = '{"resource":"accounts"}'.padEnd(4 * kilobyte);
    for (let n = 0; n < 3; n++) await post(mock, body);
    const kept = mock.requests.list().map(({ id }) => mock.requests.get(id));
    expect(kept.map(({ request, response }) => [request.bodyKept, response?.bodyKept])).toEqual([
      ['dropped', 'dropped'],
      ['complete', 'complete'],
      ['complete', 'complete'],
    ]);
    expect(kept[0]?.request).toMatchObject({ body: null, bodyBytes: 4096 });
    expect(mock.requests.dropped()).toEqual({ entries: 0, bodies: 2 });
    mock.requests.clear();
    expect(mock.requests.dropped()).toEqual({ entries: 0, bodies: 0 });
    await post(mock, body);
    await post(mock, body);
    expect(mock.requests.dropped().bodies).toBe(0);
  });

  it('stay within logBytes with any sequence of entries', async () => {
    const mock = createMock({ ...unlimited, logBytes: 2 * kilobyte, requestLogSize: 7 });
    for (let n = 0; n < 40; n++) await post(mock, '{"resource":"accounts"}'.padEnd((n * 331) % 1500));
    const kept = mock.requests.list().map(({ id }) => mock.requests.get(id));
    const sizes = kept.flatMap(({ request, response }) =>
      [request, response].map((part) => (part?.bodyKept === 'complete' ? part.bodyBytes : 0)),
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeLessThanOrEqual(2 * kilobyte);
    expect(kept.at(-1)).toMatchObject({
      request: { bodyKept: 'complete' },
      response: { bodyKept: 'complete' },
    });
    expect(kept).toHaveLength(7);
  });

  it('are not kept with logBytes 0, nor of a late answer to a dropped request', async () => {
    const none = createMock({ ...unlimited, logBytes: 0 });
    await post(none, '{"resource":"tags"}');
    const [entry] = none.requests.list();
    expect(none.requests.get(entry?.id ?? 0)).toMatchObject({
      request: { body: null, bodyKept: 'dropped' },
      response: { body: null, bodyKept: 'dropped' },
    });
    expect(none.requests.dropped().bodies).toBe(2);
    const wakes: (() => void)[] = [];
    const late = createMock({
      ...unlimited,
      requestLogSize: 1,
      sleep: () => new Promise((resolve) => wakes.push(resolve)),
    });
    late.faults.arm({ effect: 'delay', delayMs: 1 });
    const delayed = new Caller(late).me();
    await new Caller(late).me();
    await expect.poll(() => wakes.length).toBe(1);
    const before = late.requests.dropped().bodies;
    for (const wake of wakes) wake();
    await delayed;
    expect(late.requests.dropped().bodies).toBe(before + 1);
  });

  it.each([-1, 1.5, Number.NaN, '1' as unknown as number])('refuse logBytes %s', (logBytes) => {
    expect(() => createMock({ logBytes })).toThrow(MockOptionsError);
    expect(() => createMock({ logBytes })).toThrow(/logBytes must be a whole number/);
  });
});
