import type { Context } from '../../context.ts';
import { journalOption, parseJournal } from '../../settings/journal-setting.ts';
import { fileStore, keychain, type SecretStore, type StoredKey } from '../../settings/key-stores.ts';
import { findProfile, type Profile } from '../../settings/profiles.ts';
import { toServerFile } from '../../settings/server-file.ts';
import { changeProfiles } from './change-profiles.ts';
import { unknownProfileError } from './profiles.ts';

export const defaultName = 'default';

type LoginContext = Pick<Context, 'options' | 'env'> & {
  readonly interrupt: { readonly signal: AbortSignal };
};

/** The journal of the profile: from --journal, which also removes it, otherwise the stored one. */
export function chooseJournal({ options }: LoginContext, known: string | undefined): string | undefined {
  if (options.journal === undefined) return known;
  return parseJournal(options.journal, journalOption) && options.journal;
}

/** The file of the profile: from --server, which also removes it, otherwise the stored one. */
const chooseServer = ({ options }: LoginContext, known: string | undefined): string | undefined =>
  options.server === undefined ? known : toServerFile(options.server);

/** Stores a key and its profile; if the profile cannot be written, the earlier key is stored again. */
export async function saveLogin(
  context: LoginContext,
  name: string,
  key: StoredKey,
  store: SecretStore,
): Promise<Profile> {
  return changeProfiles(context.interrupt.signal, async (before, write) => {
    const known = findProfile(before, name);
    const journal = chooseJournal(context, known?.journal);
    const server = chooseServer(context, known?.server);
    const profile: Profile = {
      baseUrl: key.baseUrl,
      store: store.kind,
      ...(journal !== undefined && { journal }),
      ...(server !== undefined && { server }),
    };
    const earlier = await store.read(name);
    await store.write(name, key);
    try {
      await write({ current: name, profiles: { ...before.profiles, [name]: profile } });
    } catch (error) {
      // What cannot be restored is refused when it is read: a key is stored with its server.
      await (earlier === undefined ? store.remove(name) : store.write(name, earlier)).catch(() => {});
      throw error;
    }
    return profile;
  });
}

/** Removes a profile and its key. Returns what was stored before, and the profile that commands use next. */
export const removeLogin = ({ env, options, interrupt }: LoginContext) =>
  changeProfiles(interrupt.signal, async ({ current, profiles }, write) => {
    const name = options.profile ?? (env.ORGCHAT_PROFILE || (current ?? defaultName));
    const profile = findProfile({ profiles }, name);
    if (profile === undefined) throw unknownProfileError(name, profiles);
    const store = profile.store === 'file' ? fileStore() : await keychain();
    await store?.remove(name);
    const { [name]: _, ...others } = profiles;
    const next = current === name ? Object.keys(others)[0] : current;
    await write({ ...(next !== undefined && { current: next }), profiles: others });
    return { name, current, next, profiles };
  });
