import { expect, test } from 'vitest';
import { createFingerprint } from './fingerprint.ts';

const asked = ['create', 'tags', { name: 'VIP', color: 'pink', tags: ['a', 'b'] }];

test('the fingerprint is the same for inputs that the API treats as equal', () => {
  const same = ['create ', 'tags', { tags: ['a', ' b'], color: 'pink', name: ' VIP ' }];
  expect(createFingerprint(same)).toBe(createFingerprint(asked));
});

test.each([
  ['another value', ['create', 'tags', { name: 'VIP', color: 'blue', tags: ['a', 'b'] }]],
  ['another order of a list', ['create', 'tags', { name: 'VIP', color: 'pink', tags: ['b', 'a'] }]],
  ['a field less', ['create', 'tags', { name: 'VIP', tags: ['a', 'b'] }]],
  ['null for a field', ['create', 'tags', { name: 'VIP', color: null, tags: ['a', 'b'] }]],
  ['another resource', ['create', 'links', { name: 'VIP', color: 'pink', tags: ['a', 'b'] }]],
  ['other words', ['create tags', { name: 'VIP', color: 'pink', tags: ['a', 'b'] }]],
  ['another type', ['create', 'tags', { name: 'VIP', color: 'pink', tags: '["a","b"]' }]],
])('the fingerprint is different for %s', (_what, other) => {
  expect(createFingerprint(other)).not.toBe(createFingerprint(asked));
});
