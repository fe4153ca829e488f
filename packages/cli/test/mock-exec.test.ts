import { afterAll, describe, expect, test } from 'vitest';
import { Harness } from './harness.ts';

const cli = new Harness();
afterAll(() => cli.end());

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
