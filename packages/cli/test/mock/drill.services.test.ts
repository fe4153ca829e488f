import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drillFaults } from '../../src/mock/drill/drill-faults.ts';
import { Harness } from '../../test-support/harness.ts';

const cli = new Harness();
afterAll(() => cli.end());

/** Creates a tag. With `fixed` as its argument the operationId is always the same; otherwise each attempt has another. */
const client = `
const { ORGCHAT_BASE_URL: url, ORGCHAT_API_KEY: key, ORGCHAT_STATE_DIR: folder } = process.env;
if (folder === undefined) process.exit(9);
const ids = { fixed: () => '6f1c7f6e-53d5-4f3a-9d5b-1d0a3a4c5b6e', random: () => crypto.randomUUID() };
const send = async () => {
  const body = { operationId: ids[process.argv[2]](), change: { action: 'create-tags', data: { name: 'Drilled', color: 'pink' } } };
  const init = { method: 'POST', headers: { Authorization: 'Bearer ' + key }, body: JSON.stringify(body) };
  const response = await fetch(url + '/chat/changes', { ...init, signal: AbortSignal.timeout(2_000) });
  if (!response.ok) throw new Error(String(response.status));
  const { applied, replayed } = await response.json();
  if (!applied && !replayed) throw new Error('not applied');
};
let attempts = 0;
for (;;) {
  try { await send(); break; } catch (error) { if (++attempts > 5) throw error; }
}`;

let script: string;
beforeAll(() => {
  script = join(cli.folder, 'client.mjs');
  writeFileSync(script, client);
});

const drill = (...args: string[]) => cli.run(['mock', 'drill', ...args]);
const faults = ['--fault', 'lose-response', '--fault', 'kill'];

describe('mock drill -- COMMAND', () => {
  test('exits 0 if every write is applied once under every fault', async () => {
    const { code, json } = await drill('--json', '--delay', '50ms', '--', process.execPath, script, 'fixed');
    const runs = drillFaults.length;
    expect(json).toMatchObject({ writes: 1, runs, ok: runs, lost: 0, doubled: 0 });
    const rows = json.rows as unknown as readonly { fault: string; hit: boolean; exit: number }[];
    expect(rows.map(({ fault }) => fault)).toEqual([...drillFaults]);
    expect(rows.every(({ hit, exit }) => hit && exit === 0)).toBe(true);
    const waited = 'the client waited for the answer: use a --delay that is longer than its timeout';
    expect(json.notTried).toEqual(
      ['delay', 'applied-late'].map((fault) => ({ fault, writes: [1], why: waited })),
    );
    expect(code).toBe(0);
  });

  test('exits 5 with a row per doubled write, and writes a JUnit report', async () => {
    const args = [...faults, '--junit', 'drill.xml', '--format', 'table'];
    const { code, stdout, stderr } = await drill(...args, '--', process.execPath, script, 'random');
    const rows = stdout.trim().split('\n');
    expect(rows).toHaveLength(3);
    expect(rows[1]).toMatch(
      /^1 +create-tags +Drilled +lose-response +doubled +0 +write create-tags "Drilled": applied/,
    );
    expect(rows[2]).toMatch(/^1 +create-tags +Drilled +kill +doubled +0 /);
    expect(code).toBe(5);
    expect(readFileSync(join(cli.folder, 'drill.xml'), 'utf8')).toContain(
      `tests="${drillFaults.length}" failures="2" skipped="${drillFaults.length - 2}"`,
    );
    expect(stderr).toContain(
      '2 runs: 0 ok, 0 lost, 2 doubled.\nNot tried at write 1: drop-request, cut-response, ',
    );
    expect(stderr).toMatch(/, not-applied: left out by --fault\.\n$/);
  });

  test.each([
    ['fails without a fault', ['sh', '-c', 'echo broken >&2; exit 4'], 'CLEAN_RUN_FAILED'],
    ['writes nothing', ['true'], 'NOTHING_WRITTEN'],
  ])('exits 3 if the command %s', async (_what, words, error) => {
    const { code, json } = await drill('--json', '--', ...words);
    expect([code, json]).toMatchObject([3, { error: { code: error, hint: expect.any(String) } }]);
    if (words.length > 1) expect(json.error).toMatchObject({ exit: 4, output: 'broken\n' });
  });

  test('passes no setting of the caller on', async () => {
    const names = 'env | grep ^ORGCHAT_ | cut -d= -f1 | sort; exit 1';
    const settings = { ORGCHAT_JOURNAL: 'redis://127.0.0.1:1', ORGCHAT_PREVIOUS_API_KEY: 'real' };
    const args = ['mock', 'drill', '--json', '--', 'sh', '-c', names];
    const { json } = await cli.run(args, { env: settings });
    expect(String(json.error?.output).trim().split('\n')).toEqual([
      'ORGCHAT_API_KEY',
      'ORGCHAT_BASE_URL',
      'ORGCHAT_CONFIG_DIR',
      'ORGCHAT_MOCK_EXEC',
      'ORGCHAT_MOCK_URL',
      'ORGCHAT_STATE_DIR',
    ]);
  });

  test('exits 3 if the command does not end in time', async () => {
    const { code, json } = await drill('--json', '--timeout', '200ms', '--', 'sleep', '30');
    expect([code, json]).toMatchObject([3, { error: { code: 'CLEAN_RUN_FAILED', exit: null } }]);
  });

  test.each([
    ['a seed that does not exist', ['--seed', 'nowhere.json', '--', 'true'], 125],
    ['a key that does not exist', ['--key', 'nobody', '--', 'true'], 125],
    ['a command that cannot be run', ['--', '/etc/passwd'], 126],
    ['a command that does not exist', ['--', 'no-such-command'], 127],
    ['no command', ['--'], 3],
    ['no file', [], 3],
    ['a command without --', ['sh', 'x.sh'], 3],
    ['an unknown fault', ['--fault', 'explode', '--', 'true'], 3],
    ['no delay', ['--delay', '0', '--', 'true'], 3],
    ['too many runs at the same time', ['--jobs', '65', '--', 'true'], 3],
    ['no run at a time', ['--jobs', '0', '--', 'true'], 3],
    ['a report that cannot be written', ['--junit', 'no/such/folder.xml', '--', 'true'], 3],
    ['an option of a command for a file', ['--junit', 'drill.xml', 'orgchat.yaml'], 3],
  ])('%s', async (_what, args, code) => {
    const result = await drill(...args, ...(args.includes('--') ? [] : ['--json']));
    expect(result.code).toBe(code);
  });
});

