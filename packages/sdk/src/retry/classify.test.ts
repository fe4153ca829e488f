import { describe, expect, test } from 'vitest';
import { type Answer, classify, type Kind, type OperationHistory, toAnswer } from './classify.ts';

/*
 * Every combination, written out a second time in letters, so that a change of the table has to be meant twice.
 * a applied, r refused, u unknown, x abandoned; a capital allows another attempt. Columns: fresh, given, ambiguous.
 */
const columns: Record<Answer, Record<Kind, string>> = {
  ok: { read: 'aaa', change: 'aaa', keywords: 'aaa' },
  'not-applied': { read: 'rrr', change: 'rrr', keywords: 'rru' },
  unreadable: { read: 'RRR', change: 'UUU', keywords: 'uuu' },
  'too-large': { read: 'rrr', change: 'uuu', keywords: 'uuu' },
  lost: { read: 'RRR', change: 'UUU', keywords: 'uuu' },
  unsent: { read: 'RRR', change: 'XXU', keywords: 'XXu' },
  'unsent-permanently': { read: 'rrr', change: 'xxu', keywords: 'xxu' },
  interrupted: { read: 'rrr', change: 'uuu', keywords: 'uuu' },
  stopped: { read: 'rrr', change: 'xxu', keywords: 'xxu' },
  '301': { read: 'rrr', change: 'rru', keywords: 'rru' },
  '307': { read: 'rrr', change: 'rru', keywords: 'rru' },
  '308': { read: 'rrr', change: 'rru', keywords: 'rru' },
  '3xx': { read: 'rrr', change: 'uuu', keywords: 'uuu' },
  '400': { read: 'rrr', change: 'rru', keywords: 'rru' },
  '401': { read: 'rrr', change: 'rru', keywords: 'rru' },
  '403': { read: 'rrr', change: 'rru', keywords: 'rru' },
  '404': { read: 'rrr', change: 'ruu', keywords: 'rru' },
  '404 foreign': { read: 'RRR', change: 'RUU', keywords: 'rru' },
  '404 notFound': { read: 'rrr', change: 'rrr', keywords: 'rru' },
  '404 runtimeUnavailable': { read: 'RRR', change: 'UUU', keywords: 'rru' },
  '405': { read: 'rrr', change: 'rru', keywords: 'rru' },
  '408': { read: 'RRR', change: 'UUU', keywords: 'uuu' },
  '409': { read: 'rrr', change: 'uuu', keywords: 'uuu' },
  '409 staleRevision': { read: 'rrr', change: 'rrr', keywords: 'rru' },
  '409 inputConflict': { read: 'rrr', change: 'ruu', keywords: 'rru' },
  '409 intentKnown': { read: 'rrr', change: 'uuu', keywords: 'uuu' },
  '409 uncertain': { read: 'rrr', change: 'uuu', keywords: 'uuu' },
  '413': { read: 'rrr', change: 'rru', keywords: 'rru' },
  '414': { read: 'rrr', change: 'rru', keywords: 'rru' },
  '415': { read: 'rrr', change: 'rru', keywords: 'rru' },
  '429': { read: 'RRR', change: 'RRU', keywords: 'RRu' },
  '429 quotaExceeded': { read: 'rrr', change: 'rru', keywords: 'rru' },
  '431': { read: 'rrr', change: 'rru', keywords: 'rru' },
  '4xx': { read: 'rrr', change: 'ruu', keywords: 'rru' },
  '5xx': { read: 'RRR', change: 'UUU', keywords: 'uuu' },
};

const kinds: readonly Kind[] = ['read', 'change', 'keywords'];
const histories: readonly OperationHistory[] = ['fresh', 'given', 'ambiguous'];
const letters = { applied: 'a', refused: 'r', unknown: 'u', abandoned: 'x' };
const answers = Object.keys(columns) as Answer[];
const rows = kinds.flatMap((kind) =>
  answers.flatMap((answer) =>
    histories.map((history, column) => ({ kind, answer, history, says: columns[answer][kind][column] })),
  ),
);

test.each(rows)('$kind, $history, $answer: $says', ({ kind, history, answer, says }) => {
  const { outcome, isRetryable } = classify(kind, history, answer);
  expect(isRetryable ? letters[outcome].toUpperCase() : letters[outcome]).toBe(says);
});

describe('the rules of the whole table', () => {
  test('a keyword write that may have arrived is never sent again', () => {
    for (const { kind, answer, history } of rows.filter(({ kind }) => kind === 'keywords')) {
      const { outcome, isRetryable } = classify(kind, history, answer);
      if (outcome === 'unknown') expect(isRetryable).toBe(false);
      if (history === 'ambiguous') expect(isRetryable).toBe(false);
    }
  });

  test('only a promised answer is success', () => {
    for (const { kind, answer, history } of rows) {
      expect(classify(kind, history, answer).outcome === 'applied').toBe(answer === 'ok');
    }
  });

  test('after an ambiguous attempt a change is settled only by an answer from past the replay step', () => {
    for (const answer of answers) {
      const isSettled = classify('change', 'ambiguous', answer).outcome !== 'unknown';
      const proofs = ['ok', 'not-applied', '404 notFound', '409 staleRevision'];
      expect(isSettled, answer).toBe(proofs.includes(answer));
    }
  });

  test('a 409 or a 404 without a known meaning never settles an id that may have been used before', () => {
    for (const history of ['given', 'ambiguous'] as const) {
      for (const answer of ['404', '409'] as const) {
        expect(classify('change', history, answer).outcome).toBe('unknown');
      }
    }
    expect(classify('change', 'fresh', '409').outcome).toBe('unknown');
  });

  test('400, 401, 403, 409 and a 404 that may be about a record are never retried', () => {
    const outages: readonly Answer[] = ['404 foreign', '404 runtimeUnavailable'];
    const final = answers.filter((answer) => /^40[01349]/.test(answer) && !outages.includes(answer));
    expect(final).toHaveLength(10);
    for (const { kind, history } of rows) {
      for (const answer of final) expect(classify(kind, history, answer).isRetryable).toBe(false);
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
  [400, 'invalidInput', '400'],
  [401, 'unauthorized', '401'],
  [403, 'forbidden', '403'],
  [404, 'notFound', '404 notFound'],
  [404, undefined, '404'],
  [404, 'runtimeUnavailable', '404 runtimeUnavailable'],
  [405, 'methodNotAllowed', '405'],
  [408, undefined, '408'],
  [409, 'staleRevision', '409 staleRevision'],
  [409, 'inputConflict', '409 inputConflict'],
  [409, 'uncertain', '409 uncertain'],
  [409, undefined, '409'],
  [413, undefined, '413'],
  [422, undefined, '4xx'],
  [429, 'rateLimited', '429'],
  [429, undefined, '429'],
  [429, 'quotaExceeded', '429 quotaExceeded'],
  [431, undefined, '431'],
  [500, 'internalError', '5xx'],
  [502, 'runtimeUnavailable', '5xx'],
  [503, undefined, '5xx'],
  [599, undefined, '5xx'],
] as const)('status %i with the meaning %s is %s', (status, meaning, answer) => {
  expect(toAnswer(status, meaning)).toBe(answer);
});
