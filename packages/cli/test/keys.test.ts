import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useCli } from '../test-support/harness.ts';
import { withKeyring } from '../test-support/keyring.ts';

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

  describe('in the keychain', () => {
    const none = { ORGCHAT_API_KEY: undefined };
    const login = (env: Record<string, string | undefined>) =>
      cli.run(['auth', 'login', '--with-token', '--profile', 'ring', '--json'], {
        input: 'demo-write-key\n',
        env: { ...none, ...env },
      });

    test('are stored only there, and read from there', async () => {
      const ring = withKeyring(cli, 'ring.json');
      expect((await login(ring.env)).json).toMatchObject({ profile: 'ring', storage: 'keychain' });
      expect(ring.kept()).toEqual({ 'orgchat/ring': 'demo-write-key' });
      const keys = join(cli.folder, 'config/keys.json');
      expect(existsSync(keys) ? readFileSync(keys, 'utf8') : '').not.toContain('ring');
      const env = { ...none, ...ring.env };
      const status = await cli.run(['auth', 'status', '--profile', 'ring', '--json'], { env });
      expect(status.json).toMatchObject({ keyFrom: 'profile ring', organizationId: 'org_demo' });
      const doctor = await cli.run(['doctor', '--json'], { env: ring.env });
      expect(JSON.stringify(doctor.json)).toContain(
        '{"check":"keychain","result":"ok","detail":"available"}',
      );
      expect((await cli.run(['auth', 'logout', '--profile', 'ring', '--json'], { env })).code).toBe(0);
      expect(ring.kept()).toEqual({});
    });

    test('without a keychain: a warning, and a private file', async () => {
      const broken = withKeyring(cli, undefined);
      const { json, stderr } = await login(broken.env);
      expect(json).toMatchObject({ storage: 'file' });
      expect(stderr).toContain('no system keychain found');
      const file = join(cli.folder, 'config/keys.json');
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(stderr).toContain(file);
    });

    test('are reported if the keychain cannot be accessed any more', async () => {
      const ring = withKeyring(cli, 'other.json');
      await login(ring.env);
      const env = { ...none, ...withKeyring(cli, undefined).env };
      const { code, json } = await cli.run(['account', '--profile', 'ring', '--json'], { env });
      expect([code, json.error?.code]).toEqual([4, 'KEYCHAIN_UNREACHABLE']);
    });
  });

  test('are never printed, not even with --debug', async () => {
    const { stderr, stdout } = await cli.run(['account', '--debug']);
    expect(stderr).toContain('debug: attempt');
    expect(stderr).toMatch(/ durationMs=\d+$/m);
    expect(stdout + stderr).not.toContain('demo-write-key');
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
