import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMock, type Listening } from '../../src/index.ts';
import { Caller } from '../../test-support/caller.ts';

let server: Listening;
beforeAll(async () => {
  server = await createMock().listen({ port: 0 });
});
afterAll(() => server.close());

const health = (headers: Record<string, string>) => fetch(`${server.controlUrl}/health`, { headers });

describe('the control API', () => {
  it('rejects web pages and hosts other than this machine', async () => {
    expect((await health({ Origin: 'https://evil.example' })).status).toBe(403);
    expect((await health({ Origin: 'null' })).status).toBe(403);
    expect((await health({ Origin: server.url })).status).toBe(200);
    expect(
      (
        await new Caller({ baseUrl: server.baseUrl, fetch }).me({
          headers: { Origin: 'https://evil.example' },
        })
      ).status,
    ).toBe(200);
  });

  it('requires the given token', async () => {
    const guarded = createMock({ controlToken: 'let-me-in' });
    const listening = await guarded.listen({ port: 0 });
    expect(listening.controlToken).toBe('let-me-in');
    const withToken = (token?: string) =>
      fetch(
        `${listening.controlUrl}/clock`,
        token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } },
      );
    expect([
      (await withToken()).status,
      (await withToken('x')).status,
      (await withToken('let-me-in')).status,
    ]).toEqual([401, 401, 200]);
    await listening.close();
  });

  it('generates a token beyond loopback by default', async () => {
    const listening = await createMock().listen({ port: 0, host: '0.0.0.0' });
    const { controlUrl, controlToken } = listening;
    expect(controlToken).toMatch(/^.{20,}$/);
    expect((await fetch(`${controlUrl}/clock`)).status).toBe(401);
    const headers = { Authorization: `Bearer ${controlToken}` };
    expect((await fetch(`${controlUrl}/clock`, { headers })).status).toBe(200);
    await listening.close();
  });
});
