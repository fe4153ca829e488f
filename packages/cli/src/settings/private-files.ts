import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { getErrorCode, makeFolder, openAtomicDirectory } from '@orgchat/atomic-files';
import { toShellWord } from '../args/shell-word.ts';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { getReason } from '../errors/get-reason.ts';

const isMissing = (error: unknown): boolean => getErrorCode(error) === 'ENOENT';

/** Reads a JSON file of the command; undefined if it does not exist. */
export async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadableFileError(path, error);
  }
}

export function unreadableFileError(path: string, cause: unknown): CliError {
  // The message of JSON.parse repeats a part of the file, which may be a key.
  const why = cause instanceof SyntaxError ? 'it is not valid JSON' : getReason(cause);
  return new CliError(`Cannot read ${path}: ${why}`, {
    code: 'FILE_UNREADABLE',
    exit: exitCodes.failed,
    hint: `Fix the file, or move it away: ${moveAway(path)}`,
    cause,
  });
}

/** The command that moves a file away. */
export const moveAway = (path: string): string => `mv ${toShellWord(path)} ${toShellWord(`${path}.old`)}`;

export function unwritableFileError(path: string, cause: unknown): CliError {
  return new CliError(`Cannot write ${path}: ${getReason(cause)}`, {
    code: 'FILE_UNWRITABLE',
    exit: exitCodes.failed,
    hint: 'Set ORGCHAT_CONFIG_DIR and ORGCHAT_STATE_DIR to writable directories.',
    cause,
  });
}

/** Writes a file as a whole or not at all, readable by nobody else. `isDurable`: it survives a power failure. */
export async function writePrivate(
  path: string,
  text: string,
  { isDurable }: { readonly isDurable: boolean } = { isDurable: false },
): Promise<void> {
  try {
    makeFolder(dirname(path));
    openAtomicDirectory(dirname(path), isDurable).replace(basename(path), text);
  } catch (error) {
    throw unwritableFileError(path, error);
  }
}

const toJsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export const writeJson = (
  path: string,
  value: unknown,
  options?: { readonly isDurable: boolean },
): Promise<void> => writePrivate(path, toJsonText(value), options);

/** Creates a file atomically; false if it exists. Of several processes that try, one succeeds. */
export function createJson(path: string, value: unknown): boolean {
  try {
    makeFolder(dirname(path));
    return openAtomicDirectory(dirname(path), false).create(basename(path), toJsonText(value));
  } catch (error) {
    throw unwritableFileError(path, error);
  }
}
