import { expect, test } from 'vitest';
import { wasStale } from './entries.ts';

test.each([
  [2, { code: 'VERSION_CHANGED', meaning: 'staleRevision' }, true],
  // In format 2 the code alone says nothing: another server may mean something else by it.
  [2, { code: 'STALE_REVISION' }, false],
  [2, { code: 'INPUT_CONFLICT', meaning: 'inputConflict' }, false],
  [1, { code: 'STALE_REVISION' }, true],
  [1, { code: 'INPUT_CONFLICT' }, false],
  [1, undefined, false],
  [2, undefined, false],
] as const)('an entry of format %s with the error %j was stale: %s', (format, error, isStale) => {
  expect(wasStale({ format, error })).toBe(isStale);
});
