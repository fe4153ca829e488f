import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { until, useCli } from '../test-support/harness.ts';

const cli = useCli({ inProcess: true });

const complete = (words: readonly string[], env: Record<string, string | undefined> = {}) =>
  cli.run(['complete', '--', ...words], { env });
const wordsOf = (stdout: string): string[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t')[0] ?? '');

/** The script for bash, which is the same in every test. */
let script: Promise<string> | undefined;
const printScript = async (): Promise<string> => (await cli.run(['completion', 'bash'])).stdout;

/** Presses TAB in bash, where `orgchat` keeps its arguments in a file, and gives an answer. */
async function press(
  words: readonly string[],
  { code, stdout: answer }: { readonly code: number | null; readonly stdout: string },
): Promise<string> {
  writeFileSync(join(cli.folder, 'answer'), answer);
  script ??= printScript();
  const ask = `orgchat() { printf '%s\\0' "$@" > asked; cat answer; return ${code}; }
compopt() { echo "files are offered"; }
COMP_WORDS=(orgchat "$@"); COMP_CWORD=$#; _orgchat; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { ...cli.env, LC_ALL: 'C.UTF-8' } as unknown as NodeJS.ProcessEnv;
  const run = ['-c', `${await script}\n${ask}`, 'bash', ...words];
  return (await promisify(execFile)('bash', run, { env, cwd: cli.folder })).stdout;
}

/** What bash has on the line after TAB, for a line that ends where TAB is pressed. */
async function tab(...words: string[]): Promise<string[]> {
  // What the script asks does not depend on the answer, which takes far less time in this process.
  await press(words, { code: 0, stdout: '' });
  const asked = readFileSync(join(cli.folder, 'asked'), 'utf8').split('\0').slice(0, -1);
  expect(asked[0]).toBe('complete');
  return (await press(words, await cli.run(asked))).trim().split('\n');
}

describe('completion of names', () => {
  test('sends one request, and none for another TAB within a minute', async () => {
    for (let presses = 0; presses < 3; presses++) {
      const { code, stdout, stderr } = await complete(['tags', 'get', '']);
      expect([code, stderr]).toEqual([0, '']);
      expect(wordsOf(stdout)).toEqual(['Trial', 'Newsletter', 'VIP']);
    }
    expect(await cli.received('readChat')).toHaveLength(1);
    expect(wordsOf((await complete(['studio', 'documents', ''])).stdout)).not.toEqual(['']);
    expect(wordsOf((await complete(['friends', 'list', '--account', ''])).stdout)).toContain('Demo shop');
  });

  test('can be disabled with a variable, and prints nothing on failure', async () => {
    const failing: Record<string, string | undefined>[] = [
      { ORGCHAT_COMPLETE_NAMES: 'off' },
      { ORGCHAT_API_KEY: 'wrong' },
      { ORGCHAT_API_KEY: undefined },
      { ORGCHAT_BASE_URL: undefined },
      { ORGCHAT_BASE_URL: 'nonsense' },
      { ORGCHAT_PROFILE: 'none' },
    ];
    for (const env of failing) {
      const { code, stdout, stderr } = await complete(['templates', 'get', ''], env);
      expect([code, stdout, stderr]).toEqual([0, '', '']);
    }
  });

  test('waits at most a second for the server', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    try {
      const env = { ORGCHAT_BASE_URL: `http://127.0.0.1:${port}/api/v1` };
      const { code, stdout, stderr } = await complete(['templates', 'get', ''], env);
      expect([code, stdout, stderr]).toEqual([0, '', '']);
    } finally {
      silent.close();
    }
  });

  test('quotes a name as one word in bash, and runs nothing in it', async () => {
    const hostile = '$(touch hostile) `touch hostile` "; touch hostile';
    for (const name of [hostile, 'two words', '*', "it's"])
      expect(
        await cli.run(['templates', 'create', '--data', '-', '--json'], {
          input: JSON.stringify({ text: 'x', name }),
        }),
      ).toMatchObject({ code: 0 });
    // Names that are not read within a second are not offered. Those that were are kept for a minute.
    await until(async () => (await complete(['templates', 'get', ''])).stdout.includes(hostile));
    expect(await tab('templates', 'get', '')).toEqual(
      expect.arrayContaining(['two\\ words', '\\*', "it\\'s"]),
    );
    expect(await tab('templates', 'get', '"tw')).toEqual(['two words']);
    expect(await tab('templates', 'get', 'two\\ w')).toEqual(['two\\ words']);
    // What is on the line after TAB is taken by the shell as the name it is.
    for (const opening of ['', '"', "'"]) {
      const [word = ''] = (await tab('templates', 'get', opening)).filter((one) => one.includes('hostile'));
      const quote = opening;
      const line = `printf %s ${quote}${word}${quote}`;
      const { stdout } = await promisify(execFile)('bash', ['-c', line], { cwd: cli.folder });
      expect(stdout).toBe(hostile);
    }
    expect(existsSync(join(cli.folder, 'hostile'))).toBe(false);
  });

  test('offers files only if a file is expected', async () => {
    writeFileSync(join(cli.folder, 'some-file'), '');
    expect(await tab('config', 'apply', '')).toEqual(['files are offered']);
    expect(await tab('config', 'export', '--schema', '')).toEqual(['files are offered']);
    expect(await tab('tags', 'create', '--name', '')).toEqual(['']);
    expect(await tab('tags', 'get', 'some')).toEqual(['']);
  });

  test('completes the command that mock exec runs', async () => {
    expect(await tab('mock', 'exec', '--', 'ech')).toContain('echo');
    expect(await tab('mock', 'exec', '--', 'cat', 'some')).toEqual(['files are offered']);
  });
});
