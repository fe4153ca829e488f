import { demoKeys } from '@orgchat/mock-server';
import type { ClientState, Step } from './client-step.ts';
import type { ApiRequest } from './connection.ts';
import { reading } from './inventory.ts';
import { getKey } from './seed.ts';

const nowhere = '99999999-0000-4000-8000-000000000000';

/** A request that the server rejects, and the expected error. */
export function invalidRequest({ random, number }: ClientState): Step {
  const step = (expected: string, request: ApiRequest): Step => ({
    kind: `${expected.slice(0, 3)} on purpose`,
    request,
    expected: [expected],
  });
  const post = (path: string, key: string | undefined, body: string | Uint8Array): ApiRequest => ({
    method: 'POST',
    path,
    key,
    body,
  });
  const writer = getKey('writer', number);
  const reader = getKey('reader', number);
  const tag = JSON.stringify({
    operationId: random.uuid(),
    change: { action: 'create-tags', data: { name: 'Never', color: 'green' } },
  });
  const invalid = random.pick<string | Uint8Array>([
    '',
    '{',
    '[]',
    'null',
    '{"resource":"nothing"}',
    '{"resource":"tags","limit":51}',
    '{"resource":"tags","unknown":true}',
    '{"resource":"tags","id":"no uuid"}',
    `{"resource":"tags","id":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
    Buffer.from([...Buffer.from('{"resource":"'), 0xff, 0xfe, ...Buffer.from('"}')]),
    `{"resource":"friends","search":"${'x'.repeat(100_000)}"}`,
  ]);
  return random.pick<() => Step>([
    () => step('400 INVALID_INPUT', post('/chat/read', reader, invalid)),
    () => step('400 INVALID_INPUT', post('/chat/changes', writer, tag.replace('"Never"', '""'))),
    () => step('400 INVALID_INPUT', post('/studio/read', reader, '{"resource":"projects","cursor":"no"}')),
    () => step('400 INVALID_INPUT', post('/sites/demo-site/keywords', writer, '{"keywords":[]}')),
    () => step('401 UNAUTHORIZED', { method: 'GET', path: '/me' }),
    () => step('401 UNAUTHORIZED', post('/chat/changes', demoKeys.revoked, tag)),
    () => step('401 UNAUTHORIZED', post('/chat/read', demoKeys.deletedOrganization, '{}')),
    () => step('403 FORBIDDEN', post('/chat/changes', reader, tag)),
    () => step('403 FORBIDDEN', post('/sites/demo-site/keywords', getKey('viewer', number), '{}')),
    () => step('403 SUSPENDED', post('/studio/read', demoKeys.suspended, '{}')),
    () => step('403 PLAN_REQUIRED', { method: 'GET', path: '/me', key: demoKeys.noApi }),
    () => step('404 NOT_FOUND', reading('/chat/read', reader, { resource: 'tags', id: nowhere })),
    () => step('404 NOT_FOUND', post('/sites/no-site/keywords', writer, '{"keywords":["x"]}')),
    () => step('404 NOT_FOUND', { method: 'GET', path: random.pick(['/', '/me/', '/Me', '/%', '/%ff']) }),
    () => step('405 METHOD_NOT_ALLOWED', { method: random.pick(['PUT', 'DELETE', 'OPTIONS']), path: '/me' }),
    () => step('405 METHOD_NOT_ALLOWED', { method: 'GET', path: '/chat/read', key: reader }),
  ])();
}
