import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fileStore, type SecretStore } from '../../settings/key-stores.ts';
import { saveLogin } from './stored-login.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orgchat-login-'));
  vi.stubEnv('ORGCHAT_CONFIG_DIR', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const context = { options: {}, env: {}, interrupt: { signal: new AbortController().signal } } as Parameters<
  typeof saveLogin
>[0];
const one = { baseUrl: 'https://one.example/api/v1', key: 'key-of-one' };
const two = { baseUrl: 'https://two.example/api/v1', key: 'key-of-two' };

/** A store after whose first write the profiles cannot be written any more. */
function breaking(): SecretStore {
  const store = fileStore();
  let isBroken = false;
  return {
    ...store,
    async write(profile, key) {
      await store.write(profile, key);
      if (isBroken) return;
      isBroken = true;
      rmSync(join(folder, 'profiles.json'), { force: true });
      mkdirSync(join(folder, 'profiles.json'));
    },
  };
}

test('a login whose profile cannot be written leaves the earlier key, and no lock', async () => {
  await saveLogin(context, 'default', one, fileStore());
  await expect(saveLogin(context, 'default', two, breaking())).rejects.toMatchObject({
    code: 'FILE_UNWRITABLE',
  });
  expect(await fileStore().read('default')).toEqual(one);
  expect(readdirSync(folder).sort()).toEqual(['keys.json', 'profiles.json']);
});

test('a first login whose profile cannot be written leaves no key', async () => {
  await expect(saveLogin(context, 'default', two, breaking())).rejects.toMatchObject({
    code: 'FILE_UNWRITABLE',
  });
  expect(readFileSync(join(folder, 'keys.json'), 'utf8')).not.toContain('key-of-two');
});
