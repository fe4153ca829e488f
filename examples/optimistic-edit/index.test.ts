import { expect, it } from 'vitest';
import { runExample } from '../../test/test-support/run-example.ts';

it('never overwrites a version it has not read', async () => {
  expect(await runExample('optimistic-edit')).toBe(
    [
      'update: stale, and the rival’s name is not lost',
      'edit: Regular guest, blue',
      'gave up; all versions at hand: true',
      'operations: applied, refused, applied, refused, refused, refused',
      '',
    ].join('\n'),
  );
});
