import { describe, expect, test } from 'vitest';
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InputConflictError,
  InvalidInputError,
  NotFoundError,
  type OrgChatClient,
  OrgChatError,
  OutcomeUnknownError,
  PermissionError,
  RateLimitError,
  StaleRevisionError,
  UncertainOperationError,
} from '../../src/index.ts';
import { getRejection } from '../../test-support/rejection.ts';
import {
  applied,
  broken,
  cutBody,
  failure,
  html,
  json,
  lost,
  refusedConnection,
  replayed,
  retrySoon,
  type Step,
  scripted,
} from '../../test-support/servers/scripted.ts';

const vip = { name: 'VIP', color: 'pink' } as const;
const id = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';

describe('a change', () => {
  test('is applied and resolves with the outcome', async () => {
    const { client, sent } = scripted([applied]);
    const outcome = await client.tags.create(vip);
    expect(outcome).toMatchObject({
      applied: true,
      replayed: false,
      auditRecorded: true,
      result: { label: 'VIP' },
    });
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({
      operationId: outcome.operationId,
      change: { action: 'create-tags', data: vip },
    });
    expect(await client.operations.list()).toMatchObject([
      { operationId: outcome.operationId, state: 'applied' },
    ]);
  });

  test.each<[string, Step]>([
    ['a lost answer', lost],
    ['a body that breaks off', cutBody()],
    ['an error body that breaks off', cutBody(500)],
    ['an HTML page with status 200', html()],
    ['an empty answer', () => new Response(null, { status: 204 })],
    ['an empty body', () => new Response('', { headers: { 'content-length': '0' } })],
    ['JSON that is not an object', json([1])],
    ['a result of the wrong shape', json({ ok: true, applied: 'yes', replayed: false, auditRecorded: true })],
    ['an answer without ok', json({ applied: true, replayed: false, auditRecorded: true })],
    ['500', failure(500, 'INTERNAL_ERROR')],
    ['502', failure(502, 'RUNTIME_UNAVAILABLE')],
    ['an HTML page with status 503', html(503)],
    ['408', failure(408, 'X')],
    ['429', failure(429, 'RATE_LIMITED', retrySoon)],
    ['a refused connection', refusedConnection],
    ['an unknown host', broken('ENOTFOUND', 'getaddrinfo')],
  ])('is sent again after %s: the same id, the same bytes', async (_name, step) => {
    const { client, sent } = scripted([step, step, replayed]);
    const outcome = await client.tags.create(vip);
    expect(outcome.replayed).toBe(true);
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
  });

  test.each<[string, Step, typeof OutcomeUnknownError]>([
    ['lost answers', lost, OutcomeUnknownError],
    ['bodies that break off', cutBody(), OutcomeUnknownError],
    ['HTML pages with status 200', html(), OutcomeUnknownError],
    ['answers of the wrong shape', json({}), OutcomeUnknownError],
    ['500s', failure(500, 'INTERNAL_ERROR'), OutcomeUnknownError],
    ['302s', () => new Response(null, { status: 302, headers: { location: '/x' } }), OutcomeUnknownError],
  ])('is unknown if every attempt ends with %s, and can be resumed', async (_name, step, type) => {
    const script = [step, step, step, step, replayed];
    const { client, sent } = scripted(script);
    const error = await getRejection(client.tags.create(vip));
    expect(error).toBeInstanceOf(type);
    const unknown = error as OutcomeUnknownError;
    expect(unknown).toMatchObject({ code: 'OUTCOME_UNKNOWN', resume: expect.any(Function) });
    expect(await client.operations.list()).toMatchObject([
      { operationId: unknown.operationId, state: 'unknown' },
    ]);
    script[sent.length] = replayed;
    expect(await unknown.resume?.()).toMatchObject({ operationId: unknown.operationId, applied: true });
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    expect(await client.operations.list()).toMatchObject([{ state: 'applied' }]);
  });

  test.each([
    [failure(400, 'INVALID_INPUT'), InvalidInputError],
    [failure(401, 'UNAUTHORIZED'), AuthenticationError],
    [failure(403, 'FORBIDDEN'), PermissionError],
    [failure(404, 'NOT_FOUND'), NotFoundError],
    [failure(409, 'STALE_REVISION'), StaleRevisionError],
    [failure(409, 'INPUT_CONFLICT'), InputConflictError],
    [failure(429, 'QUOTA_EXCEEDED'), RateLimitError],
    [failure(400, 'constructor'), InvalidInputError],
    [failure(400, 'ABORTED'), InvalidInputError],
    [failure(422, 'toString'), OrgChatError],
    [html(403), PermissionError],
    [
      () => new Response(null, { status: 307, headers: { location: 'https://evil.example/' } }),
      ConnectionError,
    ],
  ])('refused at the first attempt is refused and sent once (%#)', async (step, type) => {
    const { client, sent } = scripted([step]);
    const error = await getRejection(client.tags.create(vip));
    expect(error).toBeInstanceOf(type);
    expect(error).not.toBeInstanceOf(OutcomeUnknownError);
    expect(error).toMatchObject({ attempts: 1, operationId: expect.any(String) });
    expect(sent).toHaveLength(1);
    expect(await client.operations.list()).toMatchObject([{ state: 'refused' }]);
  });

  test.each([
    ['401', failure(401, 'UNAUTHORIZED'), 2],
    ['403', failure(403, 'FORBIDDEN'), 2],
    ['the quota', failure(429, 'QUOTA_EXCEEDED'), 2],
    ['429 to the end', failure(429, 'RATE_LIMITED', retrySoon), 4],
    ['a 409 of the uncertain code', failure(409, 'OPERATION_UNCERTAIN'), 2],
    ['a 409 of no known code', failure(409, 'A_CODE_OF_TOMORROW'), 2],
    ['an input conflict', failure(409, 'INPUT_CONFLICT'), 2],
    ['a 404 of no known code', failure(404, 'CHAT_UNAVAILABLE'), 2],
    ['a 404 of the runtime to the end', failure(404, 'RUNTIME_UNAVAILABLE'), 4],
    ['a 404 of a proxy to the end', html(404), 4],
    ['a refused connection to the end', refusedConnection, 4],
  ])('stays unknown when a lost attempt is followed by %s', async (_name, step, requests) => {
    const { client, sent } = scripted([lost, step]);
    expect(await getRejection(client.tags.create(vip))).toBeInstanceOf(OutcomeUnknownError);
    expect(sent).toHaveLength(requests);
  });

  test.each([
    ['404', failure(404, 'NOT_FOUND'), NotFoundError],
    ['stale', failure(409, 'STALE_REVISION'), StaleRevisionError],
  ])('is settled when a lost attempt is followed by %s', async (_name, step, type) => {
    const { client } = scripted([lost, step]);
    expect(await getRejection(client.tags.create(vip))).toBeInstanceOf(type);
    expect(await client.operations.list()).toMatchObject([{ state: 'refused' }]);
  });

  test('that the server calls uncertain rejects with its own error, which can resume', async () => {
    const { client } = scripted([lost, failure(409, 'OPERATION_UNCERTAIN')]);
    const error = await getRejection(client.tags.create(vip));
    expect(error).toBeInstanceOf(UncertainOperationError);
    expect(error).toMatchObject({
      code: 'OPERATION_UNCERTAIN',
      meaning: 'uncertain',
      status: 409,
      resume: expect.any(Function),
    });
  });

  test.each([
    ['a fresh id', {}],
    ['a given id', { operationId: id }],
    ['an intent', { intent: ['once'] }],
  ])('that the server calls uncertain is unknown at the first attempt too: %s', async (_name, options) => {
    const { client, sent } = scripted([failure(409, 'OPERATION_UNCERTAIN')]);
    const error = await getRejection(client.tags.create(vip, options));
    expect(error).toBeInstanceOf(UncertainOperationError);
    expect(error).toMatchObject({ code: 'OPERATION_UNCERTAIN', meaning: 'uncertain' });
    expect(error.cause).toBeInstanceOf(ConflictError);
    expect(sent).toHaveLength(1);
    expect(await client.operations.list()).toMatchObject([
      { state: 'unknown', error: { code: 'OPERATION_UNCERTAIN', meaning: 'uncertain', status: 409 } },
    ]);
    expect(await client.operations.resumeAll()).toMatchObject([{ state: 'unknown' }]);
  });

  test.each([
    ['a create', (client: OrgChatClient) => client.tags.create(vip)],
    [
      'an enrollment',
      (client: OrgChatClient) => client.friends.enroll({ accountId: id, userId: `U${'0'.repeat(32)}` }, id),
    ],
  ])('%s that is answered 409 with an unknown code is never refused', async (_name, send) => {
    const { client, sent } = scripted([failure(409, 'IN_DOUBT')]);
    const error = await getRejection(send(client));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', reason: 'IN_DOUBT', status: 409 });
    expect(error.message).toContain(
      "409 IN_DOUBT is not a known code: if it means an operation whose outcome is uncertain, createClient({ server: { server: 1, codes: { uncertain: 'IN_DOUBT' } } })",
    );
    expect(error.cause).toBeInstanceOf(ConflictError);
    expect(sent).toHaveLength(1);
    expect(await client.operations.list()).toMatchObject([
      { state: 'unknown', error: { code: 'OUTCOME_UNKNOWN', reason: 'IN_DOUBT' } },
    ]);
  });

  test.each([failure(404, 'CHAT_UNAVAILABLE'), html(404), html(410)])(
    'a 404 that names no record settles only the first attempt of an id of its own (%#)',
    async (step) => {
      const { client } = scripted([step]);
      expect(await getRejection(client.tags.create(vip))).not.toBeInstanceOf(OutcomeUnknownError);
      expect(await client.operations.list()).toMatchObject([{ state: 'refused' }]);
      for (const options of [{ operationId: id }, { intent: ['once'] }]) {
        expect(await getRejection(client.tags.create(vip, options))).toBeInstanceOf(OutcomeUnknownError);
      }
      expect(await client.operations.list({ state: 'unknown' })).toHaveLength(2);
    },
  );

  test('that is answered 404 for the runtime is retried, and unknown after that', async () => {
    const { client, sent } = scripted([failure(404, 'RUNTIME_UNAVAILABLE')]);
    const error = await getRejection(client.tags.create(vip));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error).toMatchObject({ reason: 'RUNTIME_UNAVAILABLE', outcome: 'unknown', attempts: 4 });
    expect(error.cause).toMatchObject({ name: 'ServerError', meaning: 'runtimeUnavailable' });
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    const healed = scripted([failure(404, 'RUNTIME_UNAVAILABLE'), applied]);
    await healed.client.tags.create(vip);
    expect(healed.sent).toHaveLength(2);
  });

  test('that a gateway answers 404 is retried, and refused if its id is new', async () => {
    const { client, sent } = scripted([html(404)]);
    const error = await getRejection(client.tags.create(vip));
    expect(error).toMatchObject({ name: 'ServerError', code: 'INVALID_RESPONSE', outcome: 'refused' });
    expect(sent).toHaveLength(4);
  });

  test('that is answered 200 but not applied is refused, and says so', async () => {
    const notApplied = { ok: true, applied: false, replayed: false, auditRecorded: false };
    for (const steps of [[json(notApplied)], [lost, json(notApplied)]]) {
      const { client } = scripted(steps);
      const error = await getRejection(client.tags.create(vip));
      expect(error).not.toBeInstanceOf(OutcomeUnknownError);
      expect(error).toMatchObject({ code: 'NOT_APPLIED', status: 200, requestId: 'req-200' });
      expect(error.message).toContain('The server did not apply the change.');
      expect(await client.operations.list()).toMatchObject([
        { state: 'refused', error: { code: 'NOT_APPLIED' } },
      ]);
      expect(await client.operations.resumeAll()).toEqual([]);
    }
  });

  test('that is answered by a replay is applied, whatever else the stored answer says', async () => {
    const stored = { ok: true, applied: false, replayed: true, auditRecorded: true };
    const { client } = scripted([json(stored)]);
    expect(await client.tags.create(vip)).toMatchObject({ applied: true, replayed: true });
    expect(await client.operations.list()).toMatchObject([{ state: 'applied' }]);
  });

  test('that was never sent is abandoned', async () => {
    const { client, sent } = scripted([refusedConnection], { retry: { maxAttempts: 2, baseDelayMs: 1 } });
    const error = await getRejection(client.tags.create(vip));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    expect(sent).toHaveLength(2);
    expect(await client.operations.list()).toMatchObject([{ state: 'abandoned' }]);
  });
});
