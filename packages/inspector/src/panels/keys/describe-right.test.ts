import { expect, test } from 'vitest';
import { describeRight } from './describe-right.ts';

const key = { scope: 'write', revoked: false, suspended: false, editor: true } as const;

test.each([
  [{}, 'good', 'reads and writes'],
  [{ scope: 'read' }, 'warn', 'reads; a write gets 403: scope read'],
  [{ editor: false }, 'warn', 'reads; a write gets 403: creator is not an editor'],
  [{ suspended: true }, 'bad', 'every request gets 403: creator suspended'],
  [{ revoked: true, scope: 'read' }, 'bad', 'every request gets 401: revoked'],
] as const)('keys with the same effect have the same color: %j', (changes, tone, word) => {
  expect(describeRight({ ...key, ...changes })).toEqual({ tone, word });
});
