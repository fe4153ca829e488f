import { join } from 'node:path';
import { readJson, writeJson } from './files.ts';
import { configDirectory } from './paths.ts';

/** Where the key of a profile is kept. */
export interface SecretStore {
  readonly kind: 'keychain' | 'file';
  /** Named to the person who logs in. */
  readonly place: string;
  read(profile: string): Promise<string | undefined>;
  write(profile: string, key: string): Promise<void>;
  remove(profile: string): Promise<void>;
}

const service = 'orgchat';

export function fileStore(): SecretStore {
  const path = join(configDirectory(), 'keys.json');
  const all = async (): Promise<Record<string, string>> =>
    ((await readJson(path)) ?? {}) as Record<string, string>;
  return {
    kind: 'file',
    place: path,
    read: async (profile) => {
      const key: unknown = (await all())[profile];
      return typeof key === 'string' ? key : undefined;
    },
    write: async (profile, key) => writeJson(path, { ...(await all()), [profile]: key }),
    remove: async (profile) => {
      const { [profile]: _, ...others } = await all();
      await writeJson(path, others);
    },
  };
}

/** The system's keychain, or undefined where there is none to be reached (a server, a container, CI). */
export async function keychain(): Promise<SecretStore | undefined> {
  try {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    const probe = new AsyncEntry(service, 'probe');
    await probe.setPassword('probe');
    await probe.deletePassword();
    return {
      kind: 'keychain',
      place: "the system's keychain",
      read: async (profile) => (await new AsyncEntry(service, profile).getPassword()) ?? undefined,
      write: (profile, key) => new AsyncEntry(service, profile).setPassword(key),
      remove: async (profile) => void (await new AsyncEntry(service, profile).deletePassword()),
    };
  } catch {
    return undefined;
  }
}
