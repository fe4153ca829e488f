import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { Harness, type RunOptions } from '../../test-support/harness.ts';
import { startMock } from '../../test-support/started-mock.ts';

const cli = new Harness({ inProcess: true });
afterAll(() => cli.end());

const start = (args: readonly string[], options?: RunOptions) => startMock(cli, args, options);
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

  test('that are not URLs are rejected', async () => {
    const { code, json } = await mock(['start', '--port', '0', '--public-url', 'mock:4010']);
    expect([code, json.error?.code]).toEqual([3, 'INVALID_OPTIONS']);
    expect(json.error?.message).toContain('publicUrl must be an http or https URL');
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
