import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Harness, once, type Result } from './harness.ts';
import { typing } from './terminal.ts';

let cli: Harness;
beforeAll(() => {
  cli = new Harness();
}, 60_000);
afterAll(() => cli.end());

describe('start', () => {
  test('shows a person the address, the keys and commands that work', async () => {
    const { child, result } = cli.begin(['mock', 'start', '--port', '0']);
    const lines: string[] = [];
    child.stdout?.on('data', (text: string) => lines.push(...text.split('\n')));
    await once(child);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const text = lines.join('\n');
    expect(text).toContain('demo-viewer-key');
    const commands = lines.filter((line) => /^ {2}(curl|ORGCHAT_BASE_URL)/.test(line));
    expect(commands).toHaveLength(3);
    const run = async (command: string): Promise<string> => {
      const here = command.replace('npx orgchat', `${process.execPath} ${cli.command}`);
      return (await promisify(execFile)('sh', ['-c', here], { cwd: cli.folder })).stdout;
    };
    for (const command of commands) expect(JSON.parse(await run(command))).toBeTruthy();
    const [fault = ''] = lines.filter((line) => line.includes('npx orgchat mock fault'));
    await run(fault);
    expect(JSON.parse(await run(commands[2] ?? ''))).toMatchObject({ applied: true, replayed: true });
    child.kill('SIGTERM');
    const { code, stderr } = await result;
    expect(code).toBe(0);
    expect(stderr.trim().split('\n')).toHaveLength(5);
    expect(stderr).toMatch(/GET \/api\/v1\/me 200 \d+ ms\n/);
  });

  test('finishes what is in flight when it is told to stop', async () => {
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
    await new Promise((resolve) => setTimeout(resolve, 150));
    child.kill('SIGINT');
    expect((await answer).status).toBe(200);
    const { code, stdout } = await result;
    expect([code, stdout.trim().split('\n').length]).toEqual([0, 1]);
  });

  test('names a port that is taken, and the way out', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const { code, json } = await cli.run(['mock', 'start', '--port', String(port), '--json']);
    server.close();
    expect([code, json.error?.code]).toEqual([1, 'PORT_IN_USE']);
    expect(String(json.error?.message)).toContain(String(port));
    expect(String(json.error?.hint)).toContain('--port 0');
  });

  test('leaves a file alone that is no data file, and says what does without one', async () => {
    const path = join(cli.folder, 'diary.txt');
    writeFileSync(path, 'Dear diary');
    const { code, json } = await cli.run(['mock', 'start', '--port', '0', '--data', path, '--json']);
    expect([code, json.error?.code]).toEqual([1, 'DATA_FILE_UNUSABLE']);
    expect(json.error?.message).toContain('It was left untouched');
    expect(json.error?.hint).toContain('in memory');
    expect(readFileSync(path, 'utf8')).toBe('Dear diary');
  });

  test('detached: wait, steer, stop', async () => {
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
      expect(near.stderr).toMatch(/near: request \d+, changeChat create-tags 200; another status\n/);
      expect((await mock('sandbox', 'drop', String(sandbox.json.id))).code).toBe(0);
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

describe('seed', () => {
  test.each(['large.json', 'large.yaml'])('of any size, which start takes: %s', async (file) => {
    const size = ['--friends', '400', '--messages', '1', '--tags', '150'];
    const made = await cli.run(['mock', 'seed', ...size, '-o', file]);
    expect([made.code, made.stdout]).toEqual([0, '']);
    const list = [process.execPath, cli.command, 'friends', 'list', '--all', '--pacing', 'off', '--json'];
    const { code, json } = await cli.run([
      'mock',
      'exec',
      '--seed',
      file,
      '--rate-limit',
      'off',
      '--',
      ...list,
    ]);
    expect(code).toBe(0);
    expect(Number(json.length)).toBeGreaterThan(400);
  });

  test('to stdout, always the same, with no keys but those of the demo', async () => {
    const args = ['mock', 'seed', '--friends', '3', '--random-seed', '7'];
    const [one, same] = [await cli.run(args), await cli.run(args)];
    expect(same.stdout).toBe(one.stdout);
    const keysIn = ({ json }: Result): string[] =>
      (json.organizations as unknown as { keys: { key: string }[] }[]).flatMap(({ keys }) =>
        keys.map(({ key }) => key),
      );
    expect(keysIn(one)).toEqual(keysIn(await cli.run(['mock', 'seed'])));
    const nowhere = await cli.run(['mock', 'seed', '-o', 'no/such/folder.json', '--json']);
    expect([nowhere.code, nowhere.json.error?.code]).toEqual([3, 'FILE_UNWRITABLE']);
  });
});

describe('exec', () => {
  const exec = (...args: string[]) => cli.run(['mock', 'exec', ...args]);

  test('leaves stdout to the command and passes its exit code on', async () => {
    const script = 'process.stdout.write(process.env.ORGCHAT_API_KEY); process.exit(42)';
    const { code, stdout } = await exec('--', process.execPath, '-e', script);
    expect([code, stdout]).toEqual([42, 'demo-write-key']);
  });

  test('arms faults first', async () => {
    const create = [
      process.execPath,
      cli.command,
      'tags',
      'create',
      '--name',
      'X',
      '--color',
      'pink',
      '--json',
    ];
    const { json } = await exec('--fault', 'lose-response,action=create-tags', '--', ...create);
    expect(json).toMatchObject({ applied: true, replayed: true });
  });

  test.each([
    ['a seed that is not there', ['--seed', 'nowhere.json', '--', 'true'], 125],
    ['a fault that is none', ['--fault', 'nonsense', '--', 'true'], 125],
    ['an option that is none', ['--nonsense', '--', 'true'], 125],
    ['no command', [], 125],
    ['what cannot be run', ['--', '/etc/passwd'], 126],
    ['what cannot be found', ['--', 'no-such-command'], 127],
    ['a command that a signal ends', ['--', 'sh', '-c', 'kill -TERM $$'], 143],
  ])('%s', async (_what, args, code) => {
    const result = await exec(...args);
    expect(result.code).toBe(code);
    if (code > 100) expect(result.stdout).toBe('');
  });

  /** Whether a process is at work; one that has ended and was not fetched yet is not. */
  const runs = async (pid: number): Promise<boolean> => {
    const { stdout } = await promisify(execFile)('sh', ['-c', `ps -o stat= -p ${pid} || true`]);
    return /^[^Z]/.test(stdout.trim());
  };
  /** What a shell prints that begins a process in the background, and its number. */
  const trees: [what: string, script: string][] = [
    ['a child of the command', 'sleep 60 & echo $!; : > ready; wait'],
    [
      'one that takes no notice of SIGTERM',
      'sh -c \'trap "" TERM; echo $$; : > ready; while :; do sleep 1; done\' & wait',
    ],
    ...(process.platform === 'linux'
      ? [
          ['one in a session of its own', "setsid sh -c 'echo $$; : > ready; sleep 60' & wait"] as [
            string,
            string,
          ],
        ]
      : []),
    ['one with an empty environment', "env -i sh -c 'echo $$; : > ready; sleep 60' & wait"],
  ];

  test.each(trees)('forwards signals and leaves no orphan: %s', async (_what, script) => {
    const { child, result } = cli.begin(['mock', 'exec', '--', 'sh', '-c', script]);
    const pid = Number((await once(child))[0]);
    expect(await runs(pid)).toBe(true);
    child.kill('SIGTERM');
    expect((await result).code).toBe(143);
    expect(await runs(pid)).toBe(false);
  });

  /** The same, ending by itself once the other has begun. */
  const ending = (script: string, code: number): string =>
    `rm -f ready; ${script.replace(/wait$/, '')} while [ ! -e ready ]; do sleep 0.1; done; exit ${code}`;

  test.each(trees)('leaves none when the command ends by itself: %s', async (_what, script) => {
    const { code, stdout } = await exec('--', 'sh', '-c', ending(script, 5));
    expect([code, Number(stdout) > 0]).toEqual([5, true]);
    expect(await runs(Number(stdout))).toBe(false);
  });

  describe.runIf(process.platform === 'linux')('on a terminal', () => {
    /** Runs a command line on a terminal of its own and types, each text when what is before it was shown. */
    const onTerminal = (line: string, ...typed: (readonly [after: string, text: string])[]) =>
      typing(cli, line, typed);
    const mockExec = (script: string): string =>
      `trap : INT; ${process.execPath} ${cli.command} mock exec -- sh -c '${script}'; echo "code $?"`;

    test.each(trees)('leaves no orphan: %s', async (_what, script) => {
      writeFileSync(join(cli.folder, 'tree.sh'), ending(script, 4));
      const shown = await onTerminal(mockExec('exec sh tree.sh'));
      expect(shown).toContain('code 4');
      const pid = Number(/\d+/.exec(shown)?.[0]);
      expect(pid).toBeGreaterThan(0);
      expect(await runs(pid)).toBe(false);
    });

    test('the command reads what is typed, and gets Ctrl-C once', async () => {
      writeFileSync(
        join(cli.folder, 'ask.sh'),
        'n=0; trap "n=$((n+1)); echo caught" INT; echo name?; read name; echo "hello $name"; while [ $n = 0 ]; do sleep 0.1; done; sleep 0.5; exit 9',
      );
      const shown = await onTerminal(mockExec('exec sh ask.sh'), ['name?', 'Aiko\r'], ['hello Aiko', '\x03']);
      expect(shown.match(/caught/g)).toHaveLength(1);
      expect(shown).toContain('code 9');
    });
  });

  test('a proxy of the environment is not in the way, neither here nor in the command', async () => {
    const env = {
      HTTP_PROXY: 'http://127.0.0.1:9',
      https_proxy: 'http://127.0.0.1:9',
      NO_PROXY: 'example.com',
    };
    const inside = [process.execPath, cli.command, 'account', '--json', '--fields', 'organizationId'];
    const { code, json } = await cli.run(['mock', 'exec', '--', ...inside], { env });
    expect([code, json]).toEqual([0, { organizationId: 'org_demo' }]);
    const { stdout } = await cli.run(['mock', 'exec', '--', 'sh', '-c', 'echo $NO_PROXY $no_proxy'], { env });
    const all = 'example.com,localhost,127.0.0.1,::1';
    expect(stdout.trim()).toBe(`${all} ${all}`);
  });

  test('options before its name change nothing of its exit codes and stdout', async () => {
    const before = ['--timeout', '5s', '--retries', '2', 'mock', 'exec'];
    const missing = await cli.run([...before, '--', 'no-such-command']);
    expect([missing.code, missing.stdout]).toEqual([127, '']);
    const none = await cli.run(before);
    expect([none.code, none.stdout]).toEqual([125, '']);
  });
});
