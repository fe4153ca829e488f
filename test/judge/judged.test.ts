import { createMock, demoKeys } from '@orgchat/mock-server';
import { describe, expect, it } from 'vitest';
import { judged, Violation } from './judged.ts';

const mock = createMock({ rateLimit: 'off' });
const at = (path: string): string => `${mock.baseUrl}${path}`;
const authorized = { headers: { authorization: `Bearer ${demoKeys.write}` } };

/** A server that answers everything alike. */
const always = (status: number, body: unknown, headers: Record<string, string> = {}): typeof fetch =>
  judged(async () =>
    Response.json(body, {
      status,
      headers: { 'content-type': 'application/json', 'x-request-id': 'req-1', ...headers },
    }),
  );

describe('the second judge', () => {
  it('lets the answers of the mock pass, and leaves them readable', async () => {
    const response = await judged(mock.fetch)(at('/me'), authorized);
    expect(response.status).toBe(200);
    expect(await response.json()).toHaveProperty('organizationId', 'org_demo');
  });

  it('lets the refusals of the mock pass', async () => {
    const fetch = judged(mock.fetch);
    const post = { ...authorized, method: 'POST', body: '{}' };
    expect((await fetch(at('/me'))).status).toBe(401);
    expect((await fetch(at('/chat/changes'), post)).status).toBe(400);
    expect((await fetch(at('/sites/no-site/keywords'), { ...post, body: '{"keywords":["x"]}' })).status).toBe(
      404,
    );
    expect((await fetch(at('/nothing'))).status).toBe(404);
    expect((await fetch(at('/me'), { method: 'PUT' })).status).toBe(405);
  });

  it('[4.1.9] rejects a success that lacks a field', async () => {
    await expect(always(200, { organizationId: 'org' })(at('/me'))).rejects.toThrow(/plan|key/);
  });

  it('[7.1.1] rejects an error without its body', async () => {
    await expect(always(401, { error: 'UNAUTHORIZED' })(at('/me'))).rejects.toThrow(Violation);
  });

  it('rejects a status the operation does not declare', async () => {
    const refused = { error: 'STALE_REVISION', message: 'Stale.' };
    await expect(always(409, refused)(at('/me'))).rejects.toThrow(/does not declare/);
    const changes = always(409, refused)(at('/chat/changes'), { method: 'POST' });
    await expect(changes).resolves.toHaveProperty('status', 409);
  });

  it('[7.2.12] rejects an answer without X-Request-Id', async () => {
    const fetch = always(401, { error: 'UNAUTHORIZED', message: 'No key.' }, { 'x-request-id': '' });
    await expect(fetch(at('/me'))).rejects.toThrow(/X-Request-Id/);
  });

  it('takes no interest in other paths, nor in a body that breaks off', async () => {
    const fetch = judged(mock.fetch);
    expect((await fetch(`${mock.controlUrl}/health`)).status).toBe(200);
    mock.faults.arm({ operation: 'getAccount', effect: 'cut-response' });
    const cut = await fetch(at('/me'), authorized);
    await expect(cut.text()).rejects.toThrow();
  });
});
