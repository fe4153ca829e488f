import { expect, test, vi } from 'vitest';
import { errorOf } from '../test-support/rejection.ts';
import { failure, scripted } from '../test-support/scripted.ts';
import { createClient } from './index.ts';

test.each([
  [{ baseUrl: 'nonsense' }, /baseUrl/],
  [{ baseUrl: 'ftp://x.example' }, /http/],
  [{ baseUrl: 'https://user:pass@x.example' }, /without user or query/],
  [{ baseUrl: 'https://x.example/?q' }, /query/],
  [{ timeoutMs: 0 }, /timeoutMs/],
  [{ retry: { maxAttempts: 0 } }, /maxAttempts/],
  [{ pacing: { perMinute: -1 } }, /perMinute/],
  [{ pacing: { perMinute: 0.5 } }, /perMinute must be 1 or more/],
  [{ apiKey: '' }, /ORGCHAT_API_KEY/],
  [{ language: 'fr' as 'ja' }, /language must be en or ja/],
])('an error of options %j is thrown at once', (options, message) => {
  expect(() => scripted([], options)).toThrow(message);
});

test('the server is asked for English where no other language is chosen', async () => {
  const { client, sent } = scripted([failure(403, 'FORBIDDEN')]);
  await errorOf(client.account());
  expect(sent[0]?.headers.get('accept-language')).toBe('en');
});

test('the environment gives key and base URL', async () => {
  vi.stubEnv('ORGCHAT_API_KEY', ' from-the-environment ');
  vi.stubEnv('ORGCHAT_BASE_URL', 'https://env.example.com/api/v1/');
  const seen: Request[] = [];
  const fetch = async (request: Request) => {
    seen.push(request);
    return Response.json({ organizationId: 'o', key: {}, api: {} });
  };
  await createClient({ fetch }).account();
  expect(seen[0]?.url).toBe('https://env.example.com/api/v1/me');
  expect(seen[0]?.headers.get('authorization')).toBe('Bearer from-the-environment');
  vi.unstubAllEnvs();
});
