import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useCli } from '../../test-support/harness.ts';
import { withKeyring } from '../../test-support/keyring.ts';

const cli = useCli({ inProcess: true });

describe('keys in the keychain', () => {
  const none = { ORGCHAT_API_KEY: undefined };
  const login = (env: Record<string, string | undefined>) =>
    cli.run(['auth', 'login', '--with-token', '--profile', 'ring', '--json'], {
      input: 'demo-write-key\n',
      env: { ...none, ...env },
    });

  test('are stored only there, and read from there', async () => {
    const ring = withKeyring(cli, 'ring.json');
    expect((await login(ring.env)).json).toMatchObject({ profile: 'ring', storage: 'keychain' });
    const stored = JSON.stringify({ baseUrl: cli.ready?.baseUrl, key: 'demo-write-key' });
    expect(ring.kept()).toEqual({ 'orgchat/ring': stored });
    const keys = join(cli.folder, 'config/keys.json');
    expect(existsSync(keys) ? readFileSync(keys, 'utf8') : '').not.toContain('ring');
    const env = { ...none, ...ring.env };
    const status = await cli.run(['auth', 'status', '--profile', 'ring', '--json'], { env });
    expect(status.json).toMatchObject({ keyFrom: 'profile ring', organizationId: 'org_demo' });
    const doctor = await cli.run(['doctor', '--json'], { env: ring.env });
    expect(JSON.stringify(doctor.json)).toContain('{"check":"keychain","result":"ok","detail":"available"}');
    const other = stored.replace('http://', 'https://');
    writeFileSync(join(cli.folder, 'ring.json'), JSON.stringify({ 'orgchat/ring': other }));
    const refused = await cli.run(['account', '--profile', 'ring', '--json'], { env });
    expect([refused.code, refused.json.error?.code]).toEqual([4, 'KEY_OF_ANOTHER_SERVER']);
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
