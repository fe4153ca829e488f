import { expect, test } from 'vitest';
import type { ListedKey } from '../../control-api/types.ts';
import { describeRight, sortByRight } from './describe-right.ts';

const key = { scope: 'write', revoked: false, suspended: false, editor: true } as const;

test.each([
  [{}, 'good', 'reads and writes', undefined],
  [{ scope: 'read' }, 'warn', 'reads; a write gets 403: scope read', 'scope'],
  [{ editor: false }, 'warn', 'reads; a write gets 403: creator is not an editor', 'editor'],
  [{ suspended: true }, 'bad', 'every request gets 403: creator suspended', 'suspended'],
  [{ revoked: true, scope: 'read' }, 'bad', 'every request gets 401: revoked', 'revoked'],
] as const)('keys with the same effect have the same color: %j', (changes, tone, word, cause) => {
  expect(describeRight({ ...key, ...changes })).toEqual({ tone, word, cause });
});

test('the keys that work are first', () => {
  const toKey = (name: string, changes: object) => ({ ...key, name, ...changes }) as ListedKey;
  const keys = [toKey('a', { scope: 'read' }), toKey('b', { revoked: true }), toKey('c', {}), toKey('d', {})];
  expect(sortByRight(keys).map(({ name }) => name)).toEqual(['c', 'd', 'a', 'b']);
});
