import { expect, it } from 'vitest';
import { runExample } from '../../test/test-support/run-example.ts';

it('finishes after a crash what was started before it', async () => {
  expect(await runExample('crash-and-resume', { isBundled: false })).toBe(
    [
      'the process ended by SIGKILL',
      'found: create-tags, pending',
      'finished: applied, replayed: true',
      'requests: 2, operation ids: 1',
      'tags named "Survivor": 1',
      '',
    ].join('\n'),
  );
});
