import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useCli } from '../../test-support/harness.ts';

const cli = useCli({ inProcess: true });

describe('keys', () => {
  test('from a file, with a warning if others can read it', async () => {
    const file = join(cli.folder, 'key.txt');
    writeFileSync(file, 'demo-read-key\n');
    chmodSync(file, 0o644);
    const env = { ORGCHAT_API_KEY: undefined, ORGCHAT_API_KEY_FILE: file };
    const open = await cli.run(['account', '--json'], { env });
    expect(open.json.key?.scope).toBe('read');
    expect(open.stderr).toContain('chmod 600');
  });

  test('from a profile: stored in a file with mode 0600 without a keychain, and sent only to its own server', async () => {
    const none = { ORGCHAT_API_KEY: undefined };
    const login = await cli.run(['auth', 'login', '--with-token', '--insecure-storage', '--json'], {
      input: 'demo-write-key\n',
      env: none,
    });
    expect(login.json).toMatchObject({ profile: 'default', storage: 'file', organizationId: 'org_demo' });
    const bare = { ...none, ORGCHAT_BASE_URL: undefined };
    expect((await cli.run(['auth', 'status', '--json'], { env: bare })).json).toMatchObject({
      keyFrom: 'profile default',
    });
    const elsewhere = await cli.run(['account', '--json'], {
      env: { ...none, ORGCHAT_BASE_URL: 'http://127.0.0.1:9/api/v1' },
    });
    expect([elsewhere.code, elsewhere.json.error?.code]).toEqual([4, 'KEY_OF_ANOTHER_SERVER']);
    await cli.run(['auth', 'login', '--with-token', '--insecure-storage', '--profile', 'second', '--json'], {
      input: 'demo-read-key\n',
      env: none,
    });
    const left = await cli.run(['auth', 'logout', '--json'], { env: bare });
    expect(left.json).toMatchObject({ profile: 'second' });
    expect(left.stderr).toContain('Commands now use profile "default" (http');
    expect((await cli.run(['auth', 'logout', '--json'], { env: bare })).json).toEqual({
      profile: 'default',
      loggedOut: true,
    });
    expect((await cli.run(['account', '--json'], { env: bare })).code).toBe(3);
  });

  test('are not stored if the server rejects them', async () => {
    const none = { ORGCHAT_API_KEY: undefined };
    const login = await cli.run(['auth', 'login', '--with-token', '--profile', 'wrong', '--json'], {
      input: 'sk-secret-1\n',
      env: none,
    });
    expect([login.code, login.json.error?.code]).toEqual([4, 'UNAUTHORIZED']);
    expect(login.json.error?.hint).toMatch(/^Nothing was saved\./);
    const used = await cli.run(['account', '--profile', 'wrong', '--json'], { env: none });
    expect([used.code, used.json.error?.code]).toEqual([3, 'UNKNOWN_PROFILE']);
  });

  test.skipIf(process.platform === 'win32')(
    'of a profile are read with a warning if others can reach its files',
    async () => {
      const config = join(cli.folder, 'open');
      const env = { ORGCHAT_CONFIG_DIR: config, ORGCHAT_API_KEY: undefined };
      await cli.run(['auth', 'login', '--with-token', '--insecure-storage', '--json'], {
        input: 'demo-write-key\n',
        env,
      });
      const warnings = async (): Promise<string[]> => {
        const { stderr, code } = await cli.run(['account', '--json'], {
          env: { ...env, ORGCHAT_BASE_URL: undefined },
        });
        expect(code).toBe(0);
        return stderr.split('\n').filter(Boolean);
      };
      expect(await warnings()).toEqual([]);
      const cases: [path: string, open: number, closed: number, warning: string][] = [
        [
          'keys.json',
          0o640,
          0o600,
          `Other users can read ${config}/keys.json. Restrict access: chmod 600 ${config}/keys.json`,
        ],
        [
          'profiles.json',
          0o662,
          0o644,
          `Other users can change ${config}/profiles.json, and so the server that gets the key. Restrict access: chmod 600 ${config}/profiles.json`,
        ],
        [
          '.',
          0o777,
          0o755,
          `Other users can replace the files in ${config}, such as the profile and its key. Restrict access: chmod 700 ${config}`,
        ],
      ];
      for (const [path, open, closed, warning] of cases) {
        chmodSync(join(config, path), open);
        expect(await warnings()).toEqual([`orgchat: warning: ${warning}`]);
        const doctor = await cli.run(['doctor', '--json'], { env });
        expect(doctor.json.checks).toContainEqual(
          expect.objectContaining({
            check: 'directories',
            result: 'warning',
            detail: expect.stringContaining('Other users can '),
            hint: `Restrict access: ${/chmod .*/.exec(warning)?.[0]}`,
          }),
        );
        chmodSync(join(config, path), closed);
        expect(await warnings()).toEqual([]);
      }
      // Nobody else can replace a file there, as in the directory for temporary files.
      chmodSync(config, 0o1777);
      expect(await warnings()).toEqual([]);
      // A key of the environment is not read from there.
      chmodSync(config, 0o777);
      const given = await cli.run(['account', '--json'], { env: { ORGCHAT_CONFIG_DIR: config } });
      expect([given.code, given.stderr]).toEqual([0, '']);
    },
  );

  test.skipIf(process.platform === 'win32').each(['/dev/zero', 'long.txt'])(
    'are not read from %s, which is larger than a key',
    async (name) => {
      const file = name.startsWith('/') ? name : join(cli.folder, name);
      if (file !== name) writeFileSync(file, 'x'.repeat(70_000));
      const env = { ORGCHAT_API_KEY: undefined, ORGCHAT_API_KEY_FILE: file };
      const { code, json } = await cli.run(['account', '--json'], { env });
      expect([code, json.error]).toMatchObject([
        4,
        { code: 'KEY_FILE_UNREADABLE', message: 'Cannot read the key file: it is larger than 64 KiB' },
      ]);
      const typed = await cli.run(['auth', 'login', '--with-token', '--json'], {
        input: 'x'.repeat(70_000),
        env,
      });
      expect([typed.code, typed.json.error?.message]).toEqual([
        3,
        'Cannot read standard input: it is larger than 64 KiB.',
      ]);
    },
  );

  test('that are refused are named with their source, also by auth status', async () => {
    const { code, json } = await cli.run(['auth', 'status', '--json'], {
      env: { ORGCHAT_API_KEY: 'demo-revoked-key' },
    });
    expect([code, json.error]).toMatchObject([
      4,
      {
        code: 'UNAUTHORIZED',
        baseUrl: cli.ready?.baseUrl,
        baseUrlFrom: 'ORGCHAT_BASE_URL',
        keyFrom: 'ORGCHAT_API_KEY',
      },
    ]);
    const { stderr } = await cli.run(['auth', 'status'], { env: { ORGCHAT_API_KEY: 'demo-revoked-key' } });
    expect(stderr).toContain(
      `\n  base URL: ${cli.ready?.baseUrl} (from ORGCHAT_BASE_URL)\n  key: from ORGCHAT_API_KEY\n`,
    );
  });

  test('that hide a new profile are named', async () => {
    const login = (env: Record<string, string | undefined>) =>
      cli.run(['auth', 'login', '--with-token', '--insecure-storage', '--profile', 'my shop', '--json'], {
        input: 'demo-write-key\n',
        env,
      });
    const hidden = await login({ ORGCHAT_API_KEY: 'demo-read-key' });
    expect(hidden.stderr).toContain(
      `ORGCHAT_API_KEY is set, so commands do not use all of profile "my shop". Unset it, or pass --profile 'my shop'.`,
    );
    expect((await login({ ORGCHAT_API_KEY: undefined })).stderr).not.toContain('ORGCHAT_API_KEY');
  });

  test('are never printed, not even with --debug', async () => {
    const { stderr, stdout } = await cli.run(['account', '--debug']);
    expect(stderr).toContain('debug: attempt');
    expect(stderr).toMatch(/ durationMs=\d+$/m);
    expect(stdout + stderr).not.toContain('demo-write-key');
  });

  test.each<[name: string, env: Record<string, string | undefined>, args: string[]]>([
    ['ORGCHAT_BASE_URL', { ORGCHAT_BASE_URL: 'sk-secret/1', ORGCHAT_API_KEY: 'http://127.0.0.1:9' }, []],
    ['ORGCHAT_API_KEY_FILE', { ORGCHAT_API_KEY: undefined, ORGCHAT_API_KEY_FILE: 'sk-secret/1' }, []],
    ['--base-url', {}, ['--base-url', 'sk-secret/1']],
  ])('are not repeated if they are in %s by mistake', async (_name, env, args) => {
    const { code, stdout, stderr } = await cli.run(['account', '--json', ...args], { env });
    expect(code).not.toBe(0);
    expect(stdout).toContain('"error"');
    expect(stdout + stderr).not.toContain('sk-secret');
  });

  test('are not repeated from broken files, which hinder no command that does not need them', async () => {
    const config = join(cli.folder, 'broken config');
    mkdirSync(config, { mode: 0o700 });
    const profiles = join(config, 'profiles.json');
    const profile = { baseUrl: cli.ready?.baseUrl, store: 'file' };
    writeFileSync(profiles, JSON.stringify({ current: 'default', profiles: { default: profile } }));
    writeFileSync(join(config, 'keys.json'), 'sk-secret\n', { mode: 0o600 });
    const bare = { ORGCHAT_CONFIG_DIR: config, ORGCHAT_API_KEY: undefined, ORGCHAT_BASE_URL: undefined };
    const unreadable = async () => {
      const { json, stdout, stderr } = await cli.run(['account', '--json'], { env: bare });
      expect(json.error?.code).toBe('FILE_UNREADABLE');
      expect(stdout + stderr).not.toContain('sk-secret');
      return json.error?.hint;
    };
    expect(await unreadable()).toContain(`mv '${config}/keys.json' '${config}/keys.json.old'`);
    for (const text of [
      'sk-secret',
      JSON.stringify({ profiles: { default: { ...profile, baseUrl: 'sk-secret' } } }),
    ]) {
      writeFileSync(profiles, text);
      expect(await unreadable()).toContain(`mv '${profiles}' '${profiles}.old'`);
      const given = await cli.run(['account', '--json'], { env: { ORGCHAT_CONFIG_DIR: config } });
      expect([given.code, given.stderr]).toEqual([0, '']);
      const flag = await cli.run(['account', '--json', '--base-url', `${cli.ready?.baseUrl}`], {
        env: { ORGCHAT_CONFIG_DIR: config, ORGCHAT_BASE_URL: undefined },
      });
      expect(flag.code).toBe(0);
    }
  });

  test('are checked by doctor, which fails if one check fails', async () => {
    const well = await cli.run(['doctor', '--json']);
    expect(well.json).toMatchObject({ ok: true });
    const ill = await cli.run(['doctor', '--json'], { env: { ORGCHAT_API_KEY: 'wrong' } });
    expect([ill.code, ill.json.ok]).toEqual([4, false]);
    // It sends nobody to itself, as other commands do.
    const hints = JSON.stringify(ill.json);
    expect(hints).toContain('"hint":"Use a valid key."');
    // The server answered, so it is the key that failed.
    expect(ill.json.checks).toMatchObject([
      ...['versions', 'directories', 'keychain', 'address', 'reachable'].map((check) => ({
        check,
        result: 'ok',
      })),
      { check: 'key', result: 'failed', detail: expect.stringMatching(/^from ORGCHAT_API_KEY: .* 401 /) },
      { check: 'journal', result: 'ok' },
    ]);
    const root = `${cli.ready?.baseUrl}`.replace('/api/v1', '');
    const elsewhere = await cli.run(['doctor', '--json'], { env: { ORGCHAT_BASE_URL: root } });
    expect(elsewhere.json.checks).toContainEqual(
      expect.objectContaining({ check: 'reachable', result: 'ok' }),
    );
    expect(elsewhere.json.checks).toContainEqual(
      expect.objectContaining({
        check: 'address',
        result: 'failed',
        detail: expect.stringContaining(`${root} (`),
      }),
    );
    const alone = await cli.run(['doctor', '--json', '--retries', '0'], {
      env: { ORGCHAT_BASE_URL: 'http://127.0.0.1:9/api/v1' },
    });
    expect(JSON.stringify(alone.json)).toContain('"hint":"Check the base URL and the network."');
  });
});

