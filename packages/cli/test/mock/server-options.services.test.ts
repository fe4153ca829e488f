import { type ChildProcess, execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SeedDocument } from '@orgchat/mock-server';
import { afterAll, describe, expect, test } from 'vitest';
import { Harness, once, type RunOptions } from '../../test-support/harness.ts';

const cli = new Harness({ inProcess: true });
afterAll(() => cli.end());

interface Started {
  readonly child: ChildProcess;
  readonly ready: { readonly baseUrl: string; readonly controlUrl: string; readonly url: string };
  readonly stop: () => Promise<string>;
}

/** A mock that runs until it is stopped; `stop` resolves to what it said on stderr. */
async function start(args: readonly string[], options: RunOptions = {}): Promise<Started> {
  const { child, result } = cli.begin(['mock', 'start', '--port', '0', '--json', ...args], options);
  const [line] = await once(child);
  const stop = async (): Promise<string> => {
    child.kill('SIGTERM');
    return (await result).stderr;
  };
  return { child, ready: JSON.parse(line) as Started['ready'], stop };
}

const mock = (args: readonly string[], env: RunOptions['env'] = {}) =>
  cli.run(['mock', ...args, '--json'], { env });

describe('the token of the control API', () => {
  test.each(['ORGCHAT_MOCK_CONTROL_TOKEN', 'ORGCHAT_MOCK_TOKEN'])(
    'comes from %s, in start and in every other command',
    async (name) => {
      const env = { [name]: 'from-the-environment' };
      const { ready, stop } = await start([], { env });
      const clock = ['clock', '--url', ready.controlUrl];
      expect((await mock(clock)).code).toBe(4);
      expect((await mock(clock, { [name]: 'another' })).code).toBe(4);
      expect((await mock(clock, env)).code).toBe(0);
      expect((await mock(['wait', '--url', ready.controlUrl])).code).toBe(0);
      await stop();
    },
  );

  test('counts as unset if the variable is empty', async () => {
    const { ready, stop } = await start([], {
      env: { ORGCHAT_MOCK_CONTROL_TOKEN: '', ORGCHAT_MOCK_TOKEN: '' },
    });
    expect((await mock(['clock', '--url', ready.controlUrl])).code).toBe(0);
    await stop();
    expect((await mock(['start', '--port', '0', '--control-token', ''])).code).toBe(3);
  });

  test('is not among the arguments of a detached server', async () => {
    const started = await mock(['start', '--detach', '--port', '0', '--control-token', 'not-for-ps']);
    const url = String(started.json.url);
    const env = { ORGCHAT_MOCK_CONTROL_TOKEN: 'not-for-ps' };
    expect(readFileSync(`/proc/${String(started.json.pid)}/cmdline`, 'utf8')).not.toContain('not-for-ps');
    expect((await mock(['clock', '--url', url])).code).toBe(4);
    expect((await mock(['clock', '--url', url], env)).code).toBe(0);
    expect((await mock(['stop', '--url', url], env)).code).toBe(0);
  });

  test('in the arguments is answered with a warning', async () => {
    const { stderr } = await mock(['clock', '--url', 'http://127.0.0.1:1', '--control-token', 'x']);
    expect(stderr).toMatch(/warning: .*process list\. Set ORGCHAT_MOCK_CONTROL_TOKEN instead\./);
  });

  test('is listed in the help about the environment', async () => {
    const { stdout } = await cli.run(['help', 'environment']);
    expect(stdout).toMatch(/ORGCHAT_MOCK_CONTROL_TOKEN .*ORGCHAT_MOCK_TOKEN/);
  });
});

describe('addresses', () => {
  test('beyond loopback are reported with a warning', async () => {
    const { ready, stop } = await start(['--host', '0.0.0.0', '--public-url', 'http://mock:4010']);
    expect(ready).toMatchObject({ baseUrl: 'http://mock:4010/api/v1', controlUrl: 'http://mock:4010/_mock' });
    expect((await fetch(`${ready.url}/_mock/health`)).status).toBe(200);
    expect(await stop()).toMatch(/warning: Other machines can reach this mock on 0\.0\.0\.0\./);
  });

  test('on loopback are reported without a warning', async () => {
    const { stop } = await start([]);
    expect(await stop()).toBe('');
  });

  test('that are not UUIDs are rejected', async () => {
    const { code, json } = await mock(['start', '--port', '0', '--public-url', 'mock:4010']);
    expect([code, json.error?.code]).toEqual([3, 'INVALID_OPTIONS']);
    expect(json.error?.message).toContain('publicUrl must be an http or https URL');
  });
});

