import { type ErrorDetails, OrgChatError } from '@orgchat/sdk';
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

test.each([new TypeError('x'), 'x', undefined, null])(
  'what is not an error of the SDK comes again (%s)',
  (error) => {
    expect(decideStatus(error)).toBe(503);
  },
);
