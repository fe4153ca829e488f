import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { quoteForShell, toCurl } from './curl.ts';

const baseUrl = 'http://127.0.0.1:4010/api/v1';
const request = (body: unknown, headers: Record<string, string> = {}) => ({
  query: '',
  headers: { authorization: 'Bearer demo***ey', 'content-type': 'application/json', ...headers },
  body,
  bodyBytes: 1,
  bodyKept: 'complete' as const,
});

test('a change is a command with its body and no key', () => {
  const body = { operationId: '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21', change: { action: 'create-tags' } };
  expect(toCurl({ method: 'POST', path: '/chat/changes', request: request(body) }, baseUrl)).toBe(
    `curl -X POST http://127.0.0.1:4010/api/v1/chat/changes \\
  -H "Authorization: Bearer $ORGCHAT_API_KEY" \\
  -H 'content-type: application/json' \\
  --data-raw '{"operationId":"6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21","change":{"action":"create-tags"}}'`,
  );
});

test('a language is asked for again, unless any was good', () => {
  const copy = (language: string): string =>
    toCurl(
      { method: 'POST', path: '/chat/read', request: request({}, { 'accept-language': language }) },
      baseUrl,
    );
  expect(copy('ja')).toContain("-H 'accept-language: ja'");
  expect(copy('*')).not.toContain('accept-language');
});

test('a read without a body is one line, and headers of the connection are left out', () => {
  const sent = {
    ...request(null, { host: 'x', 'user-agent': 'y' }),
    headers: { host: 'x', connection: 'close' },
  };
  expect(toCurl({ method: 'GET', path: '/me', request: { ...sent, query: 'a=1&b=2' } }, baseUrl)).toBe(
    "curl 'http://127.0.0.1:4010/api/v1/me?a=1&b=2'",
  );
});

test('a body that was cut off is not sent', () => {
  const sent = { ...request('{"a'), bodyKept: 'truncated' as const };
  expect(toCurl({ method: 'POST', path: '/chat/read', request: sent }, baseUrl)).not.toContain('--data');
});

test.each(["it's", '$(reboot) `id`', 'a\nb', '日本語 "x" \\', "'", ''])('a shell reads back %j', (text) => {
  expect(execFileSync('sh', ['-c', `printf %s ${quoteForShell(text)}`], { encoding: 'utf8' })).toBe(text);
});
