import { join } from 'node:path';
import { isObject } from '@orgchat/spec/is-object';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import type { LockOptions } from '../locks/with-lock.ts';
import { configDirectory } from './directories.ts';
import { moveAway, readJson, writeJson } from './private-files.ts';

export interface Profile {
  readonly baseUrl: string;
  /** Where the key is stored. */
  readonly store: 'keychain' | 'file';
  /** The URL of a shared journal, without a password. */
  readonly journal?: string;
  /** The absolute path of the file that describes the server. */
  readonly server?: string;
}

export interface Profiles {
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const isProfile = (value: unknown): value is Profile =>
  isObject(value) &&
  // Messages repeat it, so it must not be a key.
  typeof value.baseUrl === 'string' &&
  /^https?:\/\//i.test(value.baseUrl) &&
  (value.store === 'keychain' || value.store === 'file') &&
  (value.journal === undefined || typeof value.journal === 'string') &&
  (value.server === undefined || typeof value.server === 'string');

// Written out and not as a schema: every command reads this file, and few need the schemas otherwise.
const isProfiles = (value: unknown): value is Profiles =>
  isObject(value) &&
  (value.current === undefined || typeof value.current === 'string') &&
  isObject(value.profiles) &&
  Object.values(value.profiles).every(isProfile);

/** The profile of a name; a name such as `constructor` is not one because every object has it. */
export const findProfile = ({ profiles }: Profiles, name: string): Profile | undefined =>
  Object.hasOwn(profiles, name) ? profiles[name] : undefined;

const profilesPath = (): string => join(configDirectory(), 'profiles.json');

export async function readProfiles(): Promise<Profiles> {
  const found = await readJson(profilesPath());
  if (found === undefined) return { profiles: {} };
  if (isProfiles(found)) return found;
  throw new CliError(`${profilesPath()} is not a valid profiles file.`, {
    code: 'FILE_UNREADABLE',
    exit: exitCodes.failed,
    hint: `Move it away, then log in again with orgchat auth login: ${moveAway(profilesPath())}`,
  });
}

/** How long the lock is valid if its process cannot be checked, and how long to wait for it. A keychain may ask a person. */
const lockMs = 60_000;

/**
 * Changes profiles and their keys while no other process does. `work` gets the profiles as they are now, and a function
 * that writes them.
 */
export async function changeProfiles<T>(
  signal: AbortSignal,
  work: (before: Profiles, write: (after: Profiles) => Promise<void>) => Promise<T>,
): Promise<T> {
  const { lockInFile, withLock } = await import('../locks/with-lock.ts');
  const options: LockOptions = {
    store: lockInFile(`${profilesPath()}.lock`),
    validMs: lockMs,
    waiting: { timeoutMs: lockMs, signal, onStart: () => {} },
    inProgressError: ({ who, expiry }) =>
      new CliError(`Another login or logout is still in progress: ${who}. Nothing was changed.`, {
        code: 'LOGIN_UNDER_WAY',
        exit: exitCodes.conflict,
        hint: `Try again when it has ended.${expiry}`,
      }),
  };
  return withLock(options, async () =>
    work(await readProfiles(), (after) => writeJson(profilesPath(), after)),
  );
}
