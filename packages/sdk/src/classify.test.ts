import { describe, expect, test } from 'vitest';
import { type Answer, answerOf, classify, type History, type Kind } from './classify.ts';

/*
 * Every combination, written out a second time in letters, so that a change of the table has to be meant twice.
 * a applied, r refused, u unknown, x abandoned; a capital allows another attempt.
 */
const expected: Record<Kind, Record<Answer, string>> = {
  read: {
    ok: 'aaa',
    unreadable: 'RRR',
    lost: 'RRR',
    unsent: 'RRR',
    interrupted: 'rrr',
    stopped: 'rrr',
    '400': 'rrr',
    '401': 'rrr',
    '403': 'rrr',
    '404': 'rrr',
    '408': 'RRR',
    '409 STALE_REVISION': 'rrr',
    '409 INPUT_CONFLICT': 'rrr',
    '409 OPERATION_UNCERTAIN': 'rrr',
    '409': 'rrr',
    '429': 'RRR',
    '429 QUOTA_EXCEEDED': 'rrr',
    '5xx': 'RRR',
    '301': 'rrr',
    '307': 'rrr',
    '308': 'rrr',
    '404 undefined': 'rrr',
    '404 RUNTIME_UNAVAILABLE': 'rrr',
    '3xx': 'rrr',
    '4xx': 'rrr',
  },
  //          fresh, given, ambiguous
  change: {
    ok: 'aaa',
    unreadable: 'UUU',
    lost: 'UUU',
    unsent: 'XXU',
    interrupted: 'uuu',
    stopped: 'xxu',
    '400': 'rru',
    '401': 'rru',
    '403': 'rru',
    '404': 'rrr',
    '408': 'UUU',
    '409 STALE_REVISION': 'rrr',
    '409 INPUT_CONFLICT': 'rrr',
    '409 OPERATION_UNCERTAIN': 'ruu',
    '409': 'ruu',
    '429': 'RRU',
    '429 QUOTA_EXCEEDED': 'rru',
    '5xx': 'UUU',
    '301': 'rru',
    '307': 'rru',
    '308': 'rru',
    '404 undefined': 'rru',
    '404 RUNTIME_UNAVAILABLE': 'rru',
    '3xx': 'uuu',
    '4xx': 'rru',
  },
  keywords: {
    ok: 'aaa',
    unreadable: 'uuu',
    lost: 'uuu',
    unsent: 'XXu',
    interrupted: 'uuu',
    stopped: 'xxu',
    '400': 'rru',
    '401': 'rru',
    '403': 'rru',
    '404': 'rru',
    '408': 'uuu',
    '409 STALE_REVISION': 'rru',
    '409 INPUT_CONFLICT': 'rru',
    '409 OPERATION_UNCERTAIN': 'ruu',
    '409': 'ruu',
    '429': 'RRu',
    '429 QUOTA_EXCEEDED': 'rru',
    '5xx': 'uuu',
    '301': 'rru',
    '307': 'rru',
    '308': 'rru',
    '404 undefined': 'rru',
    '404 RUNTIME_UNAVAILABLE': 'rru',
    '3xx': 'uuu',
    '4xx': 'rru',
  },
};

const histories: History[] = ['fresh', 'given', 'ambiguous'];
const letters = { applied: 'a', refused: 'r', unknown: 'u', abandoned: 'x' };
const rows = (['read', 'change', 'keywords'] as const).flatMap((kind) =>
  (Object.keys(expected[kind]) as Answer[]).flatMap((answer) =>
    histories.map((history, column) => ({ kind, answer, history, says: expected[kind][answer][column] })),
  ),
);

test.each(rows)('$kind, $history, $answer: $says', ({ kind, history, answer, says }) => {
  const { outcome, again } = classify(kind, history, answer);
  expect(again ? letters[outcome].toUpperCase() : letters[outcome]).toBe(says);
});

describe('what holds for the whole table', () => {
  test('a keyword write that may have arrived is never sent again', () => {
    for (const { kind, answer, history } of rows.filter(({ kind }) => kind === 'keywords')) {
      const { outcome, again } = classify(kind, history, answer);
      if (outcome === 'unknown') expect(again).toBe(false);
      if (history === 'ambiguous') expect(again).toBe(false);
    }
  });

  test('only a promised answer is success', () => {
    for (const { kind, answer, history } of rows) {
      expect(classify(kind, history, answer).outcome === 'applied').toBe(answer === 'ok');
    }
  });

  test('after an ambiguous attempt a write is settled only from past the replay step', () => {
    for (const { answer } of rows.filter(({ kind }) => kind === 'change')) {
      const isSettled = classify('change', 'ambiguous', answer).outcome !== 'unknown';
      expect(isSettled, answer).toBe(
        ['ok', '404', '409 STALE_REVISION', '409 INPUT_CONFLICT'].includes(answer),
      );
    }
  });

  test('400, 401, 403, 404 and 409 are never tried again', () => {
    const final: Answer[] = [
      '400',
      '401',
      '403',
      '404',
      '409 STALE_REVISION',
      '409 INPUT_CONFLICT',
      '409 OPERATION_UNCERTAIN',
      '409',
    ];
    for (const { kind, history } of rows) {
      for (const answer of final) expect(classify(kind, history, answer).again).toBe(false);
    }
  });
});

test.each([
  [301, undefined, '301'],
  [302, undefined, '3xx'],
  [303, undefined, '3xx'],
  [307, undefined, '307'],
  [308, undefined, '308'],
  [304, undefined, '3xx'],
  [0, undefined, '3xx'],
  [400, 'INVALID_INPUT', '400'],
  [401, 'UNAUTHORIZED', '401'],
  [403, 'FORBIDDEN', '403'],
  [404, 'NOT_FOUND', '404'],
  [404, undefined, '404 undefined'],
  [404, 'RUNTIME_UNAVAILABLE', '404 RUNTIME_UNAVAILABLE'],
  [405, 'METHOD_NOT_ALLOWED', '4xx'],
  [408, undefined, '408'],
  [409, 'STALE_REVISION', '409 STALE_REVISION'],
  [409, 'INPUT_CONFLICT', '409 INPUT_CONFLICT'],
  [409, 'OPERATION_UNCERTAIN', '409 OPERATION_UNCERTAIN'],
  [409, 'toString', '409'],
  [409, 'A_CODE_OF_TOMORROW', '409'],
  [409, undefined, '409'],
  [413, undefined, '4xx'],
  [422, 'X', '4xx'],
  [429, 'RATE_LIMITED', '429'],
  [429, 'A_CODE_OF_TOMORROW', '429'],
  [429, undefined, '429'],
  [429, 'QUOTA_EXCEEDED', '429 QUOTA_EXCEEDED'],
  [500, 'INTERNAL_ERROR', '5xx'],
  [502, 'RUNTIME_UNAVAILABLE', '5xx'],
  [503, undefined, '5xx'],
  [599, undefined, '5xx'],
] as const)('status %i with code %s is %s', (status, code, answer) => {
  expect(answerOf(status, code)).toBe(answer);
});
