import { expect, test } from 'vitest';
import { countOf, countShown } from './count.ts';

test('one thing is counted in the singular', () => {
  expect([0, 1, 2, 10_000].map((n) => countOf(n, 'request'))).toEqual([
    '0 requests',
    '1 request',
    '2 requests',
    '10,000 requests',
  ]);
});

test('a part of a list is counted with the whole', () => {
  expect(countShown(1, 1, 'request')).toBe('1 request');
  expect(countShown(0, 1, 'request')).toBe('0 of 1 request');
  expect(countShown(1, 300, 'sandbox', 'sandboxes')).toBe('1 of 300 sandboxes');
});
