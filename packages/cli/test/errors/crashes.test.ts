import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { Harness } from '../../test-support/harness.ts';

const cli = new Harness({ inProcess: true, variant: 'crashing' });
afterAll(() => cli.end());

const source = readFileSync(new URL('../../src/commands/account.ts', import.meta.url), 'utf8');
const line = source.split('\n').findIndex((text) => text.includes('async (context) => {')) + 1;

describe.each([
  ['a process of its own', true],
  ['the process of the tests', false],
])('a bug of a command in %s', (_where, ownProcess) => {
  test('is shown with the files and lines of the sources by --debug', async () => {
    const { code, stderr } = await cli.run(['account', '--debug'], { ownProcess });
    expect(code).toBe(1);
    const frames = stderr.split('\n').filter((text) => text.startsWith('debug:     at '));
    expect(frames[0]).toContain(`/src/commands/account.ts:${line}:`);
    expect(stderr).toContain('debug: TypeError: planted\n');
    expect(stderr).toMatch(/\/src\/define-command\.ts:\d+:\d+\)$/m);
    expect(stderr).not.toContain('cli.cjs');
  });

  test('is one sentence without --debug', async () => {
    const { stderr } = await cli.run(['account', '--format', 'table'], { ownProcess });
    expect(stderr).toBe(
      'orgchat: Internal error: planted\n  next: Run the command with --debug and report the output.\n',
    );
  });
});
