import { expect, test } from 'vitest';
import { findProxy } from './proxy-settings.ts';

const proxy = 'http://proxy.example:3128';
const other = 'http://other.example:3128';
const api = 'https://api.example.com/api/v1';
const plain = 'http://api.example.com/api/v1';

const through = (address: string, env: NodeJS.ProcessEnv) => {
  const { href } = findProxy(address, env) ?? {};
  return href?.replace(/\/$/, '');
};

test.each([
  [api, proxy],
  ['https://localhost:4010/api/v1', undefined],
  ['https://api.localhost/api/v1', undefined],
  ['https://127.8.9.10/api/v1', undefined],
  ['https://[::1]:4010/api/v1', undefined],
  ['https://127.0.0.1.example.com/api/v1', proxy],
  ['https://128.0.0.1/api/v1', proxy],
])('%s goes through %s', (address, expected) => {
  expect(through(address, { https_proxy: proxy })).toBe(expected);
  expect(through(address, { HTTPS_PROXY: '' })).toBeUndefined();
});

test.each([
  [plain, { HTTP_PROXY: proxy }, proxy],
  [plain, { HTTPS_PROXY: proxy }, undefined],
  [plain, { HTTP_PROXY: proxy, http_proxy: '' }, undefined],
  [api, { HTTP_PROXY: proxy }, proxy],
  [api, { HTTP_PROXY: proxy, HTTPS_PROXY: other }, other],
  [api, { HTTPS_PROXY: proxy, https_proxy: other }, other],
  [api, { HTTPS_PROXY: 'proxy.example:3128' }, proxy],
])('%s with %j goes through %s', (address, env, expected) => {
  expect(through(address, env)).toBe(expected);
});

test.each([
  ['api.example.com', undefined],
  ['.example.com', undefined],
  ['*.Example.com', undefined],
  ['example.com:443', undefined],
  ['other.test, example.com', undefined],
  ['*', undefined],
  ['', proxy],
  ['ample.com', proxy],
  ['example.com:8443', proxy],
  ['api.example.com.test', proxy],
])('NO_PROXY=%s leaves %s', (NO_PROXY, expected) => {
  expect(through(api, { HTTPS_PROXY: proxy, NO_PROXY })).toBe(expected);
});

test.each(['socks5://me:secret@proxy.example', 'http://', 'a b'])(
  '%s is not a valid proxy, and is not repeated',
  (given) => {
    expect(() => findProxy(api, { HTTPS_PROXY: given })).toThrow(/^HTTPS_PROXY or HTTP_PROXY is not a valid/);
  },
);
