import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { toShellWord } from '../args/shell-word.ts';
import { type CliError, usageError } from '../errors/cli-error.ts';
import { getReason } from '../errors/get-reason.ts';

/**
 * Where packages are looked for: beside this command, then in the directory that its user names. Never from the working
 * directory or above: that may be a checkout of somebody else, or a place where everybody can write, and what is loaded
 * sees the key.
 */
export interface PackagePlaces {
  /** A file of this command. */
  readonly command: string;
  /** The value of `ORGCHAT_MODULES`. */
  readonly modules: string | undefined;
  /** Only for the line that installs packages. */
  readonly workingDirectory: string;
}

const getPlaces = (): PackagePlaces => ({
  command: import.meta.url,
  modules: process.env.ORGCHAT_MODULES || undefined,
  workingDirectory: process.cwd(),
});

/** Codes of Node if a package, or a part of it, does not exist. */
const missing: readonly unknown[] = ['MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED'];

const isMissing = (error: unknown): boolean => missing.includes((Object(error) as { code?: unknown }).code);

/**
 * Loads a package that is not part of this command: its user has it only with a shared journal. `needed` are all packages
 * that the journal needs, for the line that installs them.
 */
export async function loadInstalled(
  name: string,
  needed: readonly string[],
  places: PackagePlaces = getPlaces(),
): Promise<unknown> {
  requireAbsolute(places.modules);
  const folders = [...findOwnFolders(places.command), ...listChosenFolder(places.modules)];
  for (const folder of folders.filter((one) => hasPackage(one, name))) {
    const require = createRequire(join(folder, 'package.json'));
    let path: string;
    try {
      path = require.resolve(name);
    } catch (error) {
      if (isMissing(error)) continue;
      throw error;
    }
    try {
      return require(path);
    } catch (error) {
      const reason = isMissing(error) ? 'one of its dependencies is missing' : getReason(error);
      throw packageError(`${name} cannot be loaded: ${reason}.`, needed, places);
    }
  }
  throw packageError(`A shared journal requires ${name}, which was not found.`, needed, places);
}

/** Whether a package is beside this command. Node itself would look above it, too. */
export const isBeside = (name: string, { command }: Pick<PackagePlaces, 'command'> = getPlaces()): boolean =>
  findOwnFolders(command).some((folder) => hasPackage(folder, name));

function requireAbsolute(modules: string | undefined): void {
  if (modules === undefined || isAbsolute(modules)) return;
  throw usageError(
    `ORGCHAT_MODULES must be an absolute path, got "${modules}".`,
    `Set it to an absolute path: ORGCHAT_MODULES="$PWD/${modules}"`,
    'RELATIVE_DIRECTORY',
  );
}

/** The folders in which Node would look for packages from a file, from the nearest on. */
const listFolders = (file: string): readonly string[] => createRequire(file).resolve.paths('x') ?? [];

/**
 * The folders up to the one that has this command: what is above belongs to others. A command that is in none, such as an
 * unpacked one, has those of its own package.
 */
function findOwnFolders(command: string): readonly string[] {
  const folders = listFolders(command);
  const at = folders.findIndex((folder) => hasPackage(folder, '@orgchat/cli'));
  return folders.slice(0, at === -1 ? ownFolders : at + 1);
}

/** The bundle is in a folder of the package. */
const ownFolders = 2;

/** The `node_modules` of the chosen directory, or that directory itself if it has this name. */
const listChosenFolder = (modules: string | undefined): readonly string[] =>
  modules === undefined ? [] : listFolders(join(modules, 'package.json')).slice(0, 1);

function hasPackage(folder: string, name: string): boolean {
  const [first = '', second = ''] = name.split('/');
  return existsSync(join(folder, first.startsWith('@') ? join(first, second) : first));
}

function packageError(message: string, needed: readonly string[], places: PackagePlaces): CliError {
  return usageError(message, `Install it: ${getInstallLine(needed, places)}`, 'PACKAGE_MISSING');
}

/** The command that installs packages where this command looks for them. */
export function getInstallLine(needed: readonly string[], places: PackagePlaces): string {
  const install = (options: string): string => `npm install ${options}${needed.join(' ')}`;
  if (places.modules !== undefined) return install(`--prefix ${toShellWord(places.modules)} `);
  const own = findOwnFolders(places.command).at(-1);
  const folder = own && dirname(own);
  // Only a project has a package.json there.
  const isProject = folder !== undefined && existsSync(join(folder, 'package.json'));
  // A command that was installed for all projects finds only what was installed in the same way.
  if (folder !== undefined && !isProject) return install('--global ');
  if (isProject && isInside(places.workingDirectory, folder)) return install('');
  // Such as the cache of npx.
  const modules = '"$HOME/orgchat-modules"';
  return `${install(`--prefix ${modules} `)} && export ORGCHAT_MODULES=${modules}`;
}

const isInside = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return way !== '..' && !/^\.\.[\\/]/.test(way) && !isAbsolute(way);
};
