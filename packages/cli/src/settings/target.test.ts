import { expect, test } from 'vitest';
import { canonicalUrl, resolveTarget } from './target.ts';

test.each([
  ['https://API.example.com/api/v1/', 'https://api.example.com/api/v1'],
  ['https://api.example.com:443/api/v1//', 'https://api.example.com/api/v1'],
  ['http://127.0.0.1:4010/api/v1', 'http://127.0.0.1:4010/api/v1'],
  ['https://api.example.com/API/v1', 'https://api.example.com/API/v1'],
])('%s is the address %s', (given, canonical) => {
  expect(canonicalUrl(given)).toBe(canonical);
});

test('a command knows an address in one spelling, however it was given', async () => {
  const env = { ORGCHAT_BASE_URL: 'HTTPS://Api.Example.com/api/v1/', ORGCHAT_API_KEY: 'key' };
  expect(await resolveTarget({}, env)).toMatchObject({ baseUrl: 'https://api.example.com/api/v1' });
});
