import { expect, it } from 'vitest';
import { runExample } from '../../test/test-support/run-example.ts';

it('reads, creates, changes and deletes', async () => {
  expect(await runExample('quick-start')).toBe(
    [
      'scope: write, requests per minute: 60',
      'a page of 2, limited: true',
      'all tags counted: true',
      'created Regular, replayed: false',
      'changed to Regular guest',
      'deleted: true',
      '',
    ].join('\n'),
  );
});
