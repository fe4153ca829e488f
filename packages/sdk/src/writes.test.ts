import { describe, expect, test, vi } from 'vitest';
import {
  applied,
  broken,
  cutBody,
  failure,
  hang,
  html,
  json,
  lost,
  refusedConnection,
  replayed,
  type Step,
  scripted,
} from '../test-support/scripted.ts';
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  DeadlineError,
  InputConflictError,
  InvalidInputError,
  memoryJournal,
  NotFoundError,
  OrgChatError,
  OutcomeUnknownError,
  PermissionError,
  RateLimitError,
  ServerError,
  StaleRevisionError,
  UncertainOperationError,
} from './index.ts';

const vip = { name: 'VIP', color: 'pink' } as const;
const id = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';

async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable('it should have been rejected'),
    (error: unknown) => error,
  );
}

describe('a change', () => {
  test('is applied, and says so', async () => {
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
    ['JSON that is no object', json([1])],
    ['a result of the wrong shape', json({ ok: true, applied: 'yes', replayed: false, auditRecorded: true })],
    ['an answer without ok', json({ applied: true, replayed: false, auditRecorded: true })],
    ['500', failure(500, 'INTERNAL_ERROR')],
    ['502', failure(502, 'RUNTIME_UNAVAILABLE')],
    ['an HTML page with status 503', html(503)],
    ['408', failure(408, 'X')],
    ['429', failure(429, 'RATE_LIMITED')],
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
  ])('is unknown after nothing but %s, and can be finished', async (_name, step, type) => {
    const script = [step, step, step, step, replayed];
    const { client, sent } = scripted(script);
    const error = await errorOf(client.tags.create(vip));
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
    [failure(409, 'OPERATION_UNCERTAIN'), ConflictError],
    [failure(409, 'A_CODE_OF_TOMORROW'), ConflictError],
    [failure(429, 'QUOTA_EXCEEDED'), RateLimitError],
    [failure(400, 'constructor'), InvalidInputError],
    [failure(400, 'ABORTED'), InvalidInputError],
    [failure(422, 'toString'), OrgChatError],
    [html(403), PermissionError],
    [html(404), NotFoundError],
    [
      () => new Response(null, { status: 307, headers: { location: 'https://evil.example/' } }),
      ConnectionError,
    ],
  ])('refused at the first attempt is refused, and asked once (%#)', async (step, type) => {
    const { client, sent } = scripted([step]);
    const error = await errorOf(client.tags.create(vip));
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
    ['429 to the end', failure(429, 'RATE_LIMITED'), 4],
    ['a 409 of the uncertain code', failure(409, 'OPERATION_UNCERTAIN'), 2],
    ['a 409 of no known code', failure(409, 'A_CODE_OF_TOMORROW'), 2],
    ['a refused connection to the end', refusedConnection, 4],
  ])('stays unknown when a lost attempt is followed by %s', async (_name, step, requests) => {
    const { client, sent } = scripted([lost, step]);
    expect(await errorOf(client.tags.create(vip))).toBeInstanceOf(OutcomeUnknownError);
    expect(sent).toHaveLength(requests);
  });

  test.each([
    ['404', failure(404, 'NOT_FOUND'), NotFoundError],
    ['stale', failure(409, 'STALE_REVISION'), StaleRevisionError],
    ['an input conflict', failure(409, 'INPUT_CONFLICT'), InputConflictError],
  ])('is settled when a lost attempt is followed by %s', async (_name, step, type) => {
    const { client } = scripted([lost, step]);
    expect(await errorOf(client.tags.create(vip))).toBeInstanceOf(type);
    expect(await client.operations.list()).toMatchObject([{ state: 'refused' }]);
  });

  test('the server says uncertain: its own error, with the way to ask again', async () => {
    const { client } = scripted([lost, failure(409, 'OPERATION_UNCERTAIN')]);
    const error = await errorOf(client.tags.create(vip));
    expect(error).toBeInstanceOf(UncertainOperationError);
    expect(error).toMatchObject({ code: 'OPERATION_UNCERTAIN', status: 409, resume: expect.any(Function) });
  });

  test('a given id that the server calls uncertain leaves the outcome open at the first attempt', async () => {
    const { client } = scripted([failure(409, 'OPERATION_UNCERTAIN')]);
    expect(await errorOf(client.tags.create(vip, { operationId: id }))).toBeInstanceOf(
      UncertainOperationError,
    );
  });

  test('that never left is abandoned', async () => {
    const { client, sent } = scripted([refusedConnection], { retry: { maxAttempts: 2, baseDelayMs: 1 } });
    const error = await errorOf(client.tags.create(vip));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    expect(sent).toHaveLength(2);
    expect(await client.operations.list()).toMatchObject([{ state: 'abandoned' }]);
  });

  test('has an id and an entry with retries off too', async () => {
    const { client, sent } = scripted([lost], { retry: false });
    const error = await errorOf(client.tags.create(vip));
    expect(sent).toHaveLength(1);
    expect(error).toMatchObject({
      operationId: JSON.parse(sent[0]?.body ?? '').operationId,
      resume: expect.any(Function),
    });
  });

  test('is what it was when it was called, whatever happens to the object', async () => {
    const data: { name: string; color: 'pink' } = { ...vip };
    const { client, sent } = scripted([lost, applied]);
    const call = client.tags.create(data);
    data.name = 'Changed';
    await call;
    expect(sent.map(({ body }) => JSON.parse(body).change.data.name)).toEqual(['VIP', 'VIP']);
  });

  test('is recorded before the first byte leaves, and not sent where that fails', async () => {
    const journal = memoryJournal();
    const order: string[] = [];
    const spied = {
      ...journal,
      add: async (entry: Parameters<typeof journal.add>[0]) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        order.push('recorded');
        return journal.add(entry);
      },
    };
    const send: Step = (request, body) => {
      order.push('sent');
      return applied(request, body);
    };
    await scripted([send], { journal: spied }).client.tags.create(vip);
    expect(order).toEqual(['recorded', 'sent']);

    const full = { ...journal, add: () => Promise.reject(new Error('ENOSPC')) };
    const { client, sent } = scripted([applied], { journal: full });
    expect(await errorOf(client.tags.create(vip))).toMatchObject({
      code: 'JOURNAL_FAILED',
      cause: new Error('ENOSPC'),
      operationId: expect.any(String),
    });
    expect(sent).toHaveLength(0);
  });

  test('stands even where its outcome cannot be recorded', async () => {
    const journal = { ...memoryJournal(), settle: () => Promise.reject(new Error('disk full')) };
    const events: unknown[] = [];
    const { client } = scripted([applied], { journal, onEvent: (event) => events.push(event) });
    expect(await client.tags.create(vip)).toMatchObject({ applied: true });
    expect(events).toContainEqual({ type: 'journal', problem: expect.objectContaining({ reason: 'write' }) });
  });
});

