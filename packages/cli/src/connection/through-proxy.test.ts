import { expect, test } from 'vitest';
import { proxyFor } from './through-proxy.ts';

const proxy = 'http://proxy.example:3128';

test.each([
  ['https://api.example.com/api/v1', proxy],
  ['http://localhost:4010/api/v1', undefined],
  ['http://api.localhost/api/v1', undefined],
  ['http://127.8.9.10/api/v1', undefined],
  ['http://[::1]:4010/api/v1', undefined],
  ['http://127.0.0.1.example.com/api/v1', proxy],
  ['http://128.0.0.1/api/v1', proxy],
])('%s goes through %s', (url, through) => {
  expect(proxyFor(url, { https_proxy: proxy })).toBe(through);
  expect(proxyFor(url, { HTTPS_PROXY: '' })).toBeUndefined();
});
