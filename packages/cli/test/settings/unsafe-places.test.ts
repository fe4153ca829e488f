import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useCli } from '../../test-support/harness.ts';
import { create } from '../../test-support/tags.ts';

const cli = useCli({ inProcess: true });

/** What would put files of the command into the folder it is run in. */
const accidents: [string, Record<string, string | undefined>][] = [
  ['empty variables of our own', { ORGCHAT_CONFIG_DIR: '', ORGCHAT_STATE_DIR: '' }],
  ['an empty HOME', { HOME: '' }],
  ['a relative HOME', { HOME: '.' }],
  ['relative XDG variables', { XDG_CONFIG_HOME: '.config', XDG_STATE_HOME: '.local/state' }],
];
const unset = { ORGCHAT_CONFIG_DIR: undefined, ORGCHAT_STATE_DIR: undefined };

describe('a directory of the command', () => {
  test.each(accidents)('with %s is never in the current directory', async (name, env) => {
    const cwd = join(cli.folder, name.replaceAll(' ', '-'));
    const home = join(cli.folder, 'home');
    mkdirSync(cwd);
    const all = { ...unset, HOME: home, XDG_STATE_HOME: home, ...env };
    // Writes nothing: the home of the account is that of the user who runs the tests.
    expect((await cli.run(['tags', 'list', '--json'], { cwd, env: all })).code).toBe(0);
    const doctor = await cli.run(['doctor', '--json'], { cwd, env: all });
    expect(JSON.stringify(doctor.json)).toMatch(/"configuration \/[^"]*, journal \/[^"]*"/);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test.each(['ORGCHAT_STATE_DIR', 'ORGCHAT_CONFIG_DIR'])('in a relative %s is rejected', async (name) => {
    const args = name === 'ORGCHAT_STATE_DIR' ? create('Relative') : ['auth', 'list'];
    const { code, json } = await cli.run([...args, '--json'], { env: { [name]: 'here' } });
    expect([code, json.error]).toMatchObject([
      3,
      {
        code: 'RELATIVE_DIRECTORY',
        message: expect.stringContaining(`${name} must be an absolute path, got "here"`),
        hint: expect.stringContaining(`${name}="$PWD/here"`),
      },
    ]);
    expect(existsSync(join(cli.folder, 'here'))).toBe(false);
    expect(await cli.received('changeChat')).toEqual([]);
  });
});

describe('a key of the environment', () => {
  const keys: string[] = [];
  let server: Server;
  let profiles: string;
  beforeAll(async () => {
    server = createServer(({ headers }, response) => {
      keys.push(String(headers.authorization));
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
    profiles = JSON.stringify({ current: 'evil', profiles: { evil: { baseUrl, store: 'file' } } });
  });
  afterAll(() => server.close());
  beforeEach(() => {
    keys.length = 0;
  });

  /** Puts a profile where it would be found, and runs a command that has a key and no address. */
  async function runBeside(folder: string, env: Record<string, string | undefined>) {
    const cwd = mkdtempSync(join(cli.folder, 'checkout-'));
    mkdirSync(join(cwd, folder), { recursive: true });
    writeFileSync(join(cwd, folder, 'profiles.json'), profiles);
    const alone = { ORGCHAT_BASE_URL: undefined, HOME: join(cli.folder, 'nobody'), ...env };
    return cli.run(['account', '--json', '--retries', '0'], { cwd, env: alone });
  }

  test.each<[string, string, Record<string, string | undefined>]>([
    ['an empty ORGCHAT_CONFIG_DIR', '.', { ORGCHAT_CONFIG_DIR: '' }],
    ['an empty HOME', '.config/orgchat', { ORGCHAT_CONFIG_DIR: undefined, HOME: '' }],
    [
      'a relative XDG_CONFIG_HOME',
      '.config/orgchat',
      { ORGCHAT_CONFIG_DIR: undefined, XDG_CONFIG_HOME: '.config' },
    ],
  ])('is not sent to a profile of the current folder with %s', async (_name, folder, env) => {
    const { code } = await runBeside(folder, env);
    expect([code, keys]).toEqual([3, []]);
  });

  test.each(['ORGCHAT_API_KEY', 'ORGCHAT_API_KEY_FILE'])(
    'in %s is not sent to the current profile, unless its address was named',
    async (variable) => {
      const directory = join(cli.folder, `profiles-${variable}`);
      mkdirSync(directory);
      writeFileSync(join(directory, 'profiles.json'), profiles);
      const file = join(directory, 'key.txt');
      writeFileSync(file, 'secret-of-the-environment', { mode: 0o600 });
      const env = {
        ORGCHAT_BASE_URL: undefined,
        ORGCHAT_CONFIG_DIR: directory,
        ORGCHAT_API_KEY: undefined,
        [variable]: variable === 'ORGCHAT_API_KEY' ? 'secret-of-the-environment' : file,
      };
      const args = ['account', '--json', '--retries', '0'];
      const { code, json } = await cli.run(args, { env });
      expect([code, json.error?.code, keys]).toEqual([3, 'NO_BASE_URL', []]);
      expect(json.error?.hint).toContain('ORGCHAT_BASE_URL=http');
      await cli.run(args, { env: { ...env, ORGCHAT_PROFILE: 'evil' } });
      expect(keys).toEqual(['Bearer secret-of-the-environment']);
    },
  );
});

test('sending a key over plain http to another machine prints a warning, also in doctor', async () => {
  const env = {
    // Reserved for documentation: nothing answers there.
    ORGCHAT_BASE_URL: 'http://192.0.2.1/api/v1',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  };
  const { stderr } = await cli.run(['account', '--timeout', '200ms'], { env });
  expect(stderr.match(/warning: the key is sent to 192\.0\.2\.1 without encryption/g)).toHaveLength(1);
  const { json } = await cli.run(['doctor', '--json', '--timeout', '200ms'], { env });
  expect(json.checks).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ check: 'address', result: 'warning' }),
      expect.objectContaining({ check: 'certificates', result: 'warning' }),
    ]),
  );
});
