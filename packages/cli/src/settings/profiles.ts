import { join } from 'node:path';
import { isObject } from '@orgchat/spec/is-object';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
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

export const profilesPath = (): string => join(configDirectory(), 'profiles.json');

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

export const writeProfiles = (profiles: Profiles): Promise<void> => writeJson(profilesPath(), profiles);
