import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { Harness, once, until } from '../../test-support/harness.ts';

const cli = new Harness();
afterAll(() => cli.end());

describe('start', () => {
  test('prints the URL, the keys and commands that work', async () => {
    const { child, result } = cli.begin(['mock', 'start', '--port', '0']);
    let text = '';
    child.stdout?.on('data', (more: string) => {
      text += more;
    });
    await until(async () => text.endsWith('Ctrl-C stops it.\n'));
    const lines = text.split('\n');
    expect(text).toContain('demo-viewer-key');
    const commands = lines.filter((line) => /^ {2}(curl|ORGCHAT_BASE_URL)/.test(line));
    expect(commands).toHaveLength(3);
    const run = async (command: string): Promise<string> => {
      const here = command.replace('npx --no -- orgchat', `${process.execPath} ${cli.command}`);
      return (await promisify(execFile)('sh', ['-c', here], { cwd: cli.folder })).stdout;
    };
    for (const command of commands) expect(JSON.parse(await run(command))).toBeTruthy();
    const [fault = ''] = lines.filter((line) => line.includes('npx --no -- orgchat mock fault'));
    await run(fault);
    expect(JSON.parse(await run(commands[2] ?? ''))).toMatchObject({ applied: true, replayed: true });
    child.kill('SIGTERM');
    const { code, stderr } = await result;
    expect(code).toBe(0);
    expect(stderr.trim().split('\n')).toHaveLength(5);
    expect(stderr).toMatch(/GET \/api\/v1\/me 200 \d+ ms getAccount\n/);
  });

  test('finishes requests in progress when it is stopped', async () => {
    const { child, result } = cli.begin(['mock', 'start', '--port', '0', '--json', '--quiet']);
    const ready = JSON.parse((await once(child))[0]) as {
      event: string;
      baseUrl: string;
      controlUrl: string;
    };
    expect(ready).toMatchObject({ event: 'ready', controlUrl: ready.baseUrl.replace('/api/v1', '/_mock') });
    const fault = { effect: 'delay', operation: 'getAccount', delayMs: 500 };
    await fetch(`${ready.controlUrl}/faults`, {
      method: 'POST',
      body: JSON.stringify(fault),
      headers: { 'Content-Type': 'application/json' },
    });
    const answer = fetch(`${ready.baseUrl}/me`, { headers: { Authorization: 'Bearer demo-read-key' } });
    const received = async (): Promise<string> => (await fetch(`${ready.controlUrl}/requests`)).text();
    await until(async () => (await received()).includes('"getAccount"'));
    child.kill('SIGINT');
    expect((await answer).status).toBe(200);
    const { code, stdout } = await result;
    expect([code, stdout.trim().split('\n').length]).toEqual([0, 1]);
  });

  test('ends streams of events when it is stopped, and exits 0', async () => {
    const { child, result } = cli.begin(['mock', 'start', '--port', '0', '--json', '--quiet']);
    const { controlUrl } = JSON.parse((await once(child))[0]) as { controlUrl: string };
    const stream = await fetch(`${controlUrl}/events`);
    child.kill('SIGTERM');
    // A connection that is cut would reject.
    expect(await stream.text()).toMatch(/^retry: /);
    expect((await result).code).toBe(0);
  });

  test('reports a port that is in use, and what to do', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const { code, json } = await cli.run(['mock', 'start', '--port', String(port), '--json']);
    server.close();
    expect([code, json.error?.code]).toEqual([1, 'PORT_IN_USE']);
    expect(String(json.error?.message)).toContain(String(port));
    expect(String(json.error?.hint)).toContain('--port 0');
  });

  test('does not modify a file that is not a data file, and suggests running without one', async () => {
    const path = join(cli.folder, 'diary.txt');
    writeFileSync(path, 'Dear diary');
    const { code, json } = await cli.run(['mock', 'start', '--port', '0', '--data', path, '--json']);
    expect([code, json.error?.code]).toEqual([1, 'DATA_FILE_UNUSABLE']);
    expect(json.error?.message).toContain('It was not modified');
    expect(json.error?.hint).toContain('in memory');
    expect(readFileSync(path, 'utf8')).toBe('Dear diary');
  });

  test('detached: wait, control, stop', async () => {
    // The server has a process of its own; the commands to it run here.
    const cli = new Harness({ inProcess: true });
    onTestFinished(() => cli.end());
    const started = await cli.run([
      'mock',
      'start',
      '--detach',
      '--port',
      '0',
      '--rate-limit',
      'off',
      '--json',
    ]);
    const url = String(started.json.controlUrl);
    const mock = (...args: string[]) => cli.run(['mock', ...args, '--url', url, '--json']);
    try {
      expect((await mock('wait')).json).toMatchObject({ ready: true });
      expect((await mock('fault', 'lose-response', 'action=create-tags', 'times=2')).json).toMatchObject({
        effect: 'lose-response',
        times: 2,
      });
      expect((await mock('fault', 'list')).json).toHaveLength(1);
      expect((await mock('fault', 'clear')).code).toBe(0);
      expect((await mock('fault', 'nonsense')).code).toBe(3);
      const before = Number((await mock('clock')).json.now);
      expect(Number((await mock('clock', '--advance', '1h')).json.now)).toBeGreaterThanOrEqual(
        before + 3_600_000,
      );
      const sandbox = await mock('sandbox', 'create');
      const env = { ORGCHAT_BASE_URL: String(sandbox.json.baseUrl), ORGCHAT_API_KEY: 'demo-write-key' };
      expect(
        (await cli.run(['tags', 'create', '--name', 'S', '--color', 'blue', '--json'], { env })).code,
      ).toBe(0);
      const inside = [
        'mock',
        'requests',
        'verify',
        '--action',
        'create-tags',
        '--url',
        env.ORGCHAT_BASE_URL,
        '--json',
      ];
      expect((await cli.run(inside)).json).toEqual({ ok: true });
      const wrong = await cli.run([...inside, '--times', '2']);
      expect([wrong.code, wrong.json]).toMatchObject([
        5,
        { error: { code: 'VERIFICATION_FAILED', message: expect.any(String), hint: expect.any(String) } },
      ]);
      const near = await cli.run([...inside, '--status', '403', '--format', 'table']);
      expect([near.code, near.stdout]).toEqual([5, '']);
      expect(near.stderr).toMatch(
        /closest: request \d+ \(changeChat create-tags 200\); differs in status \(expected 403, found 200\)\n/,
      );
      expect((await mock('sandbox', 'drop', String(sandbox.json.id))).code).toBe(0);
      const named = await mock('sandbox', 'create', '--name', 'mine', '--rate-limit', '7');
      expect((await mock('sandbox', 'list')).json).toMatchObject([{ id: named.json.id, name: 'mine' }]);
      const limits = await cli.run(['mock', 'limits', '--url', String(named.json.controlUrl), '--json']);
      expect(limits.json).toEqual({ rateLimit: 7, monthlyLimit: 'plan', history: 0 });
      const changed = await mock('limits', '--rate-limit', 'off', '--monthly-limit', 'plan');
      expect(changed.json).toEqual({ rateLimit: 'off', monthlyLimit: 'plan', history: 0 });
      expect((await mock('limits', '--rate-limit', 'plan')).code).toBe(3);
      expect((await mock('sandbox', 'drop')).code).toBe(3);
      expect((await mock('sandbox', 'drop', String(named.json.id), '--all')).code).toBe(3);
      expect((await mock('sandbox', 'drop', '--all')).json).toEqual({ dropped: 1 });
      expect((await mock('requests')).json).toEqual([]);
      expect((await mock('reset')).code).toBe(0);
      expect((await cli.run(['mock', 'state', 'save', 'state.json', '--url', url])).code).toBe(0);
    } finally {
      expect((await mock('stop')).json).toMatchObject({ stopped: true });
    }
    expect((await mock('stop')).code).toBe(6);
    expect((await mock('wait', '--timeout', '100ms')).code).toBe(9);
  });
});
