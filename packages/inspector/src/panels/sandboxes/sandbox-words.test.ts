import { expect, test } from 'vitest';
import { describeCounts, describeRefused, describeShown, splitAddress } from './sandbox-words.ts';

test.each([
  [0, 0, 'no request yet'],
  [1, 0, '1 request, none refused'],
  [3, 0, '3 requests, none refused'],
  [1, 1, '1 of 1 refused'],
  [1200, 1100, '1,100 of 1,200 refused'],
])('%i requests of which %i are refused: %s', (requests, refused, text) => {
  expect(describeCounts({ requests, refused })).toBe(text);
});

const request = { operation: 'getAccount', applied: false, rewoundTo: null } as const;
const edit = { operation: null, applied: true, rewoundTo: null } as const;
const rewind = { operation: null, applied: false, rewoundTo: 'req-1' } as const;
const unknownPath = { operation: null, applied: false, rewoundTo: null } as const;

test.each([
  [[request], 1, false, 'It is:'],
  [[request, unknownPath, request], 3, false, 'All 3, newest first:'],
  [[request, edit, rewind], 1, false, 'It and 2 calls of the control API, newest first:'],
  [[request, edit, request], 2, false, 'All 2 and 1 call of the control API, newest first:'],
  [[request, request, request, request, request], 7, true, 'The last 5, newest first:'],
  [
    [request, edit, edit, edit, edit],
    1,
    true,
    'The last 1 request and 4 calls of the control API, newest first:',
  ],
  // The log has dropped the others.
  [[request, request], 7, false, 'The last 2, newest first:'],
])('what is shown of a log is named: %j of %i', (shown, requests, hasMore, text) => {
  expect(describeShown(shown, { requests }, hasMore)).toBe(text);
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

test('sandboxes with refusals are counted', () => {
  expect(describeRefused([{ refused: 0 }, { refused: 2 }, { refused: 1 }])).toBe(' · 2 with refusals');
  expect(describeRefused([{ refused: 0 }])).toBe('');
});
