import { describe, expect, test } from 'vitest';
import { canonicalUrl, resolveTarget } from './api-target.ts';

test.each([
  ['https://API.example.com/api/v1/', 'https://api.example.com/api/v1'],
  ['https://api.example.com:443/api/v1//', 'https://api.example.com/api/v1'],
  ['http://127.0.0.1:4010/api/v1', 'http://127.0.0.1:4010/api/v1'],
  ['https://api.example.com/API/v1', 'https://api.example.com/API/v1'],
])('%s is the address %s', (given, canonical) => {
  expect(canonicalUrl(given)).toBe(canonical);
});

test('an address of many slashes is read in linear time', () => {
  const many = '/'.repeat(300_000);
  expect(canonicalUrl(`https://api.example.com${many}v1${many}`)).toBe(`https://api.example.com${many}v1`);
});

test('a command knows an address in one spelling, however it was given', async () => {
  const env = { ORGCHAT_BASE_URL: 'HTTPS://Api.Example.com/api/v1/', ORGCHAT_API_KEY: 'key' };
  expect(await resolveTarget({}, env)).toMatchObject({ baseUrl: 'https://api.example.com/api/v1' });
});

describe('an address', () => {
  test.each([
    ['http://api.example.com/api/v1', 1],
    ['http://10.0.0.1:4010/api/v1', 1],
    ['https://api.example.com/api/v1', 0],
    ['http://localhost:4010/api/v1', 0],
    ['http://127.0.0.1:4010/api/v1', 0],
    ['http://[::1]:4010/api/v1', 0],
    ['http://localhost.evil.example/api/v1', 1],
  ])('%s has %i warnings', async (ORGCHAT_BASE_URL, count) => {
    const target = await resolveTarget({}, { ORGCHAT_BASE_URL, ORGCHAT_API_KEY: 'key' });
    expect(target.addressWarnings).toHaveLength(count);
  });
});
