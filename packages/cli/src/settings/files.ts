import { randomUUID } from 'node:crypto';
import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { makeFolder } from './folders.ts';
import { wholeFiles } from './sharing.ts';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
export const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A file of our own, or undefined where there is none yet. */
export async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadable(path, error);
  }
}

export function unreadable(path: string, cause: unknown): Failure {
  return new Failure(`${path} cannot be read: ${reason(cause)}`, {
    code: 'FILE_UNREADABLE',
    exit: exitCodes.failed,
    hint: `Mend the file, or move it away: mv ${path} ${path}.old`,
    cause,
  });
}

export function unwritable(path: string, cause: unknown): Failure {
  return new Failure(`${path} cannot be written: ${reason(cause)}`, {
    code: 'FILE_UNWRITABLE',
    exit: exitCodes.failed,
    hint: 'Set ORGCHAT_CONFIG_DIR and ORGCHAT_STATE_DIR to folders you can write to.',
    cause,
  });
}

/** Writes a file as a whole or not at all, readable by nobody else. */
export async function writePrivate(path: string, text: string): Promise<void> {
  try {
    makeFolder(dirname(path));
    const draft = `${path}.${randomUUID()}.tmp`;
    try {
      await writeFile(draft, text, { mode: 0o600 });
      await chmod(draft, 0o600);
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  } catch (error) {
    throw unwritable(path, error);
  }
}

const textOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export const writeJson = (path: string, value: unknown): Promise<void> => writePrivate(path, textOf(value));

/** Writes a new file as a whole; false where there is one: of several processes that try, one succeeds. */
export function createJson(path: string, value: unknown): boolean {
  try {
    makeFolder(dirname(path));
    return wholeFiles(dirname(path), false).create(basename(path), textOf(value));
  } catch (error) {
    throw unwritable(path, error);
  }
}
