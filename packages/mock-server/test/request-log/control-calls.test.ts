import { describe, expect, it } from 'vitest';
import { createMock } from '../../src/index.ts';
import { createGuard, type Item } from '../../test-support/caller.ts';
import { useServer } from '../../test-support/control-server.ts';
import { data } from '../../test-support/data.ts';

const { caller, control } = useServer();
const tagChange = { action: 'create-tags', data: data.tags };

describe('the control API', () => {
  it('truncates long texts of requests', async () => {
    const long = 'x'.repeat(100_000);
    const own = createMock();
    const post = (path: string, key: string, body: object): Promise<Response> =>
      own.fetch(`${own.baseUrl}${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}` },
        body: JSON.stringify(body),
      });
    await post(`/${long}?${long}`, long, {});
    await post('/chat/changes', long, { operationId: long, change: { action: long } });
    await post('/chat/read', 'demo-read-key', { resource: long });
    expect(own.requests.list()).toMatchObject([
      { path: expect.stringMatching(/^\/x{199}…[0-9a-f]{16}$/) },
      { operationId: expect.stringMatching(/^x{200}…[0-9a-f]{16}$/), action: `${long.slice(0, 200)}…` },
      { resource: `${long.slice(0, 200)}…` },
    ]);
    expect(JSON.stringify(own.requests.list()).length).toBeLessThan(3_500);
  });

  const send = async (): Promise<Item> => {
    const made = (await caller.apply(tagChange)).body.result;
    await caller.apply({ action: 'update-tags', id: made.id, ...createGuard(made), data: data.tags });
    await caller.as('demo-read-key').apply(tagChange);
    await caller.as('').me();
    return made;
  };
  const verify = (expected: object) => control('POST', '/requests/verify', expected);

  it('shows the request log with masked keys', async () => {
    const made = await send();
    const { body } = await control('GET', '/requests');
    const requests = body.requests as Record<string, unknown>[];
    expect(requests).toMatchObject([
      {
        operation: 'changeChat',
        action: 'create-tags',
        status: 200,
        applied: true,
        revisionBefore: null,
        revisionAfter: made.revision,
      },
      { action: 'update-tags', revisionBefore: made.revision, answered: true, replayOf: null },
      { status: 403, error: 'FORBIDDEN', applied: false, keyName: 'Demo read key' },
      { operation: 'getAccount', key: null, status: 401 },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/demo-(write|read)-key/);
  });

  it('verifies requests, and names the nearest', async () => {
    await send();
    expect(await verify({ action: 'create-tags', status: 200, times: 1 })).toEqual({
      status: 200,
      body: { ok: true },
    });
    expect((await verify({ operation: 'changeChat', key: 'demo-write-key', times: 2 })).status).toBe(200);
    const missed = await verify({ action: 'create-tags', key: 'demo-viewer-key', status: 403, times: 1 });
    expect(missed).toMatchObject({ status: 409, body: { expected: 1, count: 0 } });
    const [near] = missed.body.nearMisses as { missed: string[]; request: Record<string, unknown> }[];
    expect(near).toMatchObject({ missed: ['key'], request: { status: 403, action: 'create-tags' } });
    expect((await verify({ times: -1 })).status).toBe(400);
    expect((await verify({ method: 'GET', times: 1 })).status).toBe(400);
  });

  it('clears the request log', async () => {
    await send();
    await control('DELETE', '/requests');
    expect((await control('GET', '/requests')).body).toEqual({
      requests: [],
      dropped: { entries: 0, bodies: 0 },
    });
    expect((await verify({ times: 0 })).status).toBe(200);
  });
});
