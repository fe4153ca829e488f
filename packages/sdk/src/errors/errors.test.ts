import { inspect } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { errorOf } from '../../test-support/rejection.ts';
import { failure, lost, refusedConnection, scripted } from '../../test-support/scripted.ts';
import type { ClientEvent, OutcomeUnknownError } from '../index.ts';

const vip = { name: 'VIP', color: 'pink' } as const;

describe('an error', () => {
  test('says method, path and action, and keeps the server’s text apart', async () => {
    const { client } = scripted([failure(403, 'FORBIDDEN')]);
    const error = await errorOf(client.tags.create(vip));
    expect(error.message).toBe('POST /chat/changes (create-tags): 403 FORBIDDEN');
    expect(error).toMatchObject({ serverMessage: 'In words: FORBIDDEN', requestId: 'req-403', attempts: 1 });
  });

  test.each(['constructor', '__proto__', 'NOT_APPLIED', 'REDIRECTED'])(
    'adds nothing to the code %s of the server',
    async (code) => {
      const { client } = scripted([failure(403, code)]);
      const error = await errorOf(client.tags.create(vip));
      expect(error.message).toBe(`POST /chat/changes (create-tags): 403 ${code}`);
    },
  );

  test('keeps its cause, and shows what it knows', async () => {
    const { client } = scripted([refusedConnection], { retry: false });
    const error = await errorOf(client.account());
    expect(error.cause).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } });
    expect(inspect(error)).toMatch(
      /^ConnectionError: GET \/me: CONNECTION_FAILED \(ECONNREFUSED\)\n[\s\S]*attempts: 1/,
    );
    expect(inspect(error)).toMatch(/\[cause\]: TypeError: fetch failed/);
    expect(inspect(error)).not.toMatch(/undefined/);
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'ConnectionError',
      message: 'GET /me: CONNECTION_FAILED (ECONNREFUSED)',
      code: 'CONNECTION_FAILED',
      attempts: 1,
    });
  });

  test('of an unknown outcome says what to do', async () => {
    const { client } = scripted([lost], { retry: false });
    const error = (await errorOf(client.tags.create(vip))) as OutcomeUnknownError;
    expect(error.message).toContain(
      `operation ${error.operationId} may or may not be applied; resume() asks again`,
    );
    expect((await errorOf(client.keywords.add('s', { keywords: ['x'] }))).message).toMatch(
      /check the site's keywords$/,
    );
  });

  test.each([
    [lost, 'CONNECTION_LOST'],
    [failure(503, 'MAINTENANCE'), 'MAINTENANCE'],
  ])('of an unknown outcome keeps the reason in itself, its event and its entry', async (step, reason) => {
    const events: ClientEvent[] = [];
    const { client } = scripted([step], { retry: false, onEvent: (event) => events.push(event) });
    const error = await errorOf(client.tags.create(vip));
    expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', reason });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ code: 'OUTCOME_UNKNOWN', reason });
    expect(events.at(-1)).toMatchObject({ errorCode: 'OUTCOME_UNKNOWN', errorReason: reason });
    const [entry] = await client.operations.list();
    expect(entry?.error).toMatchObject({ code: 'OUTCOME_UNKNOWN', reason });
  });

  test('that nobody waited for is not reported twice', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const { client } = scripted([failure(403, 'FORBIDDEN')]);
    await errorOf(client.account().withResponse());
    await errorOf(client.account());
    await errorOf(client.tags.list());
    await errorOf(client.tags.list().withResponse());
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});
