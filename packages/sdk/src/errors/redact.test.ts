import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { getRejection } from '../../test-support/rejection.ts';
import { applied, failure, json, type Step, scripted } from '../../test-support/servers/scripted.ts';
import { type ClientEvent, createClient, OrgChatError } from '../index.ts';

const apiKey = 'secret-key-0123456789';
const vip = { name: 'VIP', color: 'pink' } as const;
const everything = (value: unknown): string =>
  [inspect(value, { depth: 20, showHidden: true }), JSON.stringify(value), String(value)].join('\n');

describe('the key is never shown', () => {
  test('by a client, its parts or its functions', () => {
    const { client } = scripted([applied], { apiKey });
    expect(everything(client)).not.toContain(apiKey);
    expect(everything({ ...client.tags, ...client.operations })).not.toContain(apiKey);
  });

  const echo: Step = (request) =>
    json({ error: `NO_${apiKey}`, message: request.headers.get('authorization') }, 403)(request, '');
  const name: Step = (request) =>
    failure(403, 'FORBIDDEN', { 'x-request-id': `${request.headers.get('authorization')}` })(request, '');
  const carry: Step = (request) => {
    const config = { headers: { Authorization: request.headers.get('authorization') } };
    throw Object.assign(new Error('fetch failed'), { config });
  };
  const mention: Step = (request) => {
    throw new TypeError('fetch failed', { cause: new Error(`sent ${request.headers.get('authorization')}`) });
  };
  const attach: Step = (request) => {
    throw Object.assign(new Error('fetch failed'), { request });
  };

  const spread: Step = (request) => {
    const error = Object.assign(new Error('fetch failed'), {
      options: new Map([['headers', request.headers.get('authorization')]]),
    });
    // It goes round in circles, as errors of some clients do.
    throw Object.assign(error, { error, socket: { parser: { socket: error } } });
  };
  const vast: Step = () => {
    const parts = Array.from({ length: 2000 }, (_, n) => ({ n }));
    throw Object.assign(new Error('fetch failed'), { parts });
  };

  test.each([
    ['an error that hides it in a map and goes round in circles', spread],
    ['an error of very many parts', vast],
    ['a server that repeats it', echo],
    ['a server that makes the id of the request of it', name],
    ['an error that carries it', carry],
    ['an error whose cause mentions it', mention],
    ['an error that carries the request', attach],
  ])('in an error, after %s', async (_name, step) => {
    const events: ClientEvent[] = [];
    const { client } = scripted([step], { apiKey, retry: false, onEvent: (event) => events.push(event) });
    for (const call of [
      client.account(),
      client.tags.create(vip),
      client.keywords.add('s', { keywords: ['x'] }),
    ]) {
      const error = await getRejection(call);
      expect(error).toBeInstanceOf(OrgChatError);
      for (let one: unknown = error; one instanceof Error; one = one.cause) {
        expect(everything(one)).not.toContain(apiKey);
        expect(one.stack).not.toContain(apiKey);
      }
    }
    expect(everything(events)).not.toContain(apiKey);
    expect(everything(await client.operations.list())).not.toContain(apiKey);
  });

  test('when the key could not be sent', async () => {
    for (const bad of ['with\nnewline-in-it', 'ключ', '\u0000nul-byte-key']) {
      const error = await getRejection(
        (async () => createClient({ apiKey: bad, baseUrl: 'https://x.example' }))(),
      );
      expect(error).toMatchObject({ code: 'INVALID_OPTIONS' });
      expect(everything(error)).not.toContain(bad);
    }
  });
});
