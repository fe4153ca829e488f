import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { fromSources } from '../../test-support/from-sources.ts';

const program = fileURLToPath(new URL('write-page.ts', import.meta.url));

// A process of its own: the calls of a test's modules to each other take most of the time. Each command evaluates the
// bundle again, which is collected more cheaply in a larger young generation.
test.each([
  [
    'the command on each named server, with its description or without, is as docs/servers.md says',
    '--check-command',
  ],
  [
    'the command and the SDK, with or without a description, on servers of each pair of choices is the expected one',
    '--check-pairs',
  ],
  [
    'the command on a mock with a learned file works with the file, and works or refuses without it',
    '--check-twins',
  ],
])(
  'each use of %s',
  async (_, mode) => {
    const judged = promisify(execFile)(process.execPath, [
      '--max-semi-space-size=64',
      ...fromSources,
      program,
      mode,
    ]);
    expect(await judged.catch((error: unknown) => error)).toMatchObject({ stderr: '' });
  },
  600_000,
);