test('profiles are listed without their keys, and one is selected for later commands', async () => {
  const none = { ORGCHAT_API_KEY: undefined, ORGCHAT_CONFIG_DIR: join(cli.folder, 'profiles') };
  for (const [profile, input] of [
    ['one', 'demo-write-key\n'],
    ['two', 'demo-read-key\n'],
  ] as const)
    await cli.run(['auth', 'login', '--with-token', '--insecure-storage', '--profile', profile, '--json'], {
      input,
      env: none,
    });
  const bare = { env: { ...none, ORGCHAT_BASE_URL: undefined } };
  const listed = await cli.run(['auth', 'list', '--format', 'value', '--fields', 'profile,current'], bare);
  expect(listed.stdout).toBe('one\tfalse\ntwo\ttrue\n');
  expect(JSON.stringify((await cli.run(['auth', 'list', '--json'], bare)).json)).not.toContain('demo-');
  const switched = await cli.run(['auth', 'switch', 'one', '--json'], bare);
  expect([switched.json, switched.stderr]).toMatchObject([{ profile: 'one', current: true }, '']);
  expect((await cli.run(['account', '--fields', 'key.scope', '--format', 'value'], bare)).stdout).toBe(
    'write\n',
  );
  const warning = async (env: Record<string, string>) =>
    (await cli.run(['auth', 'switch', 'two', '--json'], { env: { ...none, ...env } })).stderr;
  expect(await warning({ ORGCHAT_BASE_URL: `${cli.ready?.baseUrl}/`, ORGCHAT_PROFILE: 'two' })).toBe('');
  const other = { ORGCHAT_BASE_URL: 'http://127.0.0.1:9/api/v1', ORGCHAT_PROFILE: 'one' };
  expect(await warning(other)).toContain(
    'ORGCHAT_PROFILE and ORGCHAT_BASE_URL are set, so commands do not use all of profile "two". Unset them, or pass --profile two.',
  );
  const account = ['account', '--profile', 'two', '--fields', 'key.scope', '--format', 'value'];
  expect((await cli.run(account, { env: { ...none, ...other } })).stdout).toBe('read\n');
  for (const name of ['three', 'constructor']) {
    const unknown = await cli.run(['auth', 'switch', name, '--json'], bare);
    expect([unknown.code, unknown.json.error]).toMatchObject([
      6,
      { code: 'UNKNOWN_PROFILE', hint: 'Known profiles: one, two.' },
    ]);
  }
  for (const name of ['one', 'two']) await cli.run(['auth', 'logout', '--profile', name], bare);
  const left = await cli.run(['auth', 'list', '--format', 'table'], bare);
  expect([left.stdout, left.stderr]).toEqual(['', expect.stringContaining('No profiles found.')]);
});