describe('a detached server', () => {
  test('has no setting of the caller in its environment', async () => {
    const file = join(cli.folder, 'codes.yaml');
    writeFileSync(file, '{ server: 1, codes: { notFound: GONE } }\n');
    const env = { ORGCHAT_API_KEY: 'real-key', ORGCHAT_JOURNAL: 'redis://127.0.0.1:1', ORGCHAT_SERVER: file };
    const { json } = await mock(['start', '--detach', '--port', '0'], env);
    const names = readFileSync(`/proc/${String(json.pid)}/environ`, 'utf8')
      .split('\0')
      .map((line) => line.split('=')[0] ?? '')
      .filter((name) => name.startsWith('ORGCHAT_'));
    expect(names.sort()).toEqual(['ORGCHAT_MOCK_DETACHED', 'ORGCHAT_SERVER']);
    expect(await (await fetch(`${String(json.baseUrl)}/x`)).json()).toMatchObject({ error: 'GONE' });
    expect((await mock(['stop', '--url', String(json.url)])).code).toBe(0);
  });

  const mocks = () => join(cli.folder, 'state', 'mocks');

  test('prints the path of its log, and stop removes it', async () => {
    const { stdout } = await cli.run(['mock', 'start', '--detach', '--port', '0', '--format', 'table']);
    const log = /^Log: (.*)$/m.exec(stdout)?.[1] ?? '';
    const url = /--url (\S+)$/m.exec(stdout)?.[1] ?? '';
    expect(existsSync(log)).toBe(true);
    expect((await mock(['stop', '--url', url])).json).toMatchObject({ stopped: true });
    expect(existsSync(log)).toBe(false);
  });

  test('warns when it is started, also with a public URL', async () => {
    const args = [
      'start',
      '--detach',
      '--port',
      '0',
      '--host',
      '0.0.0.0',
      '--public-url',
      'http://mock:4010',
    ];
    const { json, stderr } = await mock(args);
    expect(stderr).toContain('Other machines can reach this mock');
    expect(json).toMatchObject({ baseUrl: 'http://mock:4010/api/v1' });
    expect(json.warnings).toBeUndefined();
    expect((await mock(['stop', '--url', String(json.url)])).code).toBe(0);
  });

  test('that was killed keeps its log, and the next start removes it when it is old', async () => {
    const { json } = await mock(['start', '--detach', '--port', '0']);
    const log = String(json.log);
    process.kill(Number(json.pid), 'SIGKILL');
    await expect
      .poll(() =>
        fetch(String(json.url)).then(
          () => true,
          () => false,
        ),
      )
      .toBe(false);
    expect((await mock(['stop', '--url', String(json.url)])).json).toMatchObject({
      log,
      note: 'it was no longer running',
    });
    expect(existsSync(log)).toBe(true);
    const long = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000);
    utimesSync(log, long, long);
    const next = await mock(['start', '--detach', '--port', '0']);
    expect(existsSync(log)).toBe(false);
    const own = String(next.json.log);
    utimesSync(own, long, long);
    const third = await mock(['start', '--detach', '--port', '0']);
    expect(existsSync(own)).toBe(true);
    for (const { json: started } of [next, third]) await mock(['stop', '--url', String(started.url)]);
    expect(readdirSync(mocks())).toEqual([]);
  });
});

test('a server uses the error codes of --server, also when detached', async () => {
  const file = join(cli.folder, 'codes.yaml');
  writeFileSync(file, '{ server: 1, codes: { notFound: [GONE, MISSING] } }\n');
  const errorAt = async (baseUrl: string) =>
    ((await (await fetch(`${baseUrl}/nowhere`)).json()) as { error: string }).error;
  const { ready, stop } = await start(['--server', file]);
  expect(await errorAt(ready.baseUrl)).toBe('GONE');
  await stop();
  const { json } = await mock(['start', '--detach', '--port', '0'], { ORGCHAT_SERVER: file });
  expect(await errorAt(String(json.baseUrl))).toBe('GONE');
  await mock(['stop', '--url', String(json.url)]);
});

describe('a data file', () => {
  test('that contains data is used instead of the seed, with a warning', async () => {
    const data = join(cli.folder, 'kept.sqlite');
    const seed = join(cli.folder, 'own.yaml');
    writeFileSync(seed, 'organizations: [{ id: org_own, keys: [{ key: own-key, name: K, scope: write }] }]');
    const args = ['--data', data, '--seed', seed];
    expect(await (await start(args)).stop()).toBe('');
    expect(statSync(data).mode & 0o777).toBe(0o600);
    expect(await (await start(['--data', data])).stop()).toBe('');
    expect(await (await start(args)).stop()).toContain(
      `${data} already contains data, so --seed ${seed} was ignored.`,
    );
    const { json, stderr } = await mock(['start', '--detach', '--port', '0', ...args]);
    expect(stderr).toContain('was ignored');
    await mock(['stop', '--url', String(json.url)]);
  });

  test('that is damaged is refused, and used as far as it can be read if the loss is accepted', async () => {
    const data = join(cli.folder, 'damaged.sqlite');
    expect(await (await start(['--data', data])).stop()).toBe('');
    const bytes = readFileSync(data);
    bytes[bytes.length - 100]! ^= 1;
    writeFileSync(data, bytes);
    const refused = await mock(['start', '--port', '0', '--data', data]);
    expect([refused.code, refused.json.error?.code]).toEqual([1, 'DATA_FILE_UNUSABLE']);
    expect(refused.json.error?.message).toMatch(/is damaged: .*not modified.*--data-accept-loss/);
    expect(readFileSync(data).equals(bytes)).toBe(true);
    expect(await (await start(['--data', data, '--data-accept-loss'])).stop()).toMatch(
      /is damaged: .*What could be read is used; the damaged files are .*damaged\.sqlite\.damaged-/,
    );
    expect(await (await start(['--data', data])).stop()).toBe('');
    const alone = await mock(['start', '--port', '0', '--data-accept-loss']);
    expect([alone.code, alone.json.error?.message]).toEqual([3, '--data-accept-loss requires --data.']);
  });

  test.each([
    ['is a directory', '.', /is a directory\. Choose a file in it/],
    ['is in no directory', 'nowhere/mock.sqlite', /the directory .* does not exist/],
    ['is on a full disk', '/dev/full', /the disk is full\. Free some space/],
  ])('that %s is refused with what to do', async (_what, data, message) => {
    const { code, json } = await mock(['start', '--port', '0', '--data', data]);
    expect([code, json.error?.code]).toEqual([1, 'DATA_FILE_UNUSABLE']);
    expect(json.error?.message).toMatch(message);
  });
});

