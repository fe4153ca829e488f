import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type CliError, usageError } from '../errors/cli-error.ts';
import { getReason } from '../errors/get-reason.ts';

/** Where packages are looked for: first beside this command, then from the working directory. */
export interface PackagePlaces {
  /** A file of this command. */
  readonly command: string;
  readonly workingDirectory: string;
}

const getPlaces = (): PackagePlaces => ({ command: import.meta.url, workingDirectory: process.cwd() });

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
  { command, workingDirectory }: PackagePlaces = getPlaces(),
): Promise<unknown> {
  for (const place of [command, join(workingDirectory, 'package.json')]) {
    const require = createRequire(place);
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
      throw packageError(`${name} cannot be loaded: ${reason}.`, needed, command);
    }
  }
  throw packageError(`A shared journal requires ${name}, which was not found.`, needed, command);
}

function packageError(message: string, needed: readonly string[], command: string): CliError {
  return usageError(message, `Install it: ${getInstallLine(needed, command)}`, 'PACKAGE_MISSING');
}

/** A command that was installed for all projects finds only what was installed in the same way. */
export function getInstallLine(needed: readonly string[], command: string): string {
  const global = isInstalledGlobally(command) ? '--global ' : '';
  return `npm install ${global}${needed.join(' ')}`;
}

/** Beside the `node_modules` of a project is its package.json. */
function isInstalledGlobally(command: string): boolean {
  const path = createRequire(command)
    .resolve.paths('x')
    ?.find((folder) => existsSync(folder));
  return path !== undefined && !existsSync(join(dirname(path), 'package.json'));
}
