import { describe, expect, test } from 'vitest';
import {
  AuthenticationError,
  ConnectionError,
  DeadlineError,
  InvalidInputError,
  PermissionError,
  RateLimitError,
  ServerError,
} from '../../src/index.ts';
import { getRejection } from '../../test-support/rejection.ts';
import {
  cutBody,
  failure,
  hang,
  html,
  json,
  lost,
  refusedConnection,
  retrySoon,
  type Step,
  scripted,
} from '../../test-support/servers/scripted.ts';

describe('a read', () => {
  test.each<[string, Step, unknown]>([
    ['lost answers', lost, ConnectionError],
    ['cut bodies', cutBody(), ConnectionError],
    ['HTML', html(), ServerError],
    ['500', failure(500, 'INTERNAL_ERROR'), ServerError],
    ['502', failure(502, 'RUNTIME_UNAVAILABLE'), ServerError],
    ['408', failure(408, 'X'), ServerError],
    ['404 of the runtime', failure(404, 'RUNTIME_UNAVAILABLE'), ServerError],
    ['404 of a gateway', html(404), ServerError],
    ['404 of another shape', json({ error: { code: 'NOT_FOUND' }, message: 'no' }, 404), ServerError],
    ['429', failure(429, 'RATE_LIMITED', retrySoon), RateLimitError],
    ['refused connections', refusedConnection, ConnectionError],
  ])('is retried, then fails after %s', async (_name, step, type) => {
    const { client, sent } = scripted([step]);
    const error = await getRejection(client.account());
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ attempts: 4 });
    expect(error).not.toHaveProperty('operationId');
    expect(sent).toHaveLength(4);
  });

  test.each([
    [failure(400, 'INVALID_INPUT'), InvalidInputError],
    [failure(401, 'UNAUTHORIZED'), AuthenticationError],
    [failure(403, 'PLAN_REQUIRED'), PermissionError],
    [failure(404, 'NOT_FOUND'), ServerError],
    [failure(429, 'QUOTA_EXCEEDED'), RateLimitError],
  ])('is not retried after a refusal (%#)', async (step, type) => {
    const { client, sent } = scripted([step]);
    expect(await getRejection(client.account())).toBeInstanceOf(type);
    expect(sent).toHaveLength(1);
  });

  test('leaves nothing in the journal', async () => {
    const { client } = scripted([json({ records: [], total: 0, limited: false })]);
    await client.tags.list();
    expect(await client.operations.list()).toEqual([]);
  });

  test('an answer that hangs is abandoned for the next attempt', async () => {
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
    expect(await getRejection(client.account())).toBeInstanceOf(DeadlineError);
  });
});
