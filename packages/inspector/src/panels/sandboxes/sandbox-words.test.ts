import { expect, test } from 'vitest';
import { describeCounts, splitAddress } from './sandbox-words.ts';

test.each([
  [0, 0, 'no request yet'],
  [1, 0, '1 request, none refused'],
  [3, 0, '3 requests, none refused'],
  [1200, 1100, '1,200 requests, 1,100 refused'],
])('%i requests of which %i are refused: %s', (requests, refused, text) => {
  expect(describeCounts({ requests, refused })).toBe(text);
});

test('an address breaks only behind its slashes', () => {
  const address = 'http://127.0.0.1:4010/_sandbox/sandbox-0000008c/api/v1';
  expect(splitAddress(address)).toEqual([
    'http://',
    '127.0.0.1:4010/',
    '_sandbox/',
    'sandbox-0000008c/',
    'api/',
    'v1',
  ]);
});
