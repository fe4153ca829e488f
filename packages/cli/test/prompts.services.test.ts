import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useCli } from '../test-support/harness.ts';
import { atTerminal, inShell, shellPrompt } from '../test-support/pty.ts';
import { named } from '../test-support/tags.ts';

const cli = useCli();
const asked = '[y/N] ';
const deleting = ['tags', 'delete', 'VIP'];

describe.runIf(process.platform !== 'win32')('a question', () => {
  test.each([
    ['Ctrl-D', '\x04', 8, 'Declined'],
    ['Escape', '\x1b', 8, 'Declined'],
    ['n', 'n', 8, 'Declined'],
    ['Enter', '\r', 8, 'Declined'],
    ['Ctrl-C', '\x03', 130, 'Interrupted'],
  ])('is answered by %s without doing anything', async (_name, keys, code, said) => {
    const ended = await atTerminal(cli, deleting, { typed: [[asked, keys]] });
    expect(ended).toMatchObject({ code, shown: expect.stringContaining(said) });
    // Neither the answer nor anything else is drawn struck out.
    expect(ended.shown).not.toContain('\x1b');
    expect(ended.shown).not.toContain('Yes');
    expect(await named(cli, 'VIP')).toBe(1);
  });

  test.each([
    ['y', 0, 0],
    ['n', 8, 1],
  ])('is asked at the terminal if stderr is a file: %s exits %i', async (keys, code, left) => {
    const line = `${process.execPath} ${cli.command} ${deleting.join(' ')} 2>log`;
    const program = ['sh', '-c', line];
    expect(await atTerminal(cli, [], { program, typed: [[asked, keys]] })).toMatchObject({ code });
    expect(await named(cli, 'VIP')).toBe(left);
    expect(readFileSync(join(cli.folder, 'log'), 'utf8')).not.toContain(asked);
  });

  test.each([
    ['a pasted line', 'python3 next_step.py\n'],
    ['a word', 'yes'],
    ['a line with the answer', 'y\r'],
    ['the answer twice', 'yy'],
    ['another key', 'p'],
    ['Alt-y', '\x1by'],
    ['an arrow', '\x1b[A'],
  ])('is declined by %s', async (_name, keys) => {
    const ended = await atTerminal(cli, deleting, { typed: [[asked, keys]] });
    expect(ended).toMatchObject({ code: 8, shown: expect.stringContaining('Declined') });
    expect(await named(cli, 'VIP')).toBe(1);
  });

  test.each(['python3 next_step.py\n', 'yyy', 'y\n', 'nnn\n'])(
    'is not answered by %j, which was typed before it',
    async (ahead) => {
      expect(await atTerminal(cli, deleting, { ahead, typed: [[asked, 'n']] })).toMatchObject({ code: 8 });
      expect(await named(cli, 'VIP')).toBe(1);
      expect(await atTerminal(cli, deleting, { ahead, typed: [[asked, 'y']] })).toMatchObject({ code: 0 });
      expect(await named(cli, 'VIP')).toBe(0);
    },
  );

  test('is answered by y', async () => {
    expect(await atTerminal(cli, deleting, { typed: [[asked, 'y']] })).toMatchObject({ code: 0 });
    expect(await named(cli, 'VIP')).toBe(0);
  });

  test('says what uses the records that it deletes', async () => {
    for (const args of [deleting, [...deleting, 'Trial']]) {
      const { shown } = await atTerminal(cli, args, { columns: 1000, typed: [[asked, 'n']] });
      expect(shown).toMatch(
        /^The tag "VIP" is still used by .* Friends with a deleted tag are not looked at\. Delete .*\[y\/N\] /m,
      );
    }
  });

  test('is not asked by a command that reads standard input', async () => {
    const ended = await atTerminal(cli, ['friends', 'tag', '-', '--tag', 'VIP', '--json']);
    expect(ended).toMatchObject({ code: 3, shown: expect.stringContaining('CONFIRMATION_NEEDED') });
  });

  test('ends with SIGTERM', async () => {
    const ended = await atTerminal(cli, deleting, { typed: [[asked, (pid) => process.kill(pid)]] });
    expect(ended).toMatchObject({ code: 143, shown: expect.stringContaining('Terminated') });
  });

  test('is asked again after Ctrl-Z and fg', async () => {
    const { shown } = await inShell(cli, [
      [shellPrompt, `${process.execPath} ${cli.command} ${deleting.join(' ')}\n`],
      [asked, '\x1a'],
      [shellPrompt, 'fg; echo "exit $?"\n'],
      [asked, 'n'],
      [shellPrompt, 'exit\n'],
    ]);
    expect(shown).toContain('Stopped');
    expect(shown).toContain('exit 8');
    expect(shown).toContain('Declined. Nothing was changed.');
    expect(await named(cli, 'VIP')).toBe(1);
  });

  test('continues after Ctrl-Z if no shell can suspend it', async () => {
    const ended = await atTerminal(cli, deleting, {
      typed: [
        [asked, '\x1a'],
        [asked, 'y'],
      ],
    });
    expect(ended.code).toBe(0);
  });

  test('uses no cursor codes, also on a dumb terminal', async () => {
    const { shown } = await atTerminal(cli, deleting, { typed: [[asked, 'n']], env: { TERM: 'dumb' } });
    expect(shown).not.toContain('\x1b');
  });
});

