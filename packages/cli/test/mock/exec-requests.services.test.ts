import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Harness } from '../../test-support/harness.ts';

const cli = new Harness();
afterAll(() => cli.end());

const exec = (args: readonly string[], script: string, env: Record<string, string> = {}) =>
  cli.run(['mock', 'exec', ...args, '--', process.execPath, '--input-type=module', '-e', prelude + script], {
    env,
  });

/** What the scripts use: `api` sends a request of the API, `control` one of the control API. */
const prelude = `
const { ORGCHAT_BASE_URL, ORGCHAT_MOCK_URL, ORGCHAT_API_KEY } = process.env;
const api = (body, base = ORGCHAT_BASE_URL, key = ORGCHAT_API_KEY) =>
  fetch(base + '/chat/read', { method: 'POST', headers: { Authorization: 'Bearer ' + key }, body: JSON.stringify(body) });
const control = async (method, path, body) =>
  (await fetch(ORGCHAT_MOCK_URL + path, { method, ...(body && { body: JSON.stringify(body) }) })).json();
`;

/** Two refusals, one of them in a sandbox that is dropped, and a lost answer. */
const failing = `
await api({ resource: 'tags' });
await api({ resource: 'tags' }, ORGCHAT_BASE_URL, 'nobody');
const sandbox = await control('POST', '/sandboxes', { name: 'a \\u202e test' });
await api({ resource: 'nothing' }, sandbox.baseUrl);
await control('DELETE', '/sandboxes/' + sandbox.id);
await control('POST', '/faults', { effect: 'lose-response' });
await api({ resource: 'links' }).catch(() => {});
`;

test('a command that fails is followed by what the mock refused, and why, sandboxes included', async () => {
  const { code, stdout, stderr } = await exec([], `${failing}console.log('out'); process.exit(7);`);
  expect([code, stdout]).toEqual([7, 'out\n']);
  expect(stderr.replaceAll(/[\d:.]{12}/g, 'TIME').split('\n')).toEqual([
    'The command exited with 7.',
    'The mock received 4 requests. Refused, or without an answer: 3.',
    '2  TIME  readChat  ***  401  UNAUTHORIZED',
    expect.stringMatching(/^ {4}\S.*the key that was sent/),
    '3  TIME  readChat  Demo write key  400  INVALID_INPUT  in sandbox "a \\u202e test"',
    expect.stringMatching(/^ {4}\S.*resource/),
    '4  TIME  readChat  Demo write key  200  lose-response',
    expect.stringMatching(/^ {4}The lose-response fault \(fault-1\)/),
    '',
  ]);
});

test('a command that succeeds, and one with --quiet, is followed by nothing', async () => {
  expect(await exec([], failing)).toMatchObject({ code: 0, stderr: '' });
  expect(await exec(['--quiet'], `${failing}process.exit(1);`)).toMatchObject({ code: 1, stderr: '' });
});

test('of many refusals, the newest 20 are listed', async () => {
  const script = "for (let n = 0; n < 50; n++) await api({ resource: 'x' }); process.exit(1);";
  const { stderr } = await exec([], script);
  expect(stderr).toContain(
    'The mock received 50 requests. Refused, or without an answer: 50. The newest 20:',
  );
  const ids = [...stderr.matchAll(/^(\d+) {2}/gm)].map(([, id]) => Number(id));
  expect(ids).toEqual(Array.from({ length: 20 }, (_, at) => 31 + at));
});

test('without a refusal, or a request, it says so', async () => {
  const read = await exec([], "await api({ resource: 'tags' }); process.exit(1);");
  expect(read.stderr).toBe('The command exited with 1.\nThe mock received 1 request. It refused none.\n');
  const nothing = await exec([], 'process.exit(1);');
  expect(nothing.stderr).toContain(
    'The mock received no request. The command must send them to ORGCHAT_BASE_URL.',
  );
});

interface Entry {
  readonly status: number | null;
  readonly sandbox: string | null;
  readonly request: { readonly body: object };
}

