import { expect, test } from 'vitest';
import { splitSandboxPath } from './sandbox-path.ts';

test.each([
  ['/api/v1/me', '', undefined, '/api/v1/me'],
  ['/_sandbox/one/api/v1/me?a=/_sandbox/b', '/_sandbox/one', 'one', '/api/v1/me?a=/_sandbox/b'],
  ['/_sandbox/one/_sandbox/two/_mock', '/_sandbox/one/_sandbox/two', 'two', '/_mock'],
  ['/_sandbox/one', '/_sandbox/one', 'one', ''],
  ['/_sandbox/one?a=1', '/_sandbox/one', 'one', '?a=1'],
  ['/_sandbox/', '', undefined, '/_sandbox/'],
])('%s leads to a sandbox, or to none', (path, prefix, sandboxId, rest) => {
  expect(splitSandboxPath(path)).toEqual({ prefix, sandboxId, rest });
});