/** The command with another `config apply`, which creates two tags under new operationIds whenever it runs. */
const withNaiveApply = (entry: string): string => `
if (process.argv[2] !== 'config') await import(${JSON.stringify(entry)});
else {
  const { ORGCHAT_BASE_URL: url, ORGCHAT_API_KEY: key } = process.env;
  for (const name of ['One', 'Two']) {
    const change = { action: 'create-tags', data: { name, color: 'pink' } };
    const body = JSON.stringify({ operationId: crypto.randomUUID(), change });
    await fetch(url + '/chat/changes', { method: 'POST', headers: { Authorization: 'Bearer ' + key }, body });
  }
}`;

describe('mock drill FILE', () => {
  test('exits 5 if an apply that was killed applies a step twice', async () => {
    const command = join(cli.folder, 'naive.mjs');
    writeFileSync(command, withNaiveApply(cli.command));
    const file = join(cli.folder, 'tags.yaml');
    writeFileSync(file, 'version: 1\ntags: [{ name: One, color: pink }, { name: Two, color: pink }]\n');
    const { code, stdout } = await promisify(execFile)(
      process.execPath,
      [command, 'mock', 'drill', file, '--json'],
      { env: { ...process.env, ...cli.env }, cwd: cli.folder },
    ).then(
      ({ stdout: out }) => ({ code: 0, stdout: out }),
      (error: { code: number; stdout: string }) => error,
    );
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ steps: 2, kills: 2, appliedTwice: 3, lost: 0 },
      rounds: [
        { killedAfter: 1, applied: 3, exit: 0 },
        { killedAfter: 2, applied: 4, exit: 0 },
      ],
    });
    expect(code).toBe(5);
  });

  test.each([
    [
      'cannot be applied',
      'tags: []\nroutes: [{ name: A, accountId: Nowhere, tagId: null, scenarioId: null }]',
      'CLEAN_RUN_FAILED',
    ],
    ['changes nothing', 'tags: []', 'NOTHING_WRITTEN'],
  ])('exits 3 if the file %s', async (_what, sections, error) => {
    writeFileSync(join(cli.folder, 'bad.yaml'), `version: 1\n${sections}\n`);
    const { code, json } = await drill('bad.yaml', '--json');
    const message = expect.stringContaining('"orgchat config apply bad.yaml --yes');
    expect([code, json]).toMatchObject([3, { error: { code: error, message } }]);
  });

  test('exits 125 if the mock cannot be started', async () => {
    writeFileSync(join(cli.folder, 'tags.yaml'), 'version: 1\ntags: [{ name: One, color: pink }]\n');
    expect((await drill('tags.yaml', '--seed', 'nowhere.json', '--json')).code).toBe(125);
  });
});
