import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { checkReplaceable, replaceFile, type WriteText } from '@orgchat/atomic-files';
import { usageError } from '../errors/cli-error.ts';

const unwritable = (name: string, why: string, hint = 'Choose another file.'): Error =>
  usageError(`Cannot write ${name}: ${why}.`, hint, 'FILE_UNWRITABLE');

/** What the system says, without the call and the name of a draft. */
function getCause(error: unknown): string {
  const { errno = 0, message } = error as NodeJS.ErrnoException;
  return getSystemErrorMap().get(errno)?.join(': ') ?? message;
}

/**
 * Throws if no file of this name can exist, before the work starts. Directories are not created, because a misspelled name
 * would create them, too.
 */
export async function checkFileName(name: string): Promise<void> {
  const folder = dirname(name);
  const facts = await stat(folder).catch(() => undefined);
  if (facts === undefined)
    throw unwritable(name, `no such directory: ${folder}`, `Create it: mkdir -p ${folder}`);
  if (!facts.isDirectory()) throw unwritable(name, `${folder} is not a directory`);
  if ((await stat(name).catch(() => undefined))?.isDirectory()) throw unwritable(name, 'it is a directory');
}

/** Throws if `writeAtomic` could not write a file, before the work starts. */
export async function checkWritable(name: string): Promise<void> {
  await checkFileName(name);
  try {
    await checkReplaceable(name);
  } catch (error) {
    throw unwritable(name, getCause(error));
  }
}

/** Writes a file of the user atomically; its mode and links to it are kept. `mode` is that of a new file. */
export async function writeAtomic(
  name: string,
  work: (write: WriteText) => Promise<void>,
  mode?: number,
): Promise<void> {
  await checkFileName(name);
  try {
    await replaceFile(name, work, mode);
  } catch (error) {
    throw unwritable(name, getCause(error));
  }
}
