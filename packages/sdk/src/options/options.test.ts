import { expect, test, vi } from 'vitest';
import { getRejection } from '../../test-support/rejection.ts';
import { account, failure, retrySoon, scripted } from '../../test-support/servers/scripted.ts';
import type { ClientOptions } from '../index.ts';
import { createClient, memoryJournal } from '../index.ts';

test.each([
  [{ baseUrl: 'nonsense' }, /baseUrl/],
  [{ baseUrl: 'ftp://x.example' }, /http/],
  [{ baseUrl: 'https://user:pass@x.example' }, /without credentials, query or fragment/],
  [{ baseUrl: 'https://x.example/?q' }, /query/],
  [{ timeoutMs: 0 }, /timeoutMs/],
  [{ retry: { maxAttempts: 0 } }, /maxAttempts/],
  [{ pacing: { perMinute: -1 } }, /perMinute/],
  [{ pacing: { perMinute: 0.5 } }, /perMinute must be a number, 1 or greater; got 0.5/],
  [{ baseUrl: 'https://x.example/?q' }, /such as https:\/\/example\.com\/api\/v1\.$/],
  [{ apiKey: '' }, /ORGCHAT_API_KEY/],
  [{ apiKey: 'Bearer abc' }, /contains a space, .* Pass only the key, without "Bearer"\.$/],
  [{ language: 'fr' as 'ja' }, /language must be 'en' or 'ja'; got fr/],
  [
    { server: { server: 1, codes: { stale: 'X' } as object } },
    /codes: "stale" is not a known meaning\. Known: unauthorized, /,
  ],
  [
    { server: { server: 1, codes: { staleRevision: '' } } },
    /codes\.staleRevision must be a non-empty code or a list of such codes/,
  ],
  [
    { server: { server: 1, codes: { staleRevision: 'A', uncertain: 'A' } } },
    /"A" would mean both staleRevision and uncertain/,
  ],
  [{ server: { server: 1, codes: 'STALE' as never } }, /codes must be an object/],
  [{ fetch: 'x' as never }, /^fetch must be a function; got string\.$/],
  [{ onEvent: 'x' as never }, /^onEvent must be a function; got string\.$/],
  [{ logger: {} as never }, /^logger\.debug must be a function; got undefined\.$/],
  [{ logger: console.log as never }, /^logger\.debug must be a function; got undefined\.$/],
  [{ journal: {} as never }, /^journal\.add must be a function; got undefined\.$/],
  [{ journal: 'orgchat.journal' as never }, /^journal\.add must be a function; got undefined\.$/],
] satisfies [unknown, RegExp][])('an error of options %j is thrown at once', (options, message) => {
  expect(() => scripted([], options as ClientOptions)).toThrow(message);
});

test('codes that cannot be used are INVALID_OPTIONS', () => {
  expect(() => scripted([], { server: { server: 1, codes: { staleRevision: [] } } })).toThrow(
    expect.objectContaining({ code: 'INVALID_OPTIONS' }),
  );
});

test('a code counts only with a status of its meaning', async () => {
  const { client } = scripted([failure(400, 'SLOW_DOWN'), failure(429, 'SLOW_DOWN')], {
    server: { server: 1, codes: { quotaExceeded: 'SLOW_DOWN' } },
  });
  expect(await getRejection(client.account())).toMatchObject({ code: 'SLOW_DOWN', status: 400, attempts: 1 });
  expect(await getRejection(client.account())).toMatchObject({
    code: 'SLOW_DOWN',
    meaning: 'quotaExceeded',
    limit: 'quota',
    attempts: 1,
  });
});

test('a replaced code has no meaning any more, and a 429 with an unknown code is retried', async () => {
  const { client, sent } = scripted([failure(429, 'QUOTA_EXCEEDED', retrySoon)], {
    server: { server: 1, codes: { quotaExceeded: 'SPENT' } },
  });
  const error = await getRejection(client.account());
  expect(error).toMatchObject({ code: 'QUOTA_EXCEEDED', limit: undefined });
  expect('meaning' in error).toBe(false);
  expect(error.message).toContain(
    "createClient({ server: { server: 1, codes: { quotaExceeded: 'QUOTA_EXCEEDED' } } })",
  );
  expect(sent).toHaveLength(4);
});

test('slashes at the end of a baseUrl are dropped in linear time', async () => {
  const slashes = '/'.repeat(200_000);
  const { client, sent } = scripted([failure(403, 'FORBIDDEN')], {
    baseUrl: `https://x.example/api/v1${slashes}`,
  });
  await getRejection(client.account());
  expect(sent[0]?.url).toBe('https://x.example/api/v1/me');
  // Many slashes that are not at the end took the time.
  expect(() => scripted([], { baseUrl: `https://x.example/${slashes}x` })).not.toThrow();
});

test('the default language is English', async () => {
  const { client, sent } = scripted([failure(403, 'FORBIDDEN')]);
  await getRejection(client.account());
  expect(sent[0]?.headers.get('accept-language')).toBe('en');
});

test('the environment gives key and base URL', async () => {
  vi.stubEnv('ORGCHAT_API_KEY', ' from-the-environment ');
  vi.stubEnv('ORGCHAT_BASE_URL', 'https://env.example.com/api/v1/');
  const seen: Request[] = [];
  const fetch = async (request: Request) => {
    seen.push(request);
    return Response.json(account);
  };
  await createClient({ fetch }).account();
  expect(seen[0]?.url).toBe('https://env.example.com/api/v1/me');
  expect(seen[0]?.headers.get('authorization')).toBe('Bearer from-the-environment');
  vi.unstubAllEnvs();
});

test('options of a wrong type are INVALID_OPTIONS, and those that are null are treated as absent', () => {
  const { remove: _, ...journal } = memoryJournal();
  for (const wrong of [{ fetch: {} }, { onEvent: {} }, { logger: 1 }, { journal }]) {
    expect(() => scripted([], wrong as never)).toThrow(expect.objectContaining({ code: 'INVALID_OPTIONS' }));
  }
  const absent = { fetch: null, onEvent: null, logger: null, journal: null };
  expect(() => scripted([], absent as never)).not.toThrow();
});

test.each([[null], ['key'], [[]], [7]])('createClient(%j) is INVALID_OPTIONS', (options) => {
  expect(() => createClient(options as never)).toThrow(
    expect.objectContaining({
      code: 'INVALID_OPTIONS',
      message: expect.stringMatching(
        /^createClient\(\) requires an object with options; got (null|string|array|number)\.$/,
      ),
    }),
  );
});

test('a logger and a journal may be instances of a class', () => {
  class Log {
    debug(): void {}
    info(): void {}
    warn(): void {}
  }
  const journal = Object.create(memoryJournal());
  expect(() => scripted([], { logger: new Log(), journal })).not.toThrow();
});

test('client.with() without options is a copy', async () => {
  const { client, sent } = scripted([failure(403, 'FORBIDDEN')], { headers: { 'x-team': 'a' } });
  for (const copy of [client.with(), client.with(null as never)]) await getRejection(copy.account());
  expect(sent.map(({ headers }) => headers.get('x-team'))).toEqual(['a', 'a']);
});
