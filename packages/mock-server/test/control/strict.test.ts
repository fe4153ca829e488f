import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { getBodyLimit } from '../../src/control/call.ts';
import { controlCalls } from '../../src/control/calls.ts';
import { createMock } from '../../src/index.ts';
import { maxBodyBytes, stateBytes } from '../../src/mock-limits.ts';
import { useServer } from '../../test-support/control-server.ts';

const { control, server } = useServer();

interface Sent {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Makes one call with a body, also if its method usually has none. */
function send(
  method: string,
  path: string,
  parts: readonly (string | Buffer)[],
  contentType = 'application/json',
): Promise<Sent> {
  const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  return new Promise((resolve, reject) => {
    const call = request(
      `${server.controlUrl}${path}`,
      { method, headers: { 'Content-Length': length, 'Content-Type': contentType } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (more: string) => {
          text += more;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as Record<string, unknown> }),
        );
      },
    );
    call.on('error', reject);
    for (const part of parts) call.write(part);
    call.end();
  });
}

const identifiers: Readonly<Record<string, string>> = {
  '{key}': 'demo-read-key',
  '{id}': 'fault-1',
  '{siteId}': 'demo-site',
};
const routes = Object.values(controlCalls).map((route) => ({
  ...route,
  bodyBytes: getBodyLimit(route),
  call: route.path.replace(/\{\w+\}/, (name) => identifiers[name] ?? name),
}));

/** The expected message: the unknown field, or the missing field that selects the variant. */
const shapeOrField = /nobodyHasThis|no "organizations"|effect is required/;

const piece = Buffer.alloc(2 ** 20, ' ');
/** A body of at least this size. It is the same megabyte again and again. */
const pieces = (bytes: number): Buffer[] => Array.from({ length: Math.ceil(bytes / 2 ** 20) }, () => piece);

