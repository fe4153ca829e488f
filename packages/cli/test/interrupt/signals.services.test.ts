import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { once, until, useCli } from '../../test-support/harness.ts';
import { atTerminal } from '../../test-support/pty.ts';
import { signalInChange } from '../../test-support/signal-in-change.ts';
import { create, named } from '../../test-support/tags.ts';
import { typing } from '../../test-support/terminal.ts';

const cli = useCli({ holdsAnswers: true });
const received = async (operation: string): Promise<boolean> => (await cli.received(operation)).length > 0;

/** All that a child says on stderr, as it comes. */
function saidBy({ stderr }: ChildProcess): () => string {
  let said = '';
  stderr?.on('data', (text: string) => {
    said += text;
  });
  return () => said;
}

describe('Ctrl-C', () => {
  test('finishes requests in progress and exits 130', async () => {
    const { code, json } = await signalInChange(cli, create('Slow'), 'SIGINT');
    expect([code, json.applied]).toEqual([130, true]);
  });

  test('a second time exits immediately; the journal has it, and resume finishes it', async () => {
    const letGo = cli.hold('changeChat');
    const { child, result } = cli.begin([...create('Left'), '--journal', 'file']);
    const said = saidBy(child);
    await until(() => received('changeChat'));
    child.kill('SIGINT');
    await until(async () => said().includes('press Ctrl-C again'));
    child.kill('SIGINT');
    expect((await result).code).toBe(130);
    letGo();
    // The advice can be followed as it is.
    const advice = /journal: orgchat (.+)/.exec(said())?.[1] ?? '';
    expect(advice).toBe('--journal file ops list --unsettled');
    expect((await cli.run([...advice.split(' '), '--json'])).json).toHaveLength(1);
    await until(async () => (await cli.run(['ops', 'resume', '--all', '--json'])).code === 0);
    expect(await named(cli, 'Left')).toBe(1);
  });

  test.runIf(process.platform === 'linux')(
    'prints its message on a line of its own beside a progress bar',
    async () => {
      const delay = { effect: 'delay', operation: 'addSeoKeywords', delayMs: 600, times: 9 };
      await cli.control('POST', '/faults', delay);
      const words = Array.from({ length: 300 }, (_, index) => `word ${index}`);
      writeFileSync(join(cli.folder, 'words.txt'), words.join('\n'));
      const shown = await typing(
        cli,
        `trap : INT; stty cols 80; ${process.execPath} ${cli.command} keywords import demo-site words.txt; echo "exit $?"`,
        [['1/6', '\x03']],
      );
      const [, after] = shown.split(
        '\norgchat: finishing this request; press Ctrl-C again to exit immediately\r\n',
      );
      // No bar is drawn there any more, which would end by putting the cursor back over this line.
      expect(after).toContain('notSent');
      expect(after).not.toContain('█');
      expect(shown).toContain('exit 130');
    },
  );

  test('ends a wait for the rate limit, which is reported on stderr unless --quiet is set', async () => {
    // A lookup by name takes one request, reading the record the next.
    const args = ['tags', 'get', 'VIP', '--pacing', '1', '--timeout', '5m', '--json'];
    const { child, result } = cli.begin(args);
    const quiet = cli.begin([...args, '--quiet']);
    const said = saidBy(child);
    await until(async () => said().includes('Waiting'));
    child.kill('SIGINT');
    expect((await result).code).toBe(130);
    expect(said()).toMatch(
      /^Waiting (6[01]|5\d) s for the rate limit \(1 request per minute; .*--pacing N\)\.\n/,
    );
    quiet.child.kill('SIGINT');
    expect((await quiet.result).stderr).toBe('');
  });

  test('aborts a read; SIGTERM exits 143', async () => {
    await cli.control('POST', '/faults', { effect: 'delay', operation: 'readChat', delayMs: 60_000 });
    const { child, result } = cli.begin(['tags', 'list', '--json']);
    await until(() => received('readChat'));
    child.kill('SIGTERM');
    const { code, json } = await result;
    expect([code, json.error?.code]).toEqual([143, 'TERMINATED']);
  });
});

describe('a terminal that is closed', () => {
  /** Runs a command at a terminal, and closes that once a text is shown. Resolves to the exit code, which no terminal sees. */
  async function closedAt(shown: string, args: readonly string[]): Promise<number> {
    const file = join(cli.folder, `exit-code-${performance.now()}`);
    const report = `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
      process.on('exit', (code) => writeFileSync(${JSON.stringify(file)}, String(code)));`;
    const load = `--import data:text/javascript,${encodeURIComponent(report)}`;
    const env = { NODE_OPTIONS: [cli.env.NODE_OPTIONS, load].filter(Boolean).join(' ') };
    await atTerminal(cli, args, { env, typed: [[shown, (_pid, closeTerminal) => closeTerminal()]] });
    await expect.poll(() => existsSync(file), { timeout: 60_000 }).toBe(true);
    return Number(readFileSync(file, 'utf8'));
  }

  test('lets the request in progress finish, so that no keyword has an unknown outcome', async () => {
    const delay = { effect: 'delay', operation: 'addSeoKeywords', delayMs: 400, times: 'always' };
    await cli.control('POST', '/faults', delay);
    const words = Array.from({ length: 200 }, (_, index) => `left ${index}`);
    writeFileSync(join(cli.folder, 'left.txt'), words.join('\n'));
    const args = ['keywords', 'import', 'demo-site', 'left.txt', '--pacing', 'off'];
    expect(await closedAt('1/4', args)).toBe(129);
    await cli.control('DELETE', '/faults');
    const { json } = await cli.run([...args, '--json']);
    expect(json.unknown).toEqual([]);
    expect(json.added).toHaveLength(200);
    // Four requests of 50, and none was sent twice.
    expect(await cli.received('addSeoKeywords')).toHaveLength(4);
  });

  test('at a question declines it, and nothing is changed', async () => {
    expect(await closedAt('[y/N]', ['tags', 'delete', 'VIP'])).toBe(129);
    expect((await cli.run(['tags', 'get', 'VIP', '--json'])).code).toBe(0);
  });

  test('ends a read at once', async () => {
    await cli.control('POST', '/faults', { effect: 'delay', operation: 'readChat', delayMs: 60_000 });
    const { child, result } = cli.begin(['tags', 'list', '--json']);
    await until(() => received('readChat'));
    child.kill('SIGHUP');
    const { code, json } = await result;
    expect([code, json.error?.code]).toEqual([129, 'HANGUP']);
  });

  test('sends the signal twice, by its shell and by the system, which is no reason to hurry', async () => {
    const { code, json } = await signalInChange(cli, create('Hung up'), 'SIGHUP', 'SIGHUP');
    expect([code, json.applied]).toEqual([129, true]);
  });

  test('ends a mock server that runs in it, which finishes and exits 0', async () => {
    const server = cli.begin(['mock', 'start', '--port', '0', '--json']);
    await once(server.child);
    server.child.kill('SIGHUP');
    expect((await server.result).code).toBe(0);
  });
});

test('the next process takes over the operation of a killed one', async () => {
  await cli.control('POST', '/faults', { effect: 'delay', operation: 'changeChat', delayMs: 1_500 });
  const { child, result } = cli.begin([...create('Killed'), '--intent', 'killed']);
  await until(() => received('changeChat'));
  child.kill('SIGKILL');
  await result;
  // The server continues with the request.
  await until(async () => (await cli.received('changeChat')).every(({ applied }) => applied));
  const again = await cli.run([...create('Killed'), '--intent', 'killed']);
  expect(again.code).toBe(0);
  expect(await named(cli, 'Killed')).toBe(1);
});
