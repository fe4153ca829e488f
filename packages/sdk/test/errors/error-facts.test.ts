import { inspect } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { type ClientEvent, memoryJournal, OrgChatError, OutcomeUnknownError } from '../../src/index.ts';
import { getRejection } from '../../test-support/rejection.ts';
import {
  failure,
  html,
  json,
  lost,
  record,
  refusedConnection,
  type Step,
  scripted,
} from '../../test-support/servers/scripted.ts';

const vip = { name: 'VIP', color: 'pink' } as const;
const apiKey = 'test-key-1234567890';

describe('outcome', () => {
  test.each([
    ['refused', failure(400, 'INVALID_INPUT')],
    ['refused', failure(404, 'NOT_FOUND')],
    ['abandoned', refusedConnection],
    ['unknown', lost],
    ['unknown', failure(409, 'OPERATION_UNCERTAIN')],
  ])('%s: error, cause, journal and event agree (%#)', async (outcome, step) => {
    const events: ClientEvent[] = [];
    const { client } = scripted([step], { retry: false, onEvent: (event) => events.push(event) });
    const error = await getRejection(client.tags.create(vip));
    expect(error.outcome).toBe(outcome);
    if (error.cause instanceof OrgChatError) expect(error.cause.outcome).toBe(outcome);
    expect(await client.operations.list()).toMatchObject([{ state: outcome }]);
    expect(events.at(-1)).toMatchObject({ type: 'outcome', outcome });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ outcome });
  });

  test('is undefined for a read, and for the read of an edit', async () => {
    const { client } = scripted([failure(404, 'NOT_FOUND')]);
    for (const call of [client.tags.get(record.id), client.tags.edit(record.id, (data) => data)])
      expect((await getRejection(call)).outcome).toBeUndefined();
  });

  test('is abandoned if the write never began', async () => {
    const { client, sent } = scripted([failure(400, 'INVALID_INPUT')]);
    const journal = Object.assign(memoryJournal(), { add: () => Promise.reject(new Error('disk full')) });
    const calls = [
      client.tags.create(vip, { operationId: 'no uuid' }),
      client.tags.create(vip, { signal: AbortSignal.abort() }),
      client.with({ journal }).tags.create(vip),
    ];
    for (const call of calls) expect((await getRejection(call)).outcome).toBe('abandoned');
    await client.operations.drain();
    expect((await getRejection(client.tags.create(vip))).outcome).toBe('abandoned');
    expect(sent).toEqual([]);
  });

  test('is refused if the journal knows the intent with other input', async () => {
    const { client, sent } = scripted([lost], { retry: false });
    await getRejection(client.tags.create(vip, { intent: ['once'] }));
    const error = await getRejection(client.tags.create({ ...vip, name: 'Other' }, { intent: ['once'] }));
    expect(error).toMatchObject({ code: 'INPUT_CONFLICT', outcome: 'refused' });
    expect(sent).toHaveLength(1);
  });
});

describe('headers and bodyStart', () => {
  const page: Step = () =>
    new Response(`<h1>default backend - 404 for ${apiKey}</h1>${'x'.repeat(500)}`, {
      status: 404,
      headers: { 'set-cookie': 'session=secret', 'x-seen': apiKey, via: 'gateway' },
    });

  test('are there, without cookies and key, and are not in what is logged', async () => {
    const error = await getRejection(scripted([page], { retry: false }).client.account());
    expect(error.headers?.get('via')).toBe('gateway');
    expect(error.headers?.get('x-seen')).toBe('[api key]');
    expect(error.headers?.has('set-cookie')).toBe(false);
    expect(error.bodyStart).toHaveLength(200);
    expect(error.bodyStart).toMatch(/^<h1>default backend - 404 for \[api key\]<\/h1>x/);
    expect(error.message).toContain('The answer did not come from this API');
    for (const text of [inspect(error), JSON.stringify(error), Object.keys(error).join()])
      expect(text).not.toMatch(/default backend|via|headers(?!\.)/);
  });

  test('a key at the cut leaves no part of it', async () => {
    const step: Step = () => new Response(`${'x'.repeat(190)}${apiKey}`, { status: 503 });
    const error = await getRejection(scripted([step], { retry: false }).client.account());
    expect(error.bodyStart).not.toContain(apiKey.slice(0, 8));
  });

  test('a character at the cut is left out', async () => {
    const step: Step = () => new Response(`${'x'.repeat(199)}😀`, { status: 503 });
    const error = await getRejection(scripted([step], { retry: false }).client.account());
    expect(error.bodyStart).toBe('x'.repeat(199));
  });

  test('an unknown outcome has them, too', async () => {
    const error = await getRejection(scripted([html(503)], { retry: false }).client.tags.create(vip));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.bodyStart).toBe('<html>Welcome to the hotel network</html>');
    expect(error.headers?.get('content-type')).toBe('text/html');
  });

  test('a redirect without an error document has one', async () => {
    const step: Step = () => new Response('Moved', { status: 302, headers: { location: '/login' } });
    const error = await getRejection(scripted([step], { retry: false }).client.account());
    expect(error.bodyStart).toBe('Moved');
    expect(error.message).toContain('The answer did not come from this API');
    expect(error.message).toContain('The server redirected the request. Check baseUrl.');
  });

  test.each([
    failure(404, 'NOT_FOUND'),
    failure(503, 'BUSY'),
    html(200),
    json({}, 200),
    () => new Response('', { status: 503 }),
  ])('an error document, a 2xx and an empty body have none (%#)', async (step) => {
    const error = await getRejection(scripted([step], { retry: false }).client.account());
    expect(error.headers).toBeInstanceOf(Headers);
    expect('bodyStart' in error).toBe(false);
  });

  test('versions of a record are not in what is logged', async () => {
    const tag = { ...record, name: 'Personal data', color: 'pink', revision: 'b'.repeat(64) };
    const { client } = scripted([
      json({ record: tag }),
      failure(409, 'STALE_REVISION'),
      json({ record: tag }),
    ]);
    const error = await getRejection(client.tags.edit(record.id, (data) => data, { maxAttempts: 1 }));
    expect(error).toMatchObject({ name: 'StaleRevisionError', versions: { current: tag } });
    expect(error.headers?.get('x-request-id')).toBe('req-409');
    expect(inspect(error, { depth: 9 }) + JSON.stringify(error)).not.toContain('Personal data');
  });
});

test('the classes recognize the errors of another copy of this package', async () => {
  vi.resetModules();
  const other: typeof import('../../src/index.ts') = await import('../../src/index.ts');
  expect(other.OrgChatError).not.toBe(OrgChatError);
  const error = await getRejection(scripted([lost], { retry: false }).client.tags.create(vip));
  expect(error).toBeInstanceOf(other.OutcomeUnknownError);
  expect(error).toBeInstanceOf(other.OrgChatError);
  expect(error).not.toBeInstanceOf(other.UncertainOperationError);
  const again = new other.UncertainOperationError('again', { code: 'OPERATION_UNCERTAIN' });
  expect(again).toBeInstanceOf(OutcomeUnknownError);
  class NotFoundError extends OrgChatError {}
  const simulated = new other.NotFoundError('simulated', { code: 'NOT_FOUND' });
  expect(simulated).toBeInstanceOf(OrgChatError);
  expect(new other.ServerError('simulated', { code: 'X' })).not.toBeInstanceOf(NotFoundError);
  for (const value of [undefined, null, 'text', {}, new Error('plain')])
    expect(value).not.toBeInstanceOf(OrgChatError);
});
