import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createClient, OutcomeUnknownError, RateLimitError, ServerError } from '../../src/index.ts';
import { failed } from '../../test-support/rejection.ts';
import { failure, json, lost, scripted } from '../../test-support/servers/scripted.ts';

const empty = json({ records: [], total: 0, limited: false });
const vip = { name: 'VIP', color: 'pink' } as const;

describe('Retry-After', () => {
  test('is waited for, never less', async () => {
    const { client, sent } = scripted([failure(429, 'RATE_LIMITED', { 'retry-after': '1' }), empty]);
    await client.tags.list();
    expect((sent[1]?.at ?? 0) - (sent[0]?.at ?? 0)).toBeGreaterThanOrEqual(1000);
  });

  test('that does not fit the deadline fails at once, and says when', async () => {
    const { client, sent } = scripted([failure(429, 'RATE_LIMITED', { 'retry-after': '3600' })]);
    const { error, ms } = await failed(client.account());
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ limit: 'minute', retryAt: expect.any(Date) });
    const { retryAt } = error as RateLimitError;
    expect(Math.abs((retryAt?.getTime() ?? 0) - Date.now() - 3_600_000)).toBeLessThan(2000);
    expect(ms).toBeLessThan(60_000);
    expect(sent).toHaveLength(1);
  });

  test('and the request id may have white space around them', async () => {
    const server = createServer((_, response) => {
      response.writeHead(503, { 'retry-after': '3600 ', 'x-request-id': 'req-1 ' }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
    const { error } = await failed(createClient({ apiKey: 'k', baseUrl }).account());
    expect(error).toMatchObject({ retryAt: expect.any(Date), attempts: 1, requestId: 'req-1' });
  });

  test('as an HTTP-date, on a 503', async () => {
    const until = new Date(Date.now() + 3_600_000).toUTCString();
    for (const retry of [{}, false] as const) {
      const { client } = scripted([failure(503, 'X', { 'retry-after': until })], { retry });
      const { error } = await failed(client.account());
      expect(error).toBeInstanceOf(ServerError);
      expect((error as ServerError).retryAt).toEqual(new Date(until));
    }
  });

  test('as a date is measured by the Date of the answer, even if the local clock is wrong', async () => {
    const hour = 3_600_000;
    for (const skew of [-hour, hour]) {
      const there = Date.now() + skew;
      const [date, until] = [there, there + 2_000].map((at) => new Date(at).toUTCString()) as [
        string,
        string,
      ];
      const headers = { date, 'retry-after': until };
      const { client, sent } = scripted([failure(503, 'X', headers), empty]);
      await client.tags.list();
      const waited = (sent[1]?.at ?? 0) - (sent[0]?.at ?? 0);
      expect(waited).toBeGreaterThanOrEqual(2_000);
      expect(waited).toBeLessThan(20_000);
      const { error } = await failed(
        scripted([failure(503, 'X', headers)], { retry: false }).client.account(),
      );
      // By the clock of this machine, by which a program waits.
      expect(Math.abs((error.retryAt?.getTime() ?? 0) - Date.now() - 2_000)).toBeLessThan(2_000);
    }
  });

  test('leaves a change that may be applied unknown', async () => {
    const { client } = scripted([lost, failure(429, 'RATE_LIMITED', { 'retry-after': '3600' })]);
    const { error } = await failed(client.tags.create(vip));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error).toMatchObject({ retryAt: expect.any(Date), status: 429 });
  });

  test('a used-up quota is recognized and not waited for', async () => {
    const { client, sent } = scripted([failure(429, 'QUOTA_EXCEEDED')]);
    const { error } = await failed(client.account());
    expect(error).toMatchObject({ limit: 'quota' });
    expect(error).not.toHaveProperty('retryAt');
    expect(sent).toHaveLength(1);
  });
});