describe('a known operation', () => {
  test('is sent again with its journaled bytes', async () => {
    const { client, sent } = scripted([applied, replayed]);
    await client.tags.create({ name: 'VIP', color: 'pink' }, { intent: ['setup', 'vip'] });
    const again = await client.tags.create({ color: 'pink', name: 'VIP' }, { intent: ['setup', 'vip'] });
    expect(again.replayed).toBe(true);
    expect(sent[1]?.body).toBe(sent[0]?.body);
  });

  test('with other input is refused here', async () => {
    const { client, sent } = scripted([applied]);
    await client.tags.create(vip, { operationId: id });
    const error = await errorOf(
      client.tags.create({ ...vip, color: 'blue' }, { operationId: id.toUpperCase() }),
    );
    expect(error).toBeInstanceOf(InputConflictError);
    expect(error).toMatchObject({ operationId: id, attempts: 0 });
    expect(sent).toHaveLength(1);
  });

  test('is recognized by what the caller gave: a newer revision of the record plays no part', async () => {
    const { client, sent } = scripted([applied, replayed]);
    const record = { id, revision: 'a'.repeat(64), label: 'Old' };
    await client.tags.update(record, vip, { intent: ['rename'] });
    await client.tags.update({ id, revision: 'b'.repeat(64), label: 'VIP' }, vip, { intent: ['rename'] });
    expect(sent[1]?.body).toBe(sent[0]?.body);
    const other = { id: id.replace('6f', '7f'), revision: 'b'.repeat(64), label: 'VIP' };
    expect(await errorOf(client.tags.update(other, vip, { intent: ['rename'] }))).toBeInstanceOf(
      InputConflictError,
    );
  });

  test('that was refused may be given other input', async () => {
    const { client } = scripted([failure(400, 'INVALID_INPUT'), applied]);
    await errorOf(client.tags.create({ ...vip, name: '' }, { operationId: id }));
    expect(await client.tags.create(vip, { operationId: id })).toMatchObject({
      applied: true,
      operationId: id,
    });
  });

  test('waits for its twin in this process', async () => {
    const slow: Step = async (request, body) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return applied(request, body);
    };
    const { client, sent } = scripted([slow, replayed]);
    const both = await Promise.all([
      client.tags.create(vip, { intent: ['once'] }),
      client.tags.create(vip, { intent: ['once'] }),
    ]);
    // Which of them is first depends on whose id is derived first.
    expect(both.map(({ replayed }) => replayed).sort()).toEqual([false, true]);
    expect((sent[1]?.at ?? 0) - (sent[0]?.at ?? 0)).toBeGreaterThan(15);
  });

  test('waits for nobody under another id', async () => {
    let answerFirst: (answer: Response) => void = () => undefined;
    const held: Step = () =>
      new Promise((resolve) => {
        answerFirst = resolve;
      });
    const { client, sent } = scripted([held, applied]);
    const first = client.tags.create(vip, { operationId: id });
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    // With an id of its own, and with one made for it.
    const other = id.replace(/^./, 'a');
    expect(await client.tags.create(vip, { operationId: other })).toMatchObject({ operationId: other });
    expect(await client.tags.create(vip)).toMatchObject({ applied: true });
    answerFirst(await applied(new Request('https://x.example'), ''));
    expect(await first).toMatchObject({ operationId: id });
  });

  test('once applied stays applied, even where a later question is refused', async () => {
    const { client } = scripted([applied, failure(403, 'FORBIDDEN')]);
    await client.tags.create(vip, { operationId: id });
    expect(await errorOf(client.tags.create(vip, { operationId: id }))).toBeInstanceOf(OutcomeUnknownError);
    expect(await client.operations.list()).toMatchObject([{ state: 'applied' }]);
  });

  test('operationId and intent together are a mistake', async () => {
    const { client } = scripted([applied]);
    const error = await errorOf(client.tags.create(vip, { operationId: id, intent: ['a'] }));
    expect(error).toBeInstanceOf(InvalidInputError);
  });
});