test('--log writes every request, sandboxes and late ones included, so that only the owner can read them', async () => {
  const lines = join(cli.folder, 'requests.ndjson');
  writeFileSync(lines, 'before');
  chmodSync(lines, 0o644);
  const late = `${failing}
await control('POST', '/faults', { effect: 'delay', delayMs: 60_000 });
const body = JSON.stringify({ resource: 'routes' });
const headers = { Authorization: 'Bearer ' + ORGCHAT_API_KEY };
await fetch(ORGCHAT_BASE_URL + '/chat/read', { method: 'POST', headers, body, signal: AbortSignal.timeout(100) }).catch(() => {});`;
  expect((await exec(['--log', lines], late)).code).toBe(0);
  const entries = readFileSync(lines, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry);
  expect(entries.map(({ status, sandbox, request }) => [status, sandbox, request.body])).toEqual([
    [200, null, { resource: 'tags' }],
    [401, null, { resource: 'tags' }],
    [400, 'a \u202e test', { resource: 'nothing' }],
    [200, null, { resource: 'links' }],
    [200, null, { resource: 'routes' }],
  ]);
  expect(statSync(lines).mode & 0o777).toBe(0o600);
  const archive = join(cli.folder, 'requests.har');
  expect((await exec(['--log', archive], failing)).code).toBe(0);
  const { log } = JSON.parse(readFileSync(archive, 'utf8')) as {
    log: { version: string; entries: { request: { url: string }; response: { status: number } }[] };
  };
  expect(log.version).toBe('1.2');
  expect(log.entries.map(({ response }) => response.status)).toEqual([200, 401, 400, 0]);
  expect(log.entries[2]?.request.url).toMatch(/\/_sandbox\/[^/]+\/api\/v1\/chat\/read$/);
  expect(JSON.stringify(log)).not.toContain('demo-write-key');
  expect(statSync(archive).mode & 0o777).toBe(0o600);
});

test.each(['requests.txt', 'requests', 'no/such/folder.har'])('--log %s is refused', async (file) => {
  const { code, stdout } = await exec(['--log', file], "console.log('ran')");
  expect([code, stdout]).toEqual([125, '']);
});

test('has no rate limit unless asked, an access log and a history', async () => {
  const reads = (count: number) =>
    `const statuses = []; for (let n = 0; n < ${count}; n++) statuses.push((await api({ resource: 'tags' })).status);
     console.log(new Set(statuses).size, statuses.at(-1));`;
  expect((await exec([], reads(70))).stdout).toBe('1 200\n');
  expect((await exec(['--rate-limit', '2'], reads(3))).stdout).toBe('2 429\n');
  const { stdout, stderr } = await exec(
    ['--access-log', 'text', '--history', '5'],
    "await api({ resource: 'tags' }); console.log((await control('PATCH', '/limits', {})).history);",
  );
  expect(stdout).toBe('5\n');
  expect(stderr).toMatch(/^[\d:.]{12} POST \/api\/v1\/chat\/read 200 \d+ ms readChat tags\n$/);
});

test('no setting of the caller reaches the command, and the directories that it gets are removed', async () => {
  const settings = {
    ORGCHAT_JOURNAL: 'postgres://u@127.0.0.1:1/x',
    ORGCHAT_PREVIOUS_API_KEY: 'previous',
    ORGCHAT_API_KEY: 'real',
    ORGCHAT_API_KEY_FILE: '/etc/passwd',
    ORGCHAT_PROFILE: 'production',
    ORGCHAT_MOCK_CONTROL_TOKEN: 'token',
    ORGCHAT_MODULES: '/opt/modules',
    ORGCHAT_ANYTHING: 'x',
  };
  const script = `
import { readdirSync } from 'node:fs';
const names = Object.keys(process.env).filter((name) => name.startsWith('ORGCHAT_')).sort();
const { ORGCHAT_STATE_DIR: state, ORGCHAT_CONFIG_DIR: config } = process.env;
console.log(JSON.stringify({ names, state, files: [state, config].map((folder) => readdirSync(folder)) }));`;
  const { code, json } = await exec([], script, settings);
  expect(code).toBe(0);
  expect(json).toMatchObject({
    names: [
      'ORGCHAT_API_KEY',
      'ORGCHAT_BASE_URL',
      'ORGCHAT_CONFIG_DIR',
      'ORGCHAT_MOCK_EXEC',
      'ORGCHAT_MOCK_URL',
      'ORGCHAT_STATE_DIR',
    ],
    files: [[], []],
  });
  expect(() => statSync(String(json.state))).toThrow('ENOENT');
  expect(String(json.state)).not.toContain(cli.folder);
});
