import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useCli } from '../test-support/harness.ts';
import { canRunInProcess } from '../test-support/in-process.ts';
import { replaceKeyring, withKeyring } from '../test-support/keyring.ts';

/* Most tests of commands run them in the process of the tests. Here each group of commands also runs as a process. */

const cli = useCli({ inProcess: true });

/** Replaces what differs between two runs: random ids, times, durations, and which clock is ahead by them. */
const withoutChance = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
    .replace(/\b[0-9a-f]{64}\b/g, 'HASH')
    .replace(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, 'TIME')
    .replace(/durationMs=[\d.]+|\b[\d.]+ ?m?s\b/g, 'DURATION')
    .replace(/DURATION (?:behind|ahead of) the server/g, 'DURATION')
    .replace(/\b\d{13}\b/g, 'TIME')
    .replace(/\breq-\w+/g, 'REQUEST');

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}

/** Files of the command after a run, with what is in them. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('/cache'))
    .map(({ parentPath, name }) => withoutChance(readFileSync(join(parentPath, name), 'utf8')))
    .sort();

interface Case {
  readonly line: string;
  readonly input?: string;
  readonly env?: Record<string, string | undefined>;
  readonly hasKeychain?: boolean;
}

const withoutKey = { ORGCHAT_API_KEY: undefined };
const login = 'auth login --with-token --json';

const cases: readonly Case[] = [
  { line: 'account --json' },
  { line: 'account --format table' },
  { line: 'account --debug' },
  { line: 'account --no-color', env: withoutKey },
  { line: 'account --retries 0', env: { ORGCHAT_BASE_URL: 'http://127.0.0.1:9/api/v1' } },
  { line: 'accounts list' },
  { line: login, input: 'demo-write-key\n', env: withoutKey, hasKeychain: true },
  { line: `${login} --profile without`, input: 'demo-write-key\n', env: withoutKey },
  { line: 'auth status --json' },
  { line: 'auth logout --json', env: withoutKey },
  { line: 'broadcasts list --format yaml' },
  { line: 'change - --json', input: '{"resource":"tags","action":"delete","data":{"id":"none"}}' },
  { line: 'complete -- tags ' },
  { line: 'completion zsh' },
  { line: 'config export --resources tags,forms' },
  {
    line: 'config apply - --json --yes --pacing off',
    input: 'version: 1\ntags:\n  - name: New\n    color: blue\n',
  },
  { line: 'config plan - --json', input: 'version: 1\ntags:\n  - name: New\n    hue: blue\n' },
  { line: 'conversations list --json' },
  { line: 'doctor --json', hasKeychain: true },
  { line: 'doctor', env: { ORGCHAT_API_KEY: 'wrong' } },
  { line: 'friends list --limit 3' },
  { line: 'help exit-codes' },
  { line: 'keywords add demo-site one two --json' },
  { line: 'mock clock' },
  { line: 'mock inject click --to spring-page --json' },
  { line: 'mock records tags --limit 1 --format table' },
  { line: 'mock requests verify --operation nothing --times 1 --json' },
  { line: 'ops list --json' },
  { line: 'studio projects --format ndjson' },
  { line: 'tags create --data - --json', input: '{"name":"日本","color":"green"}' },
  { line: 'tags create --name x --color nonsense' },
  { line: 'tags delete VIP' },
  { line: 'tags get Nobody' },
  { line: 'templates list --format csv' },
  { line: 'nonsense --json' },
];

test.each(cases)('$line does the same in the process of the tests as in its own', async (one) => {
  const { line, input = '', env, hasKeychain = false } = one;
  const runs = [];
  for (const ownProcess of [false, true]) {
    await cli.control('POST', '/reset');
    // The same for both, because some output names it.
    const folder = join(cli.folder, 'state-and-config');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    const directories = { ORGCHAT_STATE_DIR: join(folder, 's'), ORGCHAT_CONFIG_DIR: join(folder, 'c') };
    const keychain = withKeyring(cli, hasKeychain ? 'state-and-config/keychain.json' : undefined);
    const added = { ...keychain.env, ...(ownProcess && replaceKeyring(cli)) };
    const options = { input, env: { ...directories, ...env, ...added }, ownProcess };
    const { code, stdout, stderr } = await cli.run(line.split(' '), options);
    const { requests } = (await cli.control('GET', '/requests')) as { requests: Sent[] };
    runs.push({
      code,
      stdout: withoutChance(stdout),
      stderr: withoutChance(stderr),
      files: filesIn(folder),
      requests: requests.map(({ method, path, status, body }) => [method, path, status, body !== null]),
    });
  }
  const [here, process] = runs;
  expect(here).toEqual(process);
});

test('a command that may differ there runs as a process of its own', () => {
  expect(canRunInProcess(['tags', 'list'], { ORGCHAT_API_KEY: undefined })).toBe(true);
  for (const args of [
    ['--version'],
    ...['start', 'exec', 'stop', 'open', 'drill'].map((name) => ['mock', name]),
  ])
    expect(canRunInProcess(args, {})).toBe(false);
  for (const name of ['TZ', 'HOME', 'NODE_OPTIONS', 'LC_ALL', 'HTTPS_PROXY'])
    expect(canRunInProcess(['tags', 'list'], { [name]: 'x' })).toBe(false);
});
