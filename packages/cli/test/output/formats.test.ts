import { describe, expect, test } from 'vitest';
import { displayWidth } from '../../src/output/display-width.ts';
import { useCli } from '../../test-support/harness.ts';
import { typing } from '../../test-support/terminal.ts';

const cli = useCli({ inProcess: true });

describe('formats', () => {
  test('without a terminal the default is JSON', async () => {
    const list = (...format: string[]) => cli.run(['tags', 'list', '--fields', 'name,color', ...format]);
    expect((await list()).json).toContainEqual({ name: 'VIP', color: 'pink' });
    const ndjson = await list('--format', 'ndjson');
    expect(ndjson.stdout.trim().split('\n').at(-1)).toBe('{"name":"VIP","color":"pink"}');
    expect((await list('--format', 'yaml')).stdout).toContain('- name: VIP\n  color: pink\n');
    expect((await list('--format', 'table')).stdout).toMatch(/^NAME +COLOR\n/);
  });

  test('text of other people cannot control the terminal', async () => {
    const name = 'a\u001b[2Jb\u202ec';
    await cli.run(['tags', 'create', '--data', '-'], { input: JSON.stringify({ name, color: 'pink' }) });
    const { stdout } = await cli.run(['tags', 'list', '--format', 'table']);
    expect([...stdout].filter((sign) => '\u001b\u202e'.includes(sign))).toEqual([]);
  });

  test('a list reports on stderr that there are more records, and --all prints them', async () => {
    for (const name of ['a', 'b', 'c'])
      await cli.run(['tags', 'create', '--name', name, '--color', 'blue', '-q']);
    const some = await cli.run(['tags', 'list', '--limit', '2', '--json']);
    expect(some.json).toHaveLength(2);
    expect(some.stderr).toContain(
      'Showing 2 of 6 tags. Use --all to show all, or --offset 2 for the next page.',
    );
    expect((await cli.run(['tags', 'list', '--all', '--json'])).json).toHaveLength(6);
    expect((await cli.run(['tags', 'list', '--search', 'vip', '--json'])).json).toHaveLength(1);
  });
});

describe('tables on a terminal of 80 columns', () => {
  /** What commands print on a terminal of so many columns, line by line. */
  const shownOn = async (columns: number, ...commands: string[]): Promise<string[]> => {
    const lines = commands.map((command) => `${process.execPath} ${cli.command} ${command}`);
    const shown = await typing(cli, `stty cols ${columns}; ${lines.join('; ')}`, []);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of colors
    return shown.replaceAll(/\u001b\[\d+m/g, '').split(/\r?\n/);
  };
  const lists = ['tags', 'scenarios', 'routes', 'broadcasts', 'friends', 'conversations', 'accounts'];

  test('fit, and name the hidden columns', async () => {
    const shown = await shownOn(80, ...lists.map((resource) => `${resource} list`));
    expect(shown.length).toBeGreaterThan(20);
    expect(shown.filter((line) => displayWidth(line) > 80)).toEqual([]);
    expect(shown).toContain('Hidden columns: accountId, updatedAt. Use --wide to show all.');
  });

  test('show everything with --wide, and every field of --fields', async () => {
    const [head] = await shownOn(80, 'friends list --wide');
    expect(head).toMatch(/^DISPLAY NAME +STATUS +USER ID +ACCOUNT ID +UPDATED AT$/);
    const [asked] = await shownOn(80, 'friends list --fields accountId,userId,updatedAt');
    expect(asked).toMatch(/^ACCOUNT ID +USER ID +UPDATED AT$/);
  });

  test('are complete in a pipe, unless COLUMNS limits them', async () => {
    const args = ['friends', 'list', '--format', 'table'];
    const piped = await cli.run(args);
    expect(piped.stdout).toMatch(/^DISPLAY NAME +STATUS +USER ID +ACCOUNT ID +UPDATED AT\n/);
    expect(piped.stderr).toBe('');
    const limited = await cli.run(args, { env: { COLUMNS: '80' } });
    expect(limited.stdout.split('\n').filter((line) => displayWidth(line) > 80)).toEqual([]);
  });
});
