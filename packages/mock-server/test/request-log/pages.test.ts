import { createRequire } from 'node:module';
import { Ajv, type AnySchemaObject } from 'ajv';
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { ControlError, createMock, type Mock, type RequestDetail } from '../../src/index.ts';
import { Caller } from '../../test-support/caller.ts';
import { useServer } from '../../test-support/control-server.ts';
import { data } from '../../test-support/data.ts';

const { caller, control, server } = useServer();
const unlimited = { rateLimit: 'off', monthlyLimit: 'off' } as const;
const tagChange = { action: 'create-tags', data: data.tags };

const detail = async (id: number | string): Promise<RequestDetail> => {
  const { status, body } = await control('GET', `/requests/${id}`);
  expect(status).toBe(200);
  return body as unknown as RequestDetail;
};

const post = (mock: Mock, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  mock.fetch(`${mock.baseUrl}/chat/read`, {
    method: 'POST',
    headers: { Authorization: 'Bearer demo-read-key', ...headers },
    body,
  });

describe('a page of the request log', () => {
  it('has the entries after an id, up to a limit', async () => {
    for (let n = 0; n < 5; n++) await caller.me();
    const ids = async (query: string): Promise<unknown> =>
      ((await control('GET', `/requests${query}`)).body.requests as { id: number }[]).map(({ id }) => id);
    const [one = 0] = (await ids('')) as number[];
    expect(await ids('')).toEqual([0, 1, 2, 3, 4].map((n) => one + n));
    expect(await ids(`?after=${one}&limit=2`)).toEqual([one + 1, one + 2]);
    expect(await ids(`?after=${one + 4}`)).toEqual([]);
    expect(await ids('?limit=100')).toHaveLength(5);
    expect(await ids('?after=0')).toHaveLength(5);
  });

  it.each([
    ['?limit=0', /limit must be at least 1/],
    ['?limit=', /limit must be of type/],
    ['?limit=ten', /limit must be of type/],
    ['?after=-1', /after must be at least 0/],
    ['?after=1.5', /after must be of type/],
    ['?after=1&after=2', /must not be repeated: after/],
    ['?before=1', /Unknown query parameters: before. This call accepts after, search, limit/],
  ])('refuses %s', async (query, message) => {
    const { status, body } = await control('GET', `/requests${query}`);
    expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
  });

  it('is refused in process like over HTTP', () => {
    const mock = createMock();
    expect(() => mock.requests.list({ limit: 0 })).toThrow(ControlError);
    expect(() => mock.requests.list({ first: 1 } as object)).toThrow(/unknown fields: first/);
  });
});

describe('ids of requests', () => {
  it('never repeat, over reset, restored states, clearing and sandboxes', async () => {
    const mock = createMock(unlimited);
    const seen: number[] = [];
    const ask = async (subject: Mock): Promise<void> => {
      await new Caller(subject).me();
      seen.push(subject.requests.list().at(-1)?.id ?? 0);
    };
    await ask(mock);
    mock.reset();
    await ask(mock);
    mock.restore(mock.state());
    await ask(mock);
    mock.requests.clear();
    await ask(mock);
    const sandbox = mock.sandbox();
    await ask(sandbox);
    await ask(mock);
    sandbox.reset();
    await ask(sandbox);
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(mock.requests.list({ after: 4 }).map(({ id }) => id)).toEqual([6]);
  });
});

describe('one request', () => {
  it('has headers with a masked key, and bodies as JSON', async () => {
    const operationId = crypto.randomUUID();
    const { body: answer } = await caller.change(operationId, tagChange, { headers: { 'X-Trace': 'a' } });
    const [entry] = (await control('GET', '/requests')).body.requests as RequestDetail[];
    const found = await detail(entry?.id ?? 0);
    expect(found).toEqual({
      ...entry,
      request: {
        query: '',
        headers: expect.objectContaining({ authorization: 'Bearer demo***ey', 'x-trace': 'a' }),
        body: { operationId, change: tagChange },
        bodyBytes: Buffer.byteLength(JSON.stringify({ operationId, change: tagChange })),
        bodyKept: 'complete',
      },
      response: {
        headers: { 'content-type': 'application/json', 'x-request-id': entry?.requestId },
        body: answer,
        bodyBytes: Buffer.byteLength(JSON.stringify(answer)),
        bodyKept: 'complete',
      },
    });
    expect(await detail(entry?.requestId ?? '')).toEqual(found);
    expect(JSON.stringify(found)).not.toContain('demo-write-key');
  });

  it('has the answers to a change and to its replays as they were sent', async () => {
    const mock = createMock(unlimited);
    const of = new Caller(mock);
    const operationId = crypto.randomUUID();
    const sent: unknown[] = [];
    for (let n = 0; n < 3; n++) sent.push((await of.change(operationId, tagChange)).body);
    sent.push((await of.change(crypto.randomUUID(), tagChange)).body);
    const logged = mock.requests.list().map(({ id }) => mock.requests.get(id).response);
    expect(logged.map((response) => response?.body)).toEqual(sent);
    expect(logged.map((response) => response?.bodyBytes)).toEqual(
      sent.map((body) => Buffer.byteLength(JSON.stringify(body))),
    );
    expect(sent).toMatchObject([
      { replayed: false },
      { replayed: true },
      { replayed: true },
      { replayed: false },
    ]);
  });

  it('has its own headers and bodies between requests that are equal and requests that are not', async () => {
    const mock = createMock(unlimited);
    const bodies = ['a', 'a', 'b', 'a'].map((search) => JSON.stringify({ resource: 'friends', search }));
    const clients = ['one', 'one', 'one', 'two'];
    for (const [n, body] of bodies.entries()) await post(mock, body, { 'X-Client': clients[n] ?? '' });
    const logged = mock.requests.list().map(({ id }) => mock.requests.get(id).request);
    expect(logged.map(({ body }) => JSON.stringify(body))).toEqual(bodies);
    expect(logged.map(({ headers }) => headers['x-client'])).toEqual(clients);
  });

  it('is the same in process, with other secrets masked too', async () => {
    const mock = createMock(unlimited);
    await post(mock, '{"resource":"tags"}', { Cookie: 'session=1', 'X-Api-Key': 'abc' });
    await mock.fetch(`${mock.baseUrl}/me?debug=1`, { headers: { Authorization: 'Basic dTpw' } });
    const [one, two] = mock.requests.list();
    expect(mock.requests.get(one?.id ?? 0).request).toMatchObject({
      headers: { authorization: 'Bearer demo***ey', cookie: '***', 'x-api-key': '***' },
      body: { resource: 'tags' },
    });
    expect(mock.requests.get(two?.requestId ?? '')).toMatchObject({
      request: {
        query: 'debug=1',
        headers: { authorization: '***' },
        body: null,
        bodyBytes: 0,
        bodyKept: 'complete',
      },
      response: { body: { error: 'UNAUTHORIZED' }, headers: { 'www-authenticate': 'Bearer' } },
    });
  });

  it('has a body that is not JSON as text', async () => {
    const mock = createMock(unlimited);
    await post(mock, 'name=日本');
    await post(mock, new Uint8Array([0x22, 0xff, 0x22]));
    await post(mock, '"text"');
    expect(mock.requests.list().map(({ id }) => mock.requests.get(id).request.body)).toEqual([
      'name=日本',
      '"\ufffd"',
      'text',
    ]);
  });

  it('has the response that a fault lost, and none if no response was made', async () => {
    const mock = createMock(unlimited);
    mock.faults.arm({ effect: 'lose-response' });
    mock.faults.arm({ effect: 'drop-request', after: 1 });
    for (let n = 0; n < 2; n++) await expect(new Caller(mock).me()).rejects.toThrow();
    const [lost, dropped] = mock.requests.list().map(({ id }) => mock.requests.get(id));
    expect(lost).toMatchObject({ answered: false, status: 200, response: { body: { plan: 'business' } } });
    expect(dropped).toMatchObject({ answered: false, status: null, response: null });
  });

  it('is 404 if the log does not have it, with the ids that it has', async () => {
    expect((await control('GET', '/requests/1')).body.message).toContain('The log is empty');
    await caller.me();
    for (const id of ['999', 'req-x', '%20', '1e3']) {
      const { status, body } = await control('GET', `/requests/${id}`);
      expect([status, body.message]).toEqual([404, expect.stringMatching(/The log has ids \d+ to \d+/)]);
    }
    const mock = createMock({ ...unlimited, requestLogSize: 1 });
    for (let n = 0; n < 2; n++) await new Caller(mock).me();
    expect(() => mock.requests.get(1)).toThrow(/It dropped 1 older entries: keep more/);
  });

  it('GET /requests/verify stays 405', async () => {
    expect((await control('GET', '/requests/verify')).status).toBe(405);
  });
});

it('the log keeps a limited part of large headers', async () => {
  await fetch(`${server.baseUrl}/me`, { headers: { 'X-Large': 'x'.repeat(9_000), Accept: 'text/plain' } });
  const [entry] = (await control('GET', '/requests')).body.requests as RequestDetail[];
  const { headers } = (await detail(entry?.id ?? 0)).request;
  expect(headers).toMatchObject({ 'x-large': 'x'.repeat(200), accept: 'text/plain' });
});

it('the log as a text has a line per request, and why if it did not succeed', async () => {
  await caller.apply(tagChange);
  await caller.as('').me();
  const response = await fetch(`${server.controlUrl}/requests.txt`);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await response.text()).toMatch(
    /^Requests .*:\n.* create-tags 200, applied\n.* getAccount 401 UNAUTHORIZED\n {4}\S.*\.$/,
  );
});

