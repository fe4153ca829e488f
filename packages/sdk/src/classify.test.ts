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
    invalid: 'rrr',
    unauthorized: 'rrr',
    forbidden: 'rrr',
    missing: 'rrr',
    timeout: 'RRR',
    stale: 'rrr',
    'input-conflict': 'rrr',
    uncertain: 'rrr',
    conflict: 'rrr',
    limited: 'RRR',
    quota: 'rrr',
    server: 'RRR',
    moved: 'rrr',
    redirected: 'rrr',
    other: 'rrr',
  },
  //          fresh, given, ambiguous
  change: {
    ok: 'aaa',
    unreadable: 'UUU',
    lost: 'UUU',
    unsent: 'XXU',
    interrupted: 'uuu',
    stopped: 'xxu',
    invalid: 'rru',
    unauthorized: 'rru',
    forbidden: 'rru',
    missing: 'rrr',
    timeout: 'UUU',
    stale: 'rrr',
    'input-conflict': 'rrr',
    uncertain: 'ruu',
    conflict: 'ruu',
    limited: 'RRU',
    quota: 'rru',
    server: 'UUU',
    moved: 'rru',
    redirected: 'uuu',
    other: 'rru',
  },
  keywords: {
    ok: 'aaa',
    unreadable: 'uuu',
    lost: 'uuu',
    unsent: 'XXu',
    interrupted: 'uuu',
    stopped: 'xxu',
    invalid: 'rru',
    unauthorized: 'rru',
    forbidden: 'rru',
    missing: 'rru',
    timeout: 'uuu',
    stale: 'rru',
    'input-conflict': 'rru',
    uncertain: 'ruu',
    conflict: 'ruu',
    limited: 'RRu',
    quota: 'rru',
    server: 'uuu',
    moved: 'rru',
    redirected: 'uuu',
    other: 'rru',
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
      expect(isSettled, answer).toBe(['ok', 'missing', 'stale', 'input-conflict'].includes(answer));
    }
  });

  test('400, 401, 403, 404 and 409 are never tried again', () => {
    const final: Answer[] = [
      'invalid',
      'unauthorized',
      'forbidden',
      'missing',
      'stale',
      'input-conflict',
      'uncertain',
      'conflict',
    ];
    for (const { kind, history } of rows) {
      for (const answer of final) expect(classify(kind, history, answer).again).toBe(false);
    }
  });
});

test.each([
  [301, undefined, 'moved'],
  [302, undefined, 'redirected'],
  [303, undefined, 'redirected'],
  [307, undefined, 'moved'],
  [308, undefined, 'moved'],
  [304, undefined, 'redirected'],
  [0, undefined, 'redirected'],
  [400, 'INVALID_INPUT', 'invalid'],
  [401, 'UNAUTHORIZED', 'unauthorized'],
  [403, 'FORBIDDEN', 'forbidden'],
  [404, 'NOT_FOUND', 'missing'],
  [404, undefined, 'other'],
  [405, 'METHOD_NOT_ALLOWED', 'other'],
  [408, undefined, 'timeout'],
  [409, 'STALE_REVISION', 'stale'],
  [409, 'INPUT_CONFLICT', 'input-conflict'],
  [409, 'OPERATION_UNCERTAIN', 'uncertain'],
  [409, 'toString', 'conflict'],
  [409, 'A_CODE_OF_TOMORROW', 'conflict'],
  [409, undefined, 'conflict'],
  [413, undefined, 'other'],
  [422, 'X', 'other'],
  [429, 'RATE_LIMITED', 'limited'],
  [429, 'A_CODE_OF_TOMORROW', 'limited'],
  [429, undefined, 'limited'],
  [429, 'QUOTA_EXCEEDED', 'quota'],
  [500, 'INTERNAL_ERROR', 'server'],
  [502, 'RUNTIME_UNAVAILABLE', 'server'],
  [503, undefined, 'server'],
  [599, undefined, 'server'],
] as const)('status %i with code %s is %s', (status, code, answer) => {
  expect(answerOf(status, code)).toBe(answer);
});
