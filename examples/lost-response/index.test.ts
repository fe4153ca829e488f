import { expect, it } from 'vitest';
import { runExample } from '../../test/test-support/run-example.ts';

it('[6.6] a change whose answer was lost is replayed and applied once', async () => {
  expect(await runExample('lost-response')).toBe(
    [
      'attempt 1: lost',
      'attempt 2: ok',
      'applied: true, replayed: true',
      'requests: 2, operation ids: 1, times applied: 1',
      'tags named "Lost and found": 1',
      '',
    ].join('\n'),
  );
});
