import { userInfo } from 'node:os';
import { join, posix, win32 } from 'node:path';
import { usage } from '../failure.ts';

/** What decides where files are kept. */
export interface Surroundings {
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

const here: Surroundings = { env: process.env, platform: process.platform, accountHome };

const pathOf = (platform: NodeJS.Platform) => (platform === 'win32' ? win32 : posix);

/**
 * A directory that the system's variables name. A relative or empty one is ignored, as the XDG specification asks: it
 * would mean another folder in each folder that a command is run in, and a folder of somebody else could pass for it.
 */
function absolute({ env, platform }: Surroundings, name: string): string | undefined {
  const value = env[name];
  return value !== undefined && pathOf(platform).isAbsolute(value) ? value : undefined;
}

function homeDirectory(surroundings: Surroundings): string {
  const { platform } = surroundings;
  const named = absolute(surroundings, platform === 'win32' ? 'USERPROFILE' : 'HOME');
  const home = named ?? surroundings.accountHome();
  if (home !== undefined && pathOf(platform).isAbsolute(home)) return home;
  throw usage(
    'There is no home directory to keep files in: HOME is not set to an absolute path, and this user has none.',
    'Set HOME, or both ORGCHAT_CONFIG_DIR and ORGCHAT_STATE_DIR, to an absolute path.',
    'NO_HOME',
  );
}

/** Where a user's files of a kind belong on this system. */
function systemDirectory(surroundings: Surroundings, kind: 'config' | 'state'): string {
  const { platform } = surroundings;
  const { join } = pathOf(platform);
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
  // Linux has a place for what must outlive a process; elsewhere it is application data.
  return platform === 'linux'
    ? join(below('XDG_STATE_HOME', '.local', 'state'), 'orgchat')
    : join(below('XDG_DATA_HOME', '.local', 'share'), 'orgchat');
}

/** The directory that our own variable names, else the one of the system. A relative one is refused. */
function directory(
  kind: 'config' | 'state',
  name: 'ORGCHAT_CONFIG_DIR' | 'ORGCHAT_STATE_DIR',
  surroundings: Surroundings,
): string {
  const given = surroundings.env[name];
  if (given === undefined || given === '') return systemDirectory(surroundings, kind);
  if (pathOf(surroundings.platform).isAbsolute(given)) return given;
  throw usage(
    `${name} must be an absolute path, but is "${given}": it would mean another folder in each folder that a command is run in.`,
    `Set it to an absolute path: ${name}="$PWD/${given}"`,
    'RELATIVE_DIRECTORY',
  );
}

/** Profiles and, if there is no keychain, keys. */
export const configDirectory = (surroundings = here): string =>
  directory('config', 'ORGCHAT_CONFIG_DIR', surroundings);

/** What must outlive a process: the journal of changes, imports, plans, detached mock servers. */
export const stateDirectory = (surroundings = here): string =>
  directory('state', 'ORGCHAT_STATE_DIR', surroundings);

export const journalDirectory = (): string => join(stateDirectory(), 'journal');
export const importsDirectory = (): string => join(stateDirectory(), 'imports');
export const mocksDirectory = (): string => join(stateDirectory(), 'mocks');
