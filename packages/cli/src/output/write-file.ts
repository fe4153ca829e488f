import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile, type WriteText } from '@orgchat/atomic-files';
import { usageError } from '../errors/cli-error.ts';

const unwritable = (name: string, why: string, hint = 'Choose another file.'): Error =>
  usageError(`Cannot write ${name}: ${why}.`, hint, 'FILE_UNWRITABLE');

/**
 * Throws if a file cannot be written, before the work starts. Directories are not created, because a misspelled name
 * would create them, too.
 */
export async function checkWritable(name: string): Promise<void> {
  const folder = dirname(name);
  const facts = await stat(folder).catch(() => undefined);
  if (facts === undefined)
    throw unwritable(name, `no such directory: ${folder}`, `Create it: mkdir -p ${folder}`);
  if (!facts.isDirectory()) throw unwritable(name, `${folder} is not a directory`);
  if ((await stat(name).catch(() => undefined))?.isDirectory()) throw unwritable(name, 'it is a directory');
}

/** Writes a file of the user atomically; its mode and links to it are kept. `mode` is that of a new file. */
export async function writeAtomic(
  name: string,
  work: (write: WriteText) => Promise<void>,
  mode?: number,
): Promise<void> {
  await checkWritable(name);
  try {
    await replaceFile(name, work, mode);
  } catch (error) {
    throw unwritable(name, (error as Error).message);
  }
}
