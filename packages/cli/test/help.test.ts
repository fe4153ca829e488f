import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { useCli } from '../test-support/harness.ts';

const cli = useCli({ inProcess: true });

describe('help', () => {
  test('lists exit codes, environment and examples', async () => {
    expect((await cli.run(['help', 'exit-codes'])).stdout).toMatch(/ 7 +outcome unknown/);
    expect((await cli.run(['help', 'environment'])).stdout).toContain('ORGCHAT_API_KEY_FILE');
    expect((await cli.run(['help', 'tags', 'create'])).stdout).toContain(
      'Examples:\n  $ orgchat tags create',
    );
    expect((await cli.run([])).code).toBe(0);
  });

  test('completion offers the values of the contract', async () => {
    const { stdout } = await cli.run(['complete', '--', 'tags', 'create', '--color', '']);
    expect(stdout.split('\n')[4]).toMatch(/^pink\t/);
    expect((await cli.run(['completion', 'fish'])).stdout).toContain('complete -c orgchat');
    const list = await cli.run(['complete', '--', 'config', 'export', '--resources', 'tags,']);
    expect(list.stdout).toContain('tags,links\t');
    expect(list.stdout).not.toContain('tags,tags');
  });

  test.each([
    [
      ['tags', 'create', '--color', 'p'],
      ['purple', 'pink'],
    ],
    // So bash takes --color=p apart.
    [
      ['tags', 'create', '--color', '=', 'p'],
      ['purple', 'pink'],
    ],
    [['config', 'export', '--resources', 'tags,l'], ['tags,links']],
    [['config', 'export', '--resources', '=', 'l'], ['links']],
    [['tags', 'create', '--col'], ['--color']],
    [['schema', 'set-'], ['set-friend-tags']],
    [
      ['mock', 'sandbox', ''],
      ['create', 'list', 'drop'],
    ],
  ])('bash completes %j', async (words, expected) => {
    const { stdout: script } = await cli.run(['completion', 'bash']);
    const ask = `orgchat() { "${process.execPath}" "${cli.command}" "$@"; }
COMP_WORDS=(orgchat "$@"); COMP_CWORD=$#; _orgchat; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)('bash', ['-c', `${script}\n${ask}`, 'bash', ...words]);
    expect(stdout.trim().split('\n')).toEqual(expected);
  });
});
