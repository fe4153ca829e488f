import { inspect } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { type ClientEvent, ConnectionError, type OutcomeUnknownError, ServerError } from '../../src/index.ts';
import { getRejection } from '../../test-support/rejection.ts';
import {
  broken,
  failure,
  json,
  lost,
  refusedConnection,
  scripted,
} from '../../test-support/servers/scripted.ts';

const vip = { name: 'VIP', color: 'pink' } as const;

describe('an error', () => {
  test('says what the server answered, then method, path and action', async () => {
    const { client } = scripted([failure(403, 'FORBIDDEN')]);
    const error = await getRejection(client.tags.create(vip));
    expect(error.message).toBe(
      'The server answered: In words: FORBIDDEN (POST /chat/changes create-tags: 403 FORBIDDEN)',
    );
    expect(error).toMatchObject({ serverMessage: 'In words: FORBIDDEN', requestId: 'req-403', attempts: 1 });
  });

  test.each(['constructor', '__proto__', 'NOT_APPLIED', 'REDIRECTED'])(
    'uses the code %s of the server unchanged',
    async (code) => {
      const { client } = scripted([failure(403, code)]);
      const error = await getRejection(client.tags.create(vip));
      expect(error.message).toBe(
        `The server answered: In words: ${code} (POST /chat/changes create-tags: 403 ${code})`,
      );
    },
  );

  test('truncates a long text of the server in its message, and keeps all of it in serverMessage', async () => {
    const text = 'word '.repeat(1_000);
    const error = await getRejection(
      scripted([json({ error: 'FORBIDDEN', message: text }, 403)]).client.account(),
    );
    expect(error.message).toBe(`The server answered: ${text.slice(0, 500)} (GET /me: 403 FORBIDDEN)`);
    expect(error.serverMessage).toBe(text);
  });

  test('says if the server sent no reason', async () => {
    const silent = json({ error: 'BUSY', message: '' }, 502);
    const error = await getRejection(scripted([silent], { retry: false }).client.account());
    expect(error.message).toBe('The server gave no reason. (GET /me: 502 BUSY)');
  });

  test.each(['SANDBOX_GONE', 'GONE'])(
    'of a 410 is a ServerError, and nothing is sent again: %s',
    async (code) => {
      const calls: readonly ((client: ReturnType<typeof scripted>['client']) => PromiseLike<unknown>)[] = [
        (client) => client.account(),
        (client) => client.tags.get('6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21'),
        (client) => client.tags.create(vip),
      ];
      for (const call of calls) {
        const error = await getRejection(call(scripted([failure(410, code)]).client));
        expect(error).toBeInstanceOf(ServerError);
        expect(error).toMatchObject({ code, status: 410, attempts: 1 });
      }
    },
  );

  test('keeps its cause, and shows its details', async () => {
    const { client } = scripted([refusedConnection], { retry: false });
    const error = await getRejection(client.account());
    expect(error.cause).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } });
    expect(inspect(error)).toMatch(
      /^ConnectionError: Could not connect to api[^ ]*\.example\.com\. .* \(GET \/me: CONNECTION_FAILED ECONNREFUSED\)\n[\s\S]*attempts: 1/,
    );
    expect(inspect(error)).toMatch(/\[cause\]: TypeError: fetch failed/);
    expect(inspect(error)).not.toMatch(/undefined/);
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'ConnectionError',
      message:
        'Could not connect to api.example.com. Check baseUrl and the network. (GET /me: CONNECTION_FAILED ECONNREFUSED)',
      code: 'CONNECTION_FAILED',
      operation: 'getAccount',
      reason: 'refused',
      systemCode: 'ECONNREFUSED',
      attempts: 1,
    });
  });

  test.each([
    ['ENOTFOUND', 'dns'],
    ['EAI_AGAIN', 'dns'],
    ['ConnectionRefused', 'refused'],
    ['EHOSTUNREACH', 'unreachable'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['PROXY_407', 'proxy'],
    ['ECONNRESET', 'closed'],
    ['EMFILE', undefined],
  ])('says why there was no answer: %s is %s', async (systemCode, reason) => {
    const error = await getRejection(scripted([broken(systemCode)], { retry: false }).client.account());
    expect(error).toBeInstanceOf(ConnectionError);
    expect({ reason: error.reason, systemCode: error.systemCode }).toEqual({ reason, systemCode });
  });

  test('names the operation as the specification does', async () => {
    const { client } = scripted([failure(403, 'FORBIDDEN')]);
    const operations = [
      client.account(),
      client.tags.list(),
      client.tags.create(vip),
      client.keywords.add('s', { keywords: ['x'] }),
      client.studio.projects(),
    ].map(async (call) => (await getRejection(call)).operation);
    expect(await Promise.all(operations)).toEqual([
      'getAccount',
      'readChat',
      'changeChat',
      'addSeoKeywords',
      'readStudio',
    ]);
  });

  test('of an unknown outcome says what to do', async () => {
    const { client } = scripted([lost], { retry: false });
    const error = (await getRejection(client.tags.create(vip))) as OutcomeUnknownError;
    expect(error.message).toContain(
      `Operation ${error.operationId} may or may not have been applied. The connection was lost before an answer arrived. Call resume() later to find out.`,
    );
    expect((await getRejection(client.keywords.add('s', { keywords: ['x'] }))).message).toMatch(
      /Check the keywords of the site\. \(POST \/sites\/s\/keywords: CONNECTION_LOST ECONNRESET\)$/,
    );
  });

  test.each([
    [lost, 'CONNECTION_LOST'],
    [failure(503, 'MAINTENANCE'), 'MAINTENANCE'],
  ])('of an unknown outcome keeps the reason in itself, its event and its entry', async (step, reason) => {
    const events: ClientEvent[] = [];
    const { client } = scripted([step], { retry: false, onEvent: (event) => events.push(event) });
    const error = await getRejection(client.tags.create(vip));
    expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', reason });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ code: 'OUTCOME_UNKNOWN', reason });
    expect(events.at(-1)).toMatchObject({ errorCode: 'OUTCOME_UNKNOWN', errorReason: reason });
    const [entry] = await client.operations.list();
    expect(entry?.error).toMatchObject({ code: 'OUTCOME_UNKNOWN', reason });
  });

  test('is not reported twice as an unhandled rejection', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const { client } = scripted([failure(403, 'FORBIDDEN')]);
    await getRejection(client.account().withResponse());
    await getRejection(client.account());
    await getRejection(client.tags.list());
    await getRejection(client.tags.list().withResponse());
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});
