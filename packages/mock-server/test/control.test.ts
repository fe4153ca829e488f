import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMock, type Listening, type Mock } from '../src/index.ts';
import { Caller, guardOf } from './caller.ts';
import { data, shop, vip } from './data.ts';

const tagChange = { action: 'create-tags', data: data.tags };

let mock: Mock;
let server: Listening;
let caller: Caller;

beforeEach(async () => {
  mock = createMock({ rateLimit: 'off' });
  server = await mock.listen({ port: 0 });
  caller = new Caller({ baseUrl: server.baseUrl, fetch });
});
afterEach(() => server.close());

interface Answered {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function control(method: string, path: string, body?: unknown): Promise<Answered> {
  const response = await fetch(`${server.controlUrl}${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('the control API', () => {
  it('says that it is ready, and what runs here', async () => {
    expect(await control('GET', '/health')).toEqual({ status: 200, body: { status: 'ready' } });
    const about = (await (await fetch(`${server.url}/`)).json()) as { tryThis: string };
    expect(about).toMatchObject({ baseUrl: server.baseUrl, controlUrl: server.controlUrl });
    expect(about.tryThis).toBe(`curl -H 'Authorization: Bearer demo-write-key' ${server.baseUrl}/me`);
    const seed = { organizations: [{ id: 'o', keys: [{ key: 'k', name: 'K', scope: 'read' as const }] }] };
    const own = await (await createMock({ seed }).fetch('http://any.host/')).json();
    expect(own).toMatchObject({ keys: [{ name: 'K' }], tryThis: expect.stringContaining('Bearer KEY') });
    const document = await fetch(`${server.url}/openapi.yaml`);
    expect(await document.text()).toContain('openapi: 3.1.0');
    expect(document.headers.get('x-request-id')).toBeTruthy();
  });

  it('resets state, clock, limits, faults and journal', async () => {
    await caller.apply(tagChange);
    await control('POST', '/faults', { effect: 'respond', status: 500 });
    await control('POST', '/clock', { advanceMs: 60_000, frozen: true });
    await control('PATCH', '/organization', { plan: 'starter' });
    expect(await control('POST', '/reset')).toEqual({ status: 200, body: { ok: true } });
    expect((await caller.me()).body).toMatchObject({ plan: 'business', api: { used: 1 } });
    expect((await control('GET', '/faults')).body).toEqual({ faults: [] });
    expect((await control('GET', '/requests')).body.requests).toHaveLength(1);
    expect((await control('GET', '/operations')).body).toEqual({ operations: [] });
    expect((await control('GET', '/clock')).body.frozen).toBe(false);
  });

  it('saves a state and restores it whole', async () => {
    const id = crypto.randomUUID();
    const made = await caller.change(id, tagChange);
    const friend = await caller.first('friends');
    const person = { accountId: friend.accountId, userId: friend.userId };
    await caller.apply({ action: 'set-friend-tags', ...person, ...guardOf(friend), tagIds: [vip] });
    await caller.keywords('demo-site', { keywords: ['kept'], group: 'g' });
    await control('PATCH', '/keys/demo-read-key', { accountIds: [shop] });
    const everything = async () => [
      (await caller.read({ resource: 'tags' })).body,
      (await caller.read({ resource: 'friends' })).body,
      (await caller.read({ resource: 'conversations' })).body,
      (await caller.as('demo-read-key').read({ resource: 'friends' })).body,
      (await caller.studio({ resource: 'projects' })).body,
      (await control('GET', '/audit')).body,
      (await control('GET', '/notifications')).body,
      (await control('GET', '/operations')).body,
      (await control('GET', '/sites/demo-site/keywords')).body,
    ];
    const before = await everything();
    const { body: state } = await control('GET', '/state');
    await control('POST', '/reset');
    expect(await everything()).not.toEqual(before);
    expect(await control('PUT', '/state', state)).toEqual({ status: 200, body: { ok: true } });
    expect((await control('GET', '/state')).body).toEqual({ ...state, savedAt: expect.any(String) });
    expect(await everything()).toEqual(before);
    expect((await caller.change(id, tagChange)).body).toEqual({ ...made.body, replayed: true });
  });

  it('refuses a state that does not fit, and changes nothing', async () => {
    const made = (await caller.apply(tagChange)).body.result;
    const { body: state } = await control('GET', '/state');
    const [organization] = state.organizations as Record<string, unknown>[];
    const broken = [
      {},
      { format: 'orgchat-state' },
      { ...state, version: 2 },
      { ...state, extra: 1 },
      { ...state, organizations: [] },
      { ...state, organizations: [{ ...organization, tags: [{ name: 'x', color: 'red' }] }] },
      { ...state, organizations: [{ ...organization, accounts: [] }] },
      { ...state, organizations: [organization, organization] },
      { ...state, organizations: [{ ...organization, plan: 'none' }] },
    ];
    for (const given of broken) {
      const { status, body } = await control('PUT', '/state', given);
      expect({ status, error: body.error }).toEqual({ status: 400, error: 'INVALID_INPUT' });
      expect(String(body.message).length).toBeGreaterThan(5);
    }
    expect((await caller.first('tags')).id).toBe(made.id);
    expect((await fetch(`${server.controlUrl}/state`, { method: 'PUT', body: '[' })).status).toBe(400);
  });

  it('changes organization and keys, and refuses what it does not know', async () => {
    const patched = await control('PATCH', '/organization', {
      plan: 'starter',
      runtime: 'down',
      studio: false,
    });
    expect(patched.body).toMatchObject({ plan: 'starter', runtime: 'down', studio: false, deleted: false });
    const key = await control('PATCH', '/keys/demo-read-key', {
      scope: 'write',
      accountIds: [shop.toUpperCase()],
    });
    expect(key.body).toMatchObject({ scope: 'write', accountIds: [shop], organizationId: 'org_demo' });
    expect((await control('PATCH', '/keys/nobody', {})).status).toBe(404);
    for (const [path, body] of [
      ['/organization', { plan: 'gold' }],
      ['/organization', { runtime: true }],
      ['/organization', { name: 'x' }],
      ['/keys/demo-read-key', { scope: 'admin' }],
      ['/keys/demo-read-key', { accountIds: [crypto.randomUUID()] }],
      ['/keys/demo-read-key', { key: 'x' }],
    ] as const) {
      const answer = await control('PATCH', path, body);
      expect({ path, body, status: answer.status }).toEqual({ path, body, status: 400 });
    }
  });

  it('arms faults, and says what is wrong with one, and where', async () => {
    const armed = await control('POST', '/faults', {
      effect: 'uncertain',
      applied: false,
      resolve: { afterRequests: 1 },
    });
    expect(armed).toMatchObject({
      status: 201,
      body: { id: 'fault-1', effect: 'uncertain', after: 0, times: 1, hits: [] },
    });
    const refused: [object, string][] = [
      [{ effect: 'explode' }, 'effect'],
      [{}, 'effect'],
      [{ effect: 'delay' }, 'delayMs'],
      [{ effect: 'delay', delayMs: -1 }, 'delayMs'],
      [{ effect: 'delay', delayMs: 1, status: 500 }, 'status'],
      [{ effect: 'drop-request', operation: 'getMe' }, 'operation'],
      [{ effect: 'drop-request', times: 0 }, 'times'],
      [{ effect: 'drop-request', after: 1.5 }, 'after'],
      [{ effect: 'drop-request', action: 'create-tag' }, 'action'],
      [{ effect: 'drop-request', resource: 'tag' }, 'resource'],
      [{ effect: 'respond' }, 'status'],
      [{ effect: 'respond', status: 503 }, 'status'],
      [{ effect: 'respond', status: 409, operation: 'readChat' }, 'status'],
      [{ effect: 'respond', status: 404, operation: 'getAccount' }, 'status'],
      [{ effect: 'uncertain', resolve: 'soon' }, 'resolve'],
      [{ effect: 'uncertain', answer: 404 }, 'answer'],
      [{ effect: 'uncertain', operation: 'readChat' }, 'operation'],
      [{ effect: 'skip-audit', operation: 'getAccount' }, 'operation'],
    ];
    for (const [fault, where] of refused) {
      const { status, body } = await control('POST', '/faults', fault);
      expect({ fault, status }).toEqual({ fault, status: 400 });
      expect(body.message, JSON.stringify(fault)).toContain(where);
    }
    expect(
      (await control('POST', '/faults', { effect: 'respond', status: 503, undeclared: true })).status,
    ).toBe(201);
    expect((await caller.me()).status).toBe(503);
    expect((await control('DELETE', '/faults/fault-1')).body).toEqual({ disarmed: 1 });
    expect((await control('DELETE', '/faults')).body).toEqual({ disarmed: 1 });
    expect((await caller.me()).status).toBe(200);
  });

  it.each([
    [{ effect: 'drop-request', action: 'create-tags', resource: 'forms' }, 'resource must be tags:'],
    [{ effect: 'skip-audit', resource: 'messages' }, 'resource must be one of tags, templates, '],
    [{ effect: 'rival-edit', action: 'create-tags' }, 'action must be one of update-tags, '],
    [{ effect: 'rival-edit', resource: 'friend-automations' }, 'resource must be one of tags, '],
    [{ effect: 'uncertain', operation: 'readChat' }, 'operation must be changeChat:'],
    [
      { effect: 'delay', delayMs: 1, operation: 'getAccount', resource: 'tags' },
      'resource can only be named',
    ],
    [
      { effect: 'drop-request', operation: 'readChat', action: 'create-tags' },
      'where operation is changeChat:',
    ],
    [
      { effect: 'drop-request', operation: 'readChat', resource: 'projects' },
      'resource must be one of accounts',
    ],
    [{ effect: 'drop-request', action: 'delete-configuration', resource: 'rich-menus' }, 'resource must be'],
    [{ effect: 'respond', status: 502, resource: 'messages' }, '502 is not declared by readChat'],
    [{ effect: 'uncertain', resolve: {} }, 'resolve must be "never", { "afterRequests": n } or'],
    [{ effect: 'respond', status: 429, retryAfter: {} }, 'retryAfter must be a number, or text'],
    [{ effect: 'respond', status: 201, undeclared: true }, 'status must be at least 202'],
    [{ effect: 'respond', status: 204 }, '204 is not declared by getAccount, '],
    [{ effect: 'drop-request', key: 'demo-wirte-key' }, 'key is none that this mock knows'],
  ] as const)('refuses a fault that could never hit or is none: %j', async (fault, why) => {
    const { status, body } = await control('POST', '/faults', fault);
    expect({ status, message: body.message }).toEqual({ status: 400, message: expect.stringContaining(why) });
    expect(body.message).not.toContain('demo-wirte-key');
    expect((await control('GET', '/faults')).body).toEqual({ faults: [] });
  });

  it('a status is only answered where the operation declares it', async () => {
    await control('POST', '/faults', { effect: 'respond', status: 409 });
    expect((await caller.me()).status).toBe(200);
    expect((await caller.read({ resource: 'tags' })).status).toBe(200);
    expect((await caller.apply(tagChange)).status).toBe(409);
  });

  it('keeps of long texts in requests no more than shows what they were', async () => {
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
      { path: `/${long.slice(0, 199)}…` },
      { operationId: `${long.slice(0, 200)}…`, action: `${long.slice(0, 200)}…` },
      { resource: `${long.slice(0, 200)}…` },
    ]);
    expect(JSON.stringify(own.requests.list()).length).toBeLessThan(3_000);
  });

  it('shows the journal, masked, and verifies it', async () => {
    const made = (await caller.apply(tagChange)).body.result;
    await caller.apply({ action: 'update-tags', id: made.id, ...guardOf(made), data: data.tags });
    await caller.as('demo-read-key').apply(tagChange);
    await caller.as('').me();
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
    const verify = (expected: object) => control('POST', '/requests/verify', expected);
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
    await control('DELETE', '/requests');
    expect((await control('GET', '/requests')).body).toEqual({ requests: [] });
    expect((await verify({ times: 0 })).status).toBe(200);
  });

  it('moves and stops the clock', async () => {
    const at = async () => (await control('GET', '/clock')).body;
    await control('POST', '/clock', { now: '2026-05-01T00:00:00.000Z', frozen: true });
    expect(await at()).toEqual({
      now: Date.parse('2026-05-01T00:00:00.000Z'),
      iso: '2026-05-01T00:00:00.000Z',
      frozen: true,
    });
    await control('POST', '/clock', { advanceMs: 1_500 });
    expect((await at()).iso).toBe('2026-05-01T00:00:01.500Z');
    expect((await caller.apply(tagChange)).body.result.createdAt).toBe('2026-05-01T00:00:01.500Z');
    await control('POST', '/clock', { now: 0 });
    expect((await at()).iso).toBe('1970-01-01T00:00:00.000Z');
    for (const body of [
      { now: 'x' },
      { advanceMs: -1 },
      { frozen: 'yes' },
      { speed: 2 },
      { advanceMs: 1e18 },
      { now: 1e17 },
    ]) {
      const { status } = await control('POST', '/clock', body);
      expect({ body, status }).toEqual({ body, status: 400 });
    }
    expect((await control('POST', '/clock', { now: true })).body.message).toBe(
      'now must be milliseconds since 1970, or a date and time.',
    );
    expect((await at()).frozen).toBe(true);
  });

  it('[1.4, 10.1] has its API below the version prefix and nowhere else', async () => {
    const headers = { Authorization: 'Bearer demo-write-key' };
    expect((await fetch(`${server.url}/api/v1/me`, { headers })).status).toBe(200);
    const elsewhere = await fetch(`${server.url}/me`, { headers });
    expect(elsewhere.status).toBe(404);
    expect(await elsewhere.json()).toMatchObject({ error: 'NOT_FOUND' });
  });

  it('makes sandboxes, each a world of its own, and forgets them', async () => {
    await caller.apply(tagChange);
    const make = async (body?: unknown) =>
      (await control('POST', '/sandboxes', body)).body as { id: string; baseUrl: string; controlUrl: string };
    const one = await make();
    const two = await make({});
    const inside = new Caller({ baseUrl: one.baseUrl, fetch });
    expect((await inside.read({ resource: 'tags' })).body.total).toBe(3);
    await inside.apply(tagChange);
    await inside.apply(tagChange);
    expect((await new Caller({ baseUrl: two.baseUrl, fetch }).read({ resource: 'tags' })).body.total).toBe(3);
    expect((await caller.read({ resource: 'tags' })).body.total).toBe(4);
    const journal = (await (await fetch(`${one.controlUrl}/requests`)).json()) as { requests: unknown[] };
    expect(journal.requests).toHaveLength(3);
    const state = await (await fetch(`${one.controlUrl}/state`)).json();
    const three = await make({ state });
    expect((await new Caller({ baseUrl: three.baseUrl, fetch }).read({ resource: 'tags' })).body.total).toBe(
      5,
    );
    expect((await control('POST', '/sandboxes', { state: {} })).status).toBe(400);
    expect((await control('DELETE', `/sandboxes/${one.id}`)).status).toBe(200);
    expect((await inside.me()).status).toBe(404);
    expect((await fetch(`${one.controlUrl}/health`)).status).toBe(404);
    expect((await control('DELETE', `/sandboxes/${one.id}`)).status).toBe(404);
  });

  it('answers 404 and 405 in the error body', async () => {
    expect(await control('GET', '/nothing')).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
    expect(await control('DELETE', '/reset')).toMatchObject({
      status: 405,
      body: { error: 'METHOD_NOT_ALLOWED' },
    });
    expect((await control('GET', '/sites/nowhere/keywords')).status).toBe(404);
  });
});
