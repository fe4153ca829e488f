import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { Harness, type RunOptions } from '../../test-support/harness.ts';

const cli = new Harness({ inProcess: true });
afterAll(() => cli.end());

/** A port that nothing listens on, as far as that can be known. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const mock = (args: readonly string[], env: RunOptions['env'] = {}) =>
  cli.run(['mock', ...args, '--json'], { env });

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

  test('does not stay if its record cannot be written', async () => {
    const port = await freePort();
    const env = { ORGCHAT_STATE_DIR: join(cli.folder, 'other state') };
    const record = join(env.ORGCHAT_STATE_DIR, 'mocks', `127.0.0.1_${port}.json`);
    mkdirSync(record, { recursive: true });
    const { code, json } = await mock(['start', '--detach', '--port', String(port)], env);
    expect([code, json.error?.code]).toEqual([1, 'FILE_UNWRITABLE']);
    await expect(fetch(`http://127.0.0.1:${port}/_mock/health`)).rejects.toThrow('fetch failed');
    rmSync(record, { recursive: true });
    const again = await mock(['start', '--detach', '--port', String(port)], env);
    expect(again.code).toBe(0);
    expect((await mock(['stop', '--url', String(again.json.url)], env)).json).toMatchObject({
      stopped: true,
    });
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
