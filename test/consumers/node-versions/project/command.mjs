/* The command, as a shell runs it: a mock it starts, and commands against that mock. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('./node_modules/@orgchat/cli/bin/orgchat.cjs', import.meta.url));

describe('the command', () => {
  const home = mkdtempSync(join(tmpdir(), 'home-'));
  const places = Object.fromEntries(
    ['HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'].map((name) => [
      name,
      home,
    ]),
  );
  const env = { ...process.env, ...places, ORGCHAT_API_KEY: 'demo-write-key', NO_COLOR: '1' };
  let mock;
  let baseUrl;
  const run = (...args) =>
    new Promise((done) => {
      const options = { env: { ...env, ORGCHAT_BASE_URL: baseUrl } };
      execFile(process.execPath, [bin, ...args], options, (error, stdout, stderr) => {
        done({ code: error === null ? 0 : error.code, stdout, stderr });
      });
    });
  const json = async (...args) => {
    const { code, stdout, stderr } = await run(...args, '--json');
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };

  before(async () => {
    const args = ['mock', 'start', '--port', '0', '--json'];
    mock = spawn(process.execPath, [bin, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface({ input: mock.stdout }), 'line');
    ({ baseUrl } = JSON.parse(line));
  });
  after(async () => {
    if (mock.exitCode === null) mock.kill('SIGKILL');
    rmSync(home, { recursive: true });
  });

  it('says its version and its help', async () => {
    const { version } = await import('@orgchat/cli/package.json', { with: { type: 'json' } }).then(
      ({ default: manifest }) => manifest,
    );
    assert.match((await run('--version')).stdout, new RegExp(version.replaceAll('.', '\\.')));
    assert.equal((await run('--help')).code, 0);
  });

  it('reads and writes', async () => {
    assert.equal((await json('account')).organizationId, 'org_demo');
    const { result } = await json('tags', 'create', '--name', 'Packed', '--color', 'pink');
    assert.equal(result.name, 'Packed');
    assert.equal((await json('tags', 'get', result.id)).name, 'Packed');
    assert.deepEqual((await json('keywords', 'add', 'demo-site', 'x')).added, ['x']);
  });

  it('ends with the code of what went wrong', async () => {
    const nobody = '00000000-0000-4000-8000-00000000dead';
    assert.equal((await run('tags', 'get', nobody)).code, 6);
    assert.equal((await run('tags', 'create', '--name', 'x')).code, 3);
  });

  it('arms a fault and gets over it', async () => {
    const controlUrl = baseUrl.replace('/api/v1', '/_mock');
    const fault = { effect: 'lose-response', operation: 'changeChat' };
    const headers = { 'content-type': 'application/json' };
    const armed = await fetch(`${controlUrl}/faults`, {
      method: 'POST',
      headers,
      body: JSON.stringify(fault),
    });
    assert.ok(armed.ok);
    const outcome = await json('templates', 'create', '--name', 'T', '--text', 'x');
    assert.equal(outcome.replayed, true);
  });

  it('stops when it is told to, with code 0', async () => {
    mock.kill('SIGTERM');
    const [code] = await once(mock, 'exit');
    assert.equal(code, 0);
  });
});
