import { createClient, type ErrorDetails, type FriendRef, OrgChatError } from '@orgchat/sdk';
import { expect, test } from 'vitest';
import { decideStatus } from './decide-status.ts';

const outcomes = ['applied', 'refused', 'abandoned', 'unknown', undefined] as const;
const meanings = [
  ...['invalidInput', 'notFound', 'inputConflict', 'staleRevision', 'uncertain', 'unauthorized', 'forbidden'],
  ...['planRequired', 'suspended', 'rateLimited', 'quotaExceeded', 'internalError', 'runtimeUnavailable'],
  ...['a meaning of tomorrow', undefined],
];

test.each(outcomes)('an error whose write is %s ends a delivery only if the order is wrong', (outcome) => {
  for (const meaning of meanings) {
    const details: ErrorDetails = { code: 'X', outcome, meaning };
    const isFinal =
      (outcome === 'refused' || outcome === undefined) &&
      (meaning === 'invalidInput' || meaning === 'notFound');
    expect(decideStatus(new OrgChatError('no', details))).toBe(isFinal ? 422 : 503);
  }
});

test.each(outcomes)(
  'an argument that the SDK refused ends a delivery only if nothing was sent: %s',
  (outcome) => {
    const details: ErrorDetails = { code: 'INVALID_INPUT', outcome };
    const isUnsent = outcome === 'abandoned' || outcome === undefined;
    expect(decideStatus(new OrgChatError('no', details))).toBe(isUnsent ? 422 : 503);
  },
);

test('an answer with the code of a refused argument, but without its meaning, comes again', () => {
  const details: ErrorDetails = { code: 'INVALID_INPUT', outcome: 'refused', status: 409 };
  expect(decideStatus(new OrgChatError('no', details))).toBe(503);
});

test('a call whose argument is wrong ends a delivery, and sends nothing', async () => {
  const client = createClient({
    apiKey: 'key',
    baseUrl: 'http://127.0.0.1:9/api/v1',
    fetch: () => Promise.reject(new Error('sent')),
  });
  const friend = { accountId: 'a' } as FriendRef;
  for (const call of [client.friends.enroll(friend, 'x'), client.friends.addTags(friend, ['x'])])
    expect(decideStatus(await call.catch((error: unknown) => error))).toBe(422);
});

test.each([new TypeError('x'), 'x', undefined, null])(
  'what is not an error of the SDK comes again (%s)',
  (error) => {
    expect(decideStatus(error)).toBe(503);
  },
);
