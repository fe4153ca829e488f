import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { Harness } from '../../test-support/harness.ts';

const cli = new Harness();
afterAll(() => cli.end());

describe('exec', () => {
  const exec = (...args: string[]) => cli.run(['mock', 'exec', ...args]);

  test('leaves stdout to the command and returns its exit code', async () => {
    const script = 'process.stdout.write(process.env.ORGCHAT_API_KEY); process.exit(42)';
    const { code, stdout } = await exec('--', process.execPath, '-e', script);
    expect([code, stdout]).toEqual([42, 'demo-write-key']);
  });

  test('arms faults before the command runs', async () => {
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

  test('names a seed file that does not exist', async () => {
    const { stderr } = await exec('--seed', 'nowhere.json', '--', 'true');
    expect(stderr).toContain('Cannot read nowhere.json: no such file.');
  });

  describe('with a seed', () => {
    const seed = (keys: string): string => {
      const path = join(cli.folder, `seed-${randomUUID()}.yaml`);
      writeFileSync(path, `organizations:\n  - id: org_own\n    keys: [${keys}]\n`);
      return path;
    };
    const reader = '{ key: own-read-key, name: R, scope: read }';
    const suspended = '{ key: own-suspended-key, name: S, scope: write, suspended: true }';
    const writer = '{ key: own-write-key, name: W, scope: write }';
    const account = [process.execPath, cli.command, 'account', '--json', '--fields', 'organizationId,key'];

    test('passes a key of the seed with write scope', async () => {
      const file = seed(`${reader}, ${suspended}, ${writer}`);
      const { code, json } = await exec('--seed', file, '--', ...account);
      expect([code, json]).toEqual([0, { organizationId: 'org_own', key: { name: 'W', scope: 'write' } }]);
    });

    test('passes the key of --key', async () => {
      const { json } = await exec(
        '--seed',
        seed(`${reader}, ${writer}`),
        '--key',
        'own-read-key',
        '--',
        ...account,
      );
      expect(json.key).toEqual({ name: 'R', scope: 'read' });
    });

    test.each([
      [
        'no key with write scope',
        `${reader}, ${suspended}`,
        /no key with write scope.*\n.*own-read-key, own-suspended-key/,
      ],
      ['no key at all', '', /no key with write scope.*\n.*Add a key to the seed/],
    ])('does not run the command with %s', async (_what, keys, message) => {
      const { code, stdout, stderr } = await exec('--seed', seed(keys), '--', 'echo', 'ran');
      expect([code, stdout]).toEqual([125, '']);
      expect(stderr).toMatch(message);
    });

    test('does not run the command with a key that does not exist', async () => {
      const { code, stdout, stderr } = await exec('--key', 'nope', '--', 'echo', 'ran');
      expect([code, stdout]).toEqual([125, '']);
      expect(stderr).toMatch(/no key "nope".*\n.*demo-write-key, demo-read-key/);
    });
  });

  test('uses the error codes of --server, and passes the file to the command', async () => {
    const file = join(cli.folder, 'codes.yaml');
    writeFileSync(file, '{ server: 1, codes: { notFound: GONE } }\n');
    const script =
      'fetch(process.env.ORGCHAT_BASE_URL + "/x").then(async (a) => console.log((await a.json()).error, process.env.ORGCHAT_SERVER))';
    const child = [process.execPath, '-e', script];
    expect((await exec('--server', file, '--', ...child)).stdout).toBe(`GONE ${file}\n`);
    const { stdout } = await cli.run(['mock', 'exec', '--', ...child], { env: { ORGCHAT_SERVER: file } });
    expect(stdout).toBe(`GONE ${file}\n`);
    writeFileSync(file, '{ server: 1, codes: { nobody: GONE } }\n');
    expect((await exec('--server', file, '--', ...child)).code).toBe(125);
  });

  test('a proxy of the environment is not used for the mock', async () => {
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

  test('options before its name change neither exit codes nor stdout', async () => {
    const before = ['--timeout', '5s', '--retries', '2', 'mock', 'exec'];
    const missing = await cli.run([...before, '--', 'no-such-command']);
    expect([missing.code, missing.stdout]).toEqual([127, '']);
    const none = await cli.run(before);
    expect([none.code, none.stdout]).toEqual([125, '']);
  });
});
