import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMock, type Listening } from '@orgchat/mock-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Harness, once, until } from '../../test-support/harness.ts';

const cli = new Harness();
let server: Listening;
beforeAll(async () => {
  server = await createMock({ controlToken: 'secret-token' }).listen({ port: 0 });
});
afterAll(async () => {
  cli.end();
  await server.close();
});

/** A program in the place of a browser, which writes down its arguments and the settings in its environment. */
function fakeBrowser(): { readonly path: string; readonly log: string } {
  const path = join(cli.folder, 'browser.sh');
  const log = join(cli.folder, 'browser.log');
  const lines = `{ printf '%s\\n' "$@"; env | grep ^ORGCHAT_; } > '${log}.part'; mv '${log}.part' '${log}'`;
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o755);
  return { path, log };
}

describe('mock open', () => {
  test('opens the inspector, without the token in the arguments of a process, and without settings', async () => {
    const { path, log } = fakeBrowser();
    const opened = await cli.run(['mock', 'open', '--url', server.baseUrl, '--json'], {
      env: { BROWSER: path, ORGCHAT_API_KEY: 'real-key', ORGCHAT_JOURNAL: 'redis://127.0.0.1:1' },
    });
    expect(opened.json).toEqual({ opened: true, inspectorUrl: `${server.controlUrl}/` });
    await until(async () => existsSync(log));
    expect(readFileSync(log, 'utf8')).toBe(`${server.controlUrl}/\n`);
  });

  test('prints the URL with the token for another browser', async () => {
    const args = ['mock', 'open', '--print', '--url', server.url, '--json'];
    const env = { ORGCHAT_MOCK_CONTROL_TOKEN: 'secret-token' };
    expect((await cli.run(args, { env })).json).toEqual({ inspectorUrl: server.inspectorUrl });
  });

  test('says what to do without a browser, and without a mock', async () => {
    const env = { BROWSER: '/nowhere/browser' };
    const failed = await cli.run(['mock', 'open', '--url', server.url, '--json'], { env });
    expect(failed.code).toBe(1);
    expect(failed.json).toMatchObject({
      error: { code: 'NO_BROWSER', hint: expect.stringContaining(`${server.controlUrl}/`) },
    });
    const missing = await cli.run(['mock', 'open', '--url', 'http://127.0.0.1:1', '--json'], { env });
    expect(missing.json).toMatchObject({ error: { code: 'MOCK_UNREACHABLE' } });
  });
});

describe('mock start', () => {
  test('says where the inspector is', async () => {
    const { child, result } = cli.begin(['mock', 'start', '--port', '0', '--json', '--quiet']);
    const ready = JSON.parse((await once(child))[0]) as { controlUrl: string; inspectorUrl: string };
    expect(ready.inspectorUrl).toBe(`${ready.controlUrl}/`);
    const page = await fetch(ready.inspectorUrl);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect((await fetch(`${ready.controlUrl}/inspector.js`)).status).toBe(200);
    child.kill('SIGTERM');
    await result;
  });
});
