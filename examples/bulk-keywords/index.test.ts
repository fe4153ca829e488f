import { expect, it } from 'vitest';
import { runExample } from '../../test/test-support/run-example.ts';

it('adds each keyword once and reports unknown outcomes', async () => {
  expect(await runExample('bulk-keywords')).toBe(
    [
      'added: 150, unknown: keyword 101 to keyword 150',
      'requests: 4',
      'added: 150, unknown: keyword 101 to keyword 150',
      'requests: 4',
      'on the site: 200',
      '',
    ].join('\n'),
  );
});