describe('a keyword write', () => {
  const words = { keywords: ['summer'], group: 'season' };
  const added = json({ added: ['summer'], skipped: [] }, 201);

  test('returns what was added and skipped', async () => {
    const { client, sent } = scripted([added]);
    expect(await client.keywords.add('demo-site', words)).toEqual({ added: ['summer'], skipped: [] });
    expect(sent[0]).toMatchObject({ url: 'https://api.example.com/api/v1/sites/demo-site/keywords' });
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual(words);
  });

  test.each<[string, Step]>([
    ['a lost answer', lost],
    ['a cut body', cutBody()],
    ['an HTML page', html()],
    ['a wrong shape', json({ added: 'summer' }, 201)],
    ['500', failure(500, 'INTERNAL_ERROR')],
    ['408', failure(408, 'X')],
    ['503 with Retry-After', failure(503, 'X', { 'retry-after': '0' })],
  ])('is never sent twice after %s', async (_name, step) => {
    const { client, sent } = scripted([step]);
    const error = await errorOf(client.keywords.add('demo-site', words));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error).toMatchObject({ operationId: expect.any(String) });
    expect(error).not.toHaveProperty('resume');
    expect((error as OutcomeUnknownError).resume).toBeUndefined();
    expect(sent).toHaveLength(1);
    const [outcome] = await client.operations.resumeAll();
    expect(outcome).toMatchObject({ kind: 'keywords', state: 'unknown', error: { code: 'NOT_RESUMABLE' } });
    expect(sent).toHaveLength(1);
  });

  test.each<[string, Step]>([
    ['a refused connection', refusedConnection],
    ['an unknown host', broken('ENOTFOUND', 'getaddrinfo')],
    ['429', failure(429, 'RATE_LIMITED')],
  ])('is sent again after %s', async (_name, step) => {
    const { client, sent } = scripted([step, added]);
    expect(await client.keywords.add('demo-site', words)).toMatchObject({ added: ['summer'] });
    expect(sent).toHaveLength(2);
  });

  test('with an intent is added once, however often the script runs', async () => {
    const { client, sent } = scripted([added]);
    const first = await client.keywords.add('demo-site', words, { intent: ['batch', 1] });
    expect(await client.keywords.add('demo-site', words, { intent: ['batch', 1] })).toEqual(first);
    expect(sent).toHaveLength(1);
  });

  test('with an intent whose outcome is unknown is reported again, not sent', async () => {
    const { client, sent } = scripted([lost, added]);
    await errorOf(client.keywords.add('demo-site', words, { intent: ['batch', 1] }));
    const again = await errorOf(client.keywords.add('demo-site', words, { intent: ['batch', 1] }));
    expect(again).toBeInstanceOf(OutcomeUnknownError);
    expect(sent).toHaveLength(1);
  });

  test.each(['', '.', '..', '\ud800'])('a site named %j cannot be part of a path', async (siteId) => {
    const { client, sent } = scripted([added]);
    expect(await errorOf(client.keywords.add(siteId, words))).toBeInstanceOf(InvalidInputError);
    expect(sent).toHaveLength(0);
  });

  test('a site stays one segment of the path', async () => {
    const { client, sent } = scripted([added]);
    await client.keywords.add('../me?x=1#y', words);
    expect(sent[0]?.url).toBe('https://api.example.com/api/v1/sites/..%2Fme%3Fx%3D1%23y/keywords');
  });
});

