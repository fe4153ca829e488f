import { userInfo } from 'node:os';
import { join, posix, win32 } from 'node:path';
import { usageError } from '../errors/cli-error.ts';

/** What determines where files are stored. */
export interface PathEnvironment {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** The home directory in the user database of the system; undefined if it has no entry. */
  readonly accountHome: () => string | undefined;
}

function accountHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    // The user of a container often has no entry.
    return undefined;
  }
}

const here: PathEnvironment = { env: process.env, platform: process.platform, accountHome };

const getPathModule = (platform: NodeJS.Platform) => (platform === 'win32' ? win32 : posix);

/**
 * A directory from a system variable. Relative and empty values are ignored, as the XDG specification requires: they
 * would mean another directory in each working directory, and one of another user could be used.
 */
function absolute({ env, platform }: PathEnvironment, name: string): string | undefined {
  const value = env[name];
  return value !== undefined && getPathModule(platform).isAbsolute(value) ? value : undefined;
}

function homeDirectory(surroundings: PathEnvironment): string {
  const { platform } = surroundings;
  const named = absolute(surroundings, platform === 'win32' ? 'USERPROFILE' : 'HOME');
  const home = named ?? surroundings.accountHome();
  if (home !== undefined && getPathModule(platform).isAbsolute(home)) return home;
  throw usageError(
    'No home directory found: HOME is not an absolute path, and this user has no home directory.',
    'Set HOME, or both ORGCHAT_CONFIG_DIR and ORGCHAT_STATE_DIR, to an absolute path.',
    'NO_HOME',
  );
}

/** The default directory of this system for a kind of files. */
function systemDirectory(surroundings: PathEnvironment, kind: 'config' | 'state'): string {
  const { platform } = surroundings;
  const { join } = getPathModule(platform);
  const below = (variable: string, ...otherwise: string[]): string =>
    absolute(surroundings, variable) ?? join(homeDirectory(surroundings), ...otherwise);
  if (platform === 'darwin') {
    const folder = kind === 'config' ? 'Preferences' : 'Application Support';
    return join(homeDirectory(surroundings), 'Library', folder, 'orgchat');
  }
  if (platform === 'win32') {
    return kind === 'config'
      ? join(below('APPDATA', 'AppData', 'Roaming'), 'orgchat', 'Config')
      : join(below('LOCALAPPDATA', 'AppData', 'Local'), 'orgchat', 'Data');
  }
  if (kind === 'config') return join(below('XDG_CONFIG_HOME', '.config'), 'orgchat');
  // Linux has a directory for state; other systems have one for application data.
  return platform === 'linux'
    ? join(below('XDG_STATE_HOME', '.local', 'state'), 'orgchat')
    : join(below('XDG_DATA_HOME', '.local', 'share'), 'orgchat');
}

/** The directory of our own variable, otherwise the one of the system. Throws if the variable is a relative path. */
function directory(
  kind: 'config' | 'state',
  name: 'ORGCHAT_CONFIG_DIR' | 'ORGCHAT_STATE_DIR',
  surroundings: PathEnvironment,
): string {
  const given = surroundings.env[name];
  if (given === undefined || given === '') return systemDirectory(surroundings, kind);
  if (getPathModule(surroundings.platform).isAbsolute(given)) return given;
  throw usageError(
    `${name} must be an absolute path, got "${given}".`,
    `Set it to an absolute path: ${name}="$PWD/${given}"`,
    'RELATIVE_DIRECTORY',
  );
}

/** Profiles and, if there is no keychain, keys. */
export const configDirectory = (surroundings = here): string =>
  directory('config', 'ORGCHAT_CONFIG_DIR', surroundings);

/** Data that outlives a process: the journal, import records, unfinished plans and detached mock servers. */
export const stateDirectory = (surroundings = here): string =>
  directory('state', 'ORGCHAT_STATE_DIR', surroundings);

export const journalDirectory = (): string => join(stateDirectory(), 'journal');
export const importsDirectory = (): string => join(stateDirectory(), 'imports');
export const mocksDirectory = (): string => join(stateDirectory(), 'mocks');