test.runIf(process.platform !== 'win32')('progress on a terminal without a cursor has no codes', async () => {
  const words = Array.from({ length: 120 }, (_, at) => `dumb ${at}`);
  writeFileSync(join(cli.folder, 'dumb.txt'), words.join('\n'));
  const { shown, code } = await atTerminal(
    cli,
    ['keywords', 'import', 'demo-site', 'dumb.txt', '--pacing', 'off'],
    { env: { TERM: 'dumb' } },
  );
  expect(code).toBe(0);
  expect(shown).toContain('requests for demo-site: 3 of 3');
  expect(shown).not.toContain('\x1b');
});

describe.runIf(process.platform !== 'win32')('a prompt for a text or secret', () => {
  const env = { ORGCHAT_BASE_URL: undefined, ORGCHAT_API_KEY: undefined };
  const login = (profile: string): string[] => ['auth', 'login', '--insecure-storage', '--profile', profile];

  test('accepts corrections, and does not show a secret', async () => {
    const address = `${cli.ready?.baseUrl}`;
    const { shown, code } = await atTerminal(cli, login('typed'), {
      env,
      typed: [
        ['Base URL', `${address}x\x7f\r`],
        ['API key', '\r'],
        ['API key', 'demo-write-kez\x7fy\r'],
      ],
    });
    expect(shown).toContain('org_demo');
    expect(shown).not.toContain('demo-write');
    expect(code).toBe(0);
  });

  test('is shown at the terminal if stderr is a file', async () => {
    const line = `${process.execPath} ${cli.command} ${login('logged').join(' ')} 2>log`;
    const { shown, code } = await atTerminal(cli, [], {
      program: ['sh', '-c', line],
      env,
      typed: [
        ['Base URL', `${cli.ready?.baseUrl}\r`],
        ['API key', 'demo-write-key\r'],
      ],
    });
    expect([code, shown]).toEqual([0, expect.stringContaining('org_demo')]);
    expect(shown).not.toContain('demo-write');
    expect(readFileSync(join(cli.folder, 'log'), 'utf8')).not.toContain('API key');
  });

  test.each([
    ['Ctrl-D', '\x04'],
    ['Ctrl-D behind something', 'http\x04'],
    ['Escape', '\x1b'],
  ])('is declined with %s', async (_name, keys) => {
    expect(await atTerminal(cli, login('declined'), { env, typed: [['Base URL', keys]] })).toMatchObject({
      code: 8,
    });
    const typed = [
      ['Base URL', `${cli.ready?.baseUrl}\r`],
      ['API key', keys],
    ] as const;
    expect(await atTerminal(cli, login('declined'), { env, typed })).toMatchObject({ code: 8 });
  });
});