describe('a saved state', () => {
  test('can be read by its owner alone, and is loaded again', async () => {
    const { ready, stop } = await start([]);
    const at = ['--url', ready.controlUrl];
    const file = join(cli.folder, 'saved.json');
    expect((await mock(['state', 'save', file, ...at])).code).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await mock(['state', 'load', file, ...at])).code).toBe(0);
    expect((await mock(['sandbox', 'create', '--state', file, ...at])).code).toBe(0);
    await stop();
  });

  test('may be larger than a request of the API', async () => {
    const { ready, stop } = await start([]);
    const seed = join(cli.folder, 'large.json');
    expect((await cli.run(['mock', 'seed', '--friends', '420', '-o', seed])).code).toBe(0);
    const { organizations, ...rest } = JSON.parse(readFileSync(seed, 'utf8')) as SeedDocument;
    const notes = 'x'.repeat(40_000);
    const withNotes = organizations.map((organization) => ({
      ...organization,
      friends: (organization.friends ?? []).map((friend) => ({ ...friend, notes })),
    }));
    writeFileSync(seed, JSON.stringify({ ...rest, organizations: withNotes }));
    const large = await start(['--seed', seed, '--rate-limit', 'off']);
    const file = join(cli.folder, 'large-state.json');
    expect((await mock(['state', 'save', file, '--url', large.ready.url])).code).toBe(0);
    await large.stop();
    expect(statSync(file).size).toBeGreaterThan(16 * 2 ** 20);
    const friends = async (baseUrl: string) => {
      const env = { ORGCHAT_BASE_URL: baseUrl, ORGCHAT_API_KEY: 'demo-write-key' };
      const read = await cli.run(['friends', 'list', '--search', '41', '--json'], { env });
      return Object.keys(read.json).length;
    };
    expect(await friends(ready.baseUrl)).toBe(0);
    const { json, code } = await mock(['sandbox', 'create', '--state', file, '--url', ready.url]);
    expect(code).toBe(0);
    expect(await friends(String(json.baseUrl))).toBe(14);
    expect((await mock(['state', 'load', file, '--url', ready.url])).code).toBe(0);
    expect(await friends(ready.baseUrl)).toBe(14);
    await stop();
  }, 120_000);

  test('that is invalid is rejected with a valid example', async () => {
    const { ready, stop } = await start([]);
    const file = join(cli.folder, 'none.json');
    writeFileSync(file, '{"format":"x"}');
    const { code, json } = await mock(['state', 'load', file, '--url', ready.url]);
    expect([code, json.error?.code]).toEqual([3, 'INVALID_INPUT']);
    expect(json.error?.message).toContain('must be "orgchat-state"');
    await stop();
  });
});

test('the request log keeps the numbers of --request-log-size and --log-bytes', async () => {
  const size = ['--request-log-size', '2', '--log-bytes', '10', '--rate-limit', 'off'];
  const script = `
    const [baseUrl, controlUrl] = process.argv.slice(1);
    const ask = async () => {
      for (let sent = 0; sent < 3; sent++) await fetch(baseUrl + '/me');
      const { requests, dropped } = await (await fetch(controlUrl + '/requests')).json();
      const { response } = await (await fetch(controlUrl + '/requests/' + requests[0].id)).json();
      console.log(requests.length, dropped.entries, response.bodyKept);
    };
    ask();`;
  const { ready, stop } = await start(size);
  const run = promisify(execFile);
  const started = await run(process.execPath, ['-e', script, ready.baseUrl, ready.controlUrl]);
  await stop();
  expect(started.stdout.trim()).toBe('2 1 dropped');
  const inShell = [
    'sh',
    '-c',
    `"${process.execPath}" -e "$0" "$ORGCHAT_BASE_URL" "$ORGCHAT_MOCK_URL"`,
    script,
  ];
  const executed = await cli.run(['mock', 'exec', ...size, '--', ...inShell]);
  expect(executed.stdout.trim()).toBe('2 1 dropped');
  expect((await cli.run(['mock', 'start', '--request-log-size', '0'])).code).toBe(3);
});
