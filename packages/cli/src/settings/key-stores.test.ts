import { expect, test } from 'vitest';
import { CliError } from '../errors/cli-error.ts';
import { type Keyring, keychain, workingKeychain } from './key-stores.ts';

/** A keychain in memory, which does not do what is in `broken`. */
function fake(...broken: readonly string[]): { kept: Map<string, string>; load: () => Promise<Keyring> } {
  const kept = new Map<string, string>();
  const check = (what: string): void => {
    if (broken.includes(what)) throw new Error(`${what}: no storage`);
  };
  class AsyncEntry {
    readonly #name: string;
    constructor(service: string, account: string) {
      this.#name = `${service}/${account}`;
    }
    async getPassword() {
      check('get');
      return kept.get(this.#name) ?? null;
    }
    async setPassword(key: string) {
      check('set');
      if (!broken.includes('keep')) kept.set(this.#name, key);
    }
    async deletePassword() {
      check('delete');
      return kept.delete(this.#name);
    }
  }
  return { kept, load: async () => ({ AsyncEntry }) };
}

test('a key is stored, read and removed by profile, and the probe leaves nothing behind', async () => {
  const { kept, load } = fake();
  const store = await workingKeychain(load);
  expect([store?.kind, [...kept]]).toEqual(['keychain', []]);
  const key = { baseUrl: 'https://api.example.com/api/v1', key: 'secret' };
  await store?.write('staging', key);
  expect([...kept]).toEqual([['orgchat/staging', JSON.stringify(key)]]);
  expect([await store?.read('staging'), await store?.read('other')]).toEqual([key, undefined]);
  kept.set('orgchat/other', 'of another program');
  expect(await store?.read('other')).toBeUndefined();
  kept.delete('orgchat/other');
  await store?.remove('staging');
  expect([...kept]).toEqual([]);
});

test.each([['set'], ['get'], ['keep']])('a keychain that cannot %s is not used', async (broken) => {
  expect(await workingKeychain(fake(broken).load)).toBeUndefined();
});

test('a keychain whose module is not installed is not used', async () => {
  const load = () => Promise.reject(new Error('Cannot find package'));
  expect([await workingKeychain(load), await keychain(load)]).toEqual([undefined, undefined]);
});

test('a chosen keychain that cannot be reached is reported with a hint', async () => {
  const store = await keychain(fake('get').load);
  const error = await store?.read('default').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CliError);
  expect(error).toMatchObject({
    code: 'KEYCHAIN_UNREACHABLE',
    exit: 4,
    message: expect.stringContaining('no storage'),
  });
});