describe('every control call', () => {
  const everything = async () => [
    (await control('GET', '/faults')).body,
    (await control('GET', '/clock')).body.frozen,
    { ...(await control('GET', '/state')).body, savedAt: '' },
  ];

  it.each(routes)('$method $path rejects an unreadable body and changes nothing', async (route) => {
    await control('POST', '/faults', { effect: 'drop-request' });
    await control('POST', '/clock', { now: 0, frozen: true });
    const before = await everything();
    const { method, call } = route;
    const malformed = await send(method, call, ['{']);
    expect(malformed).toMatchObject({ status: 400, body: { error: 'INVALID_INPUT' } });
    expect((await send(method, call, ['[]'])).status).toBe(400);
    const unknown = await send(method, call, ['{"nobodyHasThis":1}']);
    expect(unknown.status).toBe(400);
    expect(unknown.body.message).toMatch(
      route.bodyBytes === undefined ? /does not accept a body/ : shapeOrField,
    );
    // What would have worked: the fields of the body, or those of the variant that a field selects.
    const given = 'body' in route ? route.body : undefined;
    const schema = typeof given === 'function' ? given() : given;
    const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    for (const name of fields) expect(unknown.body.message).toContain(name);
    const form = await send(method, call, ['a=b'], 'application/x-www-form-urlencoded');
    expect(form.status).toBe(400);
    expect(form.body.message).toMatch(
      route.bodyBytes === undefined ? /does not accept a body/ : /not JSON\. Send a JSON object/,
    );
    const queried = await send(method, `${call}?nobodyHasThis=1`, []);
    expect(queried.status).toBe(400);
    expect(queried.body.message).toContain('nobodyHasThis');
    const parameters =
      'query' in route ? Object.keys(route.query().shape) : ['does not accept query parameters'];
    for (const name of parameters) expect(queried.body.message).toContain(name);
    const nested = `{"nobodyHasThis":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    expect((await send(method, call, [nested])).status).toBe(400);
    expect(await everything()).toEqual(before);
  });

  it.each(routes.filter(({ bodyBytes }) => bodyBytes !== stateBytes))(
    '$method $path rejects a body above its limit and changes nothing',
    async ({ method, call }) => {
      const before = await everything();
      expect(await send(method, call, pieces(maxBodyBytes + 1))).toMatchObject({
        status: 413,
        body: {
          error: 'BODY_TOO_LARGE',
          maxBytes: maxBodyBytes,
          message: expect.stringContaining('/state'),
        },
      });
      expect(await everything()).toEqual(before);
    },
  );

  it.each(routes.filter(({ bodyBytes }) => bodyBytes === stateBytes))(
    '$method $path accepts a larger body, up to its own limit',
    async ({ method, call }) => {
      expect(await send(method, call, pieces(stateBytes + 1))).toMatchObject({
        status: 413,
        body: { error: 'BODY_TOO_LARGE', maxBytes: stateBytes, message: expect.stringContaining('--seed') },
      });
    },
  );

  it('accepts an empty object as no body', async () => {
    for (const path of ['/reset', '/sandboxes'])
      expect((await send('POST', path, ['{}'])).status).toBeLessThan(300);
    expect((await send('GET', '/health', ['{}'])).status).toBe(200);
  });
});

describe('the content type of a body', () => {
  it('does not matter: JSON is read as curl sends it by default', async () => {
    const sent = await send('PATCH', '/limits', ['{"rateLimit":7}'], 'application/x-www-form-urlencoded');
    expect(sent).toMatchObject({ status: 200, body: { rateLimit: 7 } });
  });
});

describe('an unknown field inside a field', () => {
  it.each([
    ['POST', '/sandboxes', { from: { requestId: 1, at: 2 } }, 'It accepts requestId.'],
    ['POST', '/requests/verify', { times: { least: 1 } }, 'It accepts atLeast, atMost.'],
    ['POST', '/faults', { effect: 'respond', status: 503, code: 1 }, 'status'],
  ])('of %s %s %j is refused with what works', async (method, path, body, accepted) => {
    const answer = await control(method, path, body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(accepted);
  });
});

describe('a body with several problems', () => {
  it('lists all of them, unknown fields first', async () => {
    const misspelt = await control('POST', '/faults', { effect: 'delay', delayms: 5, times: 0 });
    expect(misspelt.body.message).toBe(
      'The body has unknown fields: delayms. It accepts effect, operation, action, resource, key, after, times, probability, delayMs, applied. times must be at least 1. delayMs is required.',
    );
    const clock = await control('POST', '/clock', { advanceMs: -1, frozen: 'yes', speed: 2 });
    for (const name of ['advanceMs', 'frozen', 'speed']) expect(clock.body.message).toContain(name);
    const key = await control('PATCH', '/keys/demo-read-key', { scope: 'admin', revoked: 1, key: 'x' });
    for (const name of ['scope', 'revoked', 'key']) expect(key.body.message).toContain(name);
  });

  it('is described in a message of limited length', async () => {
    const names = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`unknown-${n}`, n]));
    const long = { ['x'.repeat(100_000)]: 1 };
    const state = (await control('GET', '/state')).body;
    for (const [method, path, body] of [
      ['POST', '/faults', { effect: 'drop-request', ...names }],
      ['POST', '/faults', { effect: 'drop-request', ...long }],
      ['PATCH', '/organization', names],
      ['PUT', '/state', { ...state, ...names }],
      ['POST', '/edit', { resource: 'friends', id: 'x', data: {}, ...names }],
      ['POST', `/clock?${'x'.repeat(10_000)}`, {}],
    ] as const) {
      const answer = await control(method, path, body);
      expect(answer.status).toBe(400);
      expect(String(answer.body.message).length).toBeLessThan(2_000);
    }
    const own = createMock();
    const api = await own.fetch(`${own.baseUrl}/chat/read`, {
      method: 'POST',
      headers: { Authorization: 'Bearer demo-write-key' },
      body: JSON.stringify({ resource: 'tags', ...names }),
    });
    const { message } = (await api.json()) as { message: string };
    expect(message).toMatch(/unknown fields: unknown-0, .* and 19990 more\.$/);
  });

  it('names the effects if there is none', async () => {
    expect((await control('POST', '/faults')).body.message).toMatch(
      /^effect is required\. It must be one of drop-request, lose-response, /,
    );
    expect((await control('POST', '/faults', { effect: 'explode' })).body.message).toMatch(
      /^effect must be one of drop-request, /,
    );
  });
});

it('an error in the mock is answered 500, and reported', async () => {
  const errors: unknown[] = [];
  let isBroken = false;
  const planted = new Error('planted');
  const now = (): number => {
    if (isBroken) throw planted;
    return 0;
  };
  const listening = await createMock({ now, onError: (error) => errors.push(error) }).listen({ port: 0 });
  isBroken = true;
  const response = await fetch(`${listening.controlUrl}/clock`);
  isBroken = false;
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({
    error: 'INTERNAL_ERROR',
    message: expect.stringContaining('failed'),
  });
  expect(errors).toEqual([planted]);
  await listening.close();
});

it('a state with an operation result of too many levels is refused', async () => {
  const result = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
  const operation = `{"state":"applied","operationId":"6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21","input":"x","action":"create-tags","requestId":"r","createdAt":"2026-01-01T00:00:00Z","answer":{"auditRecorded":true,"result":${result}}}`;
  const state = `{"organizations":[{"id":"o","operations":[${operation}]}]}`;
  expect(await send('PUT', '/state', [state])).toMatchObject({
    status: 400,
    body: { message: 'The body must have at most 100 levels of objects and lists.' },
  });
});