describe('the HTTP archive', () => {
  const ajv = new Ajv({ strict: false });
  ajv.addMetaSchema(draft06);
  formats.default(ajv);
  const harSchemas = createRequire(import.meta.url)('har-schema') as Record<string, AnySchemaObject>;
  for (const schema of Object.values(harSchemas)) ajv.addSchema(schema);
  const isHar = ajv.compile({ $ref: 'har.json#' });

  it('is valid HAR 1.2, with lost and refused requests', async () => {
    await caller.apply(tagChange);
    await caller.as('').me();
    await control('POST', '/faults', { effect: 'drop-request' });
    await expect(caller.me()).rejects.toThrow();
    const { status, body } = await control('GET', '/requests.har');
    expect(status).toBe(200);
    isHar(body);
    expect(isHar.errors).toBeNull();
    const { entries } = body.log as {
      entries: { request: Record<string, unknown>; response: Record<string, unknown> }[];
    };
    expect(entries.map(({ request, response }) => [request.method, response.status])).toEqual([
      ['POST', 200],
      ['GET', 401],
      ['GET', 0],
    ]);
    expect(entries[0]?.request).toMatchObject({
      url: expect.stringMatching(/\/api\/v1\/chat\/changes$/),
      postData: { text: expect.stringContaining('create-tags') },
    });
    expect(JSON.stringify(body)).not.toContain('demo-write-key');
    isHar({ log: { ...(body.log as object), version: 1 } });
    expect(isHar.errors).not.toBeNull();
  });
});
