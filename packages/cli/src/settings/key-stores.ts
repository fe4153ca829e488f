import { join } from 'node:path';
import { isObject } from '@orgchat/spec/is-object';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { getReason } from '../errors/get-reason.ts';
import { configDirectory } from './directories.ts';
import { isBeside } from './installed-packages.ts';
import { readJson, writeJson } from './private-files.ts';

/** A key together with its server, so that it is never sent to another one: what a profile says may have changed. */
export interface StoredKey {
  readonly baseUrl: string;
  readonly key: string;
}

/** Where the key of a profile is stored. */
export interface SecretStore {
  readonly kind: 'keychain' | 'file';
  /** Named to the person who logs in. */
  readonly displayName: string;
  read(profile: string): Promise<StoredKey | undefined>;
  write(profile: string, key: StoredKey): Promise<void>;
  remove(profile: string): Promise<void>;
}

const service = 'orgchat';

const toStoredKey = (value: unknown): StoredKey | undefined =>
  isObject(value) && typeof value.baseUrl === 'string' && typeof value.key === 'string'
    ? { baseUrl: value.baseUrl, key: value.key }
    : undefined;

export function fileStore(): SecretStore {
  const path = join(configDirectory(), 'keys.json');
  const all = async (): Promise<Record<string, unknown>> => {
    const found = await readJson(path);
    return isObject(found) ? found : {};
  };
  return {
    kind: 'file',
    displayName: path,
    read: async (profile) => toStoredKey(new Map(Object.entries(await all())).get(profile)),
    write: async (profile, key) => writeJson(path, { ...(await all()), [profile]: key }),
    remove: async (profile) => {
      const { [profile]: _, ...others } = await all();
      await writeJson(path, others);
    },
  };
}

/** An entry of the system's keychain, as far as it is used here. */
interface Entry {
  getPassword(): Promise<string | null | undefined>;
  setPassword(key: string): Promise<void>;
  deletePassword(): Promise<unknown>;
}

/** The module of the keychain, which is optional: it is native, and has to have been installed for this system. */
export interface Keyring {
  readonly AsyncEntry: new (service: string, account: string) => Entry;
}
type LoadKeyring = () => Promise<Keyring>;

const loadInstalledKeyring: LoadKeyring = async () => {
  // It gets the keys, so it must not be a package of a folder above the command.
  if (!isBeside('@napi-rs/keyring')) throw new Error('@napi-rs/keyring is not installed');
  return import('@napi-rs/keyring');
};

function keychainError(cause: unknown): CliError {
  return new CliError(`Cannot access the system keychain: ${getReason(cause)}`, {
    code: 'KEYCHAIN_UNREACHABLE',
    exit: exitCodes.denied,
    hint: 'Unlock it or set ORGCHAT_API_KEY. To store the key in a file: orgchat auth login --insecure-storage',
    cause,
  });
}

/** The keychain that was chosen at login; undefined if its module is not installed. */
export async function keychain(load: LoadKeyring = loadInstalledKeyring): Promise<SecretStore | undefined> {
  const keyring = await load().catch(() => undefined);
  if (keyring === undefined) return undefined;
  const ask = async <T>(profile: string, work: (entry: Entry) => Promise<T>): Promise<T> => {
    try {
      return await work(new keyring.AsyncEntry(service, profile));
    } catch (error) {
      throw keychainError(error);
    }
  };
  return {
    kind: 'keychain',
    displayName: 'the system keychain',
    read: async (profile) => parseStoredKey(await ask(profile, (entry) => entry.getPassword())),
    write: (profile, key) => ask(profile, (entry) => entry.setPassword(JSON.stringify(key))),
    remove: async (profile) => void (await ask(profile, (entry) => entry.deletePassword())),
  };
}

/** Undefined for what another program stored; no message repeats it. */
function parseStoredKey(text: string | null | undefined): StoredKey | undefined {
  try {
    return toStoredKey(JSON.parse(text ?? 'null'));
  } catch {
    return undefined;
  }
}

/** A keychain account that exists only while the keychain is tested. */
const probe = 'orgchat probe';

/** A keychain that really stores keys: servers, containers and CI have the module but no keychain. */
export async function workingKeychain(
  load: LoadKeyring = loadInstalledKeyring,
): Promise<SecretStore | undefined> {
  const store = await keychain(load);
  try {
    await store?.write(probe, { baseUrl: probe, key: probe });
    const isKept = (await store?.read(probe))?.key === probe;
    await store?.remove(probe);
    return isKept ? store : undefined;
  } catch {
    return undefined;
  }
}
