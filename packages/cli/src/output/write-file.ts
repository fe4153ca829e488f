import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { checkReplaceable, replaceFile, type WriteText } from '@orgchat/atomic-files';
import { toShellWord } from '../args/shell-word.ts';
import { usageError } from '../errors/cli-error.ts';
import { describeSystemError } from '../errors/get-reason.ts';

const unwritable = (name: string, why: string, hint = 'Choose another file.'): Error =>
  usageError(`Cannot write ${name}: ${why}.`, hint, 'FILE_UNWRITABLE');

/**
 * Throws if no file of this name can exist, before the work starts. Directories are not created, because a misspelled name
 * would create them, too.
 */
export async function checkFileName(name: string): Promise<void> {
  const folder = dirname(name);
  const facts = await stat(folder).catch(() => undefined);
  if (facts === undefined)
    throw unwritable(name, `no such directory: ${folder}`, `Create it: mkdir -p ${toShellWord(folder)}`);
  if (!facts.isDirectory()) throw unwritable(name, `${folder} is not a directory`);
  if ((await stat(name).catch(() => undefined))?.isDirectory()) throw unwritable(name, 'it is a directory');
}

/** Throws if `writeAtomic` could not write a file, before the work starts. */
export async function checkWritable(name: string): Promise<void> {
  await checkFileName(name);
  try {
    await checkReplaceable(name);
  } catch (error) {
    throw unwritable(name, describeSystemError(error));
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
    throw unwritable(name, describeSystemError(error));
  }
}