describe('a read', () => {
  test.each<[string, Step, unknown]>([
    ['lost answers', lost, ConnectionError],
    ['cut bodies', cutBody(), ConnectionError],
    ['HTML', html(), ServerError],
    ['500', failure(500, 'INTERNAL_ERROR'), ServerError],
    ['502', failure(502, 'RUNTIME_UNAVAILABLE'), ServerError],
    ['408', failure(408, 'X'), ServerError],
    ['429', failure(429, 'RATE_LIMITED'), RateLimitError],
    ['refused connections', refusedConnection, ConnectionError],
  ])('is tried again, then fails after %s', async (_name, step, type) => {
    const { client, sent } = scripted([step]);
    const error = await errorOf(client.account());
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ attempts: 4 });
    expect(error).not.toHaveProperty('operationId');
    expect(sent).toHaveLength(4);
  });

  test.each([
    [failure(400, 'INVALID_INPUT'), InvalidInputError],
    [failure(401, 'UNAUTHORIZED'), AuthenticationError],
    [failure(403, 'PLAN_REQUIRED'), PermissionError],
    [failure(404, 'NOT_FOUND'), NotFoundError],
    [failure(429, 'QUOTA_EXCEEDED'), RateLimitError],
  ])('is not tried again after a refusal (%#)', async (step, type) => {
    const { client, sent } = scripted([step]);
    expect(await errorOf(client.account())).toBeInstanceOf(type);
    expect(sent).toHaveLength(1);
  });

  test('leaves nothing in the journal', async () => {
    const { client } = scripted([json({ records: [], total: 0, limited: false })]);
    await client.tags.list();
    expect(await client.operations.list()).toEqual([]);
  });

  test('an answer that hangs is given up for the next attempt', async () => {
    const { client, sent } = scripted(
      [hang, cutBody(200, false), json({ records: [], total: 0, limited: false })],
      {
        attemptTimeoutMs: 20,
      },
    );
    expect(await client.tags.list()).toMatchObject({ total: 0 });
    expect(sent).toHaveLength(3);
  });

  test('ends at its deadline', async () => {
    const { client } = scripted([hang], { timeoutMs: 30 });
    expect(await errorOf(client.account())).toBeInstanceOf(DeadlineError);
  });
});
