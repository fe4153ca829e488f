import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { Harness, once } from '../../test-support/harness.ts';
import { typing } from '../../test-support/terminal.ts';

const cli = new Harness();
afterAll(() => cli.end());

describe('exec', () => {
  const exec = (...args: string[]) => cli.run(['mock', 'exec', ...args]);

  /** Whether a process runs; a zombie does not. */
  const runs = async (pid: number): Promise<boolean> => {
    const { stdout } = await promisify(execFile)('sh', ['-c', `ps -o stat= -p ${pid} || true`]);
    return /^[^Z]/.test(stdout.trim());
  };
  /** What a shell prints that begins a process in the background, and its number. */
  const trees: [what: string, script: string][] = [
    ['a child of the command', 'sleep 60 & echo $!; : > ready; wait'],
    [
      'one that takes no notice of SIGTERM',
      'sh -c \'trap "" TERM; echo $$; : > ready; while :; do sleep 1; done\' & wait',
    ],
    ...(process.platform === 'linux'
      ? [
          ['one in a session of its own', "setsid sh -c 'echo $$; : > ready; sleep 60' & wait"] as [
            string,
            string,
          ],
        ]
      : []),
    ['one with an empty environment', "env -i sh -c 'echo $$; : > ready; sleep 60' & wait"],
  ];

  test.each(trees)('forwards signals and leaves no process behind: %s', async (_what, script) => {
    const { child, result } = cli.begin(['mock', 'exec', '--', 'sh', '-c', script]);
    const pid = Number((await once(child))[0]);
    expect(await runs(pid)).toBe(true);
    child.kill('SIGTERM');
    expect((await result).code).toBe(143);
    expect(await runs(pid)).toBe(false);
  });

  /** The same, ending by itself once the other has begun. */
  const ending = (script: string, code: number): string =>
    `rm -f ready; ${script.replace(/wait$/, '')} while [ ! -e ready ]; do sleep 0.1; done; exit ${code}`;

  test.each(trees)('leaves no process behind when the command ends by itself: %s', async (_what, script) => {
    const { code, stdout } = await exec('--', 'sh', '-c', ending(script, 5));
    expect([code, Number(stdout) > 0]).toEqual([5, true]);
    expect(await runs(Number(stdout))).toBe(false);
  });

  describe.runIf(process.platform === 'linux')('on a terminal', () => {
    /** Runs a command line on a terminal of its own and types, each text when what is before it was shown. */
    const onTerminal = (line: string, ...typed: (readonly [after: string, text: string])[]) =>
      typing(cli, line, typed);
    const mockExec = (script: string): string =>
      `trap : INT; ${process.execPath} ${cli.command} mock exec -- sh -c '${script}'; echo "code $?"`;

    test.each(trees)('leaves no process behind: %s', async (_what, script) => {
      writeFileSync(join(cli.folder, 'tree.sh'), ending(script, 4));
      const shown = await onTerminal(mockExec('exec sh tree.sh'));
      expect(shown).toContain('code 4');
      const pid = Number(/\d+/.exec(shown)?.[0]);
      expect(pid).toBeGreaterThan(0);
      expect(await runs(pid)).toBe(false);
    });

    test('the command reads what is typed, and gets Ctrl-C once', async () => {
      writeFileSync(
        join(cli.folder, 'ask.sh'),
        'n=0; trap "n=$((n+1)); echo caught" INT; echo name?; read name; echo "hello $name"; while [ $n = 0 ]; do sleep 0.1; done; sleep 0.5; exit 9',
      );
      const shown = await onTerminal(mockExec('exec sh ask.sh'), ['name?', 'Aiko\r'], ['hello Aiko', '\x03']);
      expect(shown.match(/caught/g)).toHaveLength(1);
      expect(shown).toContain('code 9');
    });
  });
});
