import { randomUUID } from 'node:crypto';
import { chmod, type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
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

/** Takes a file in pieces. */
export type Write = (text: string) => Promise<void>;
type Work = (write: Write) => Promise<void>;

async function fill(file: FileHandle, work: Work): Promise<void> {
  try {
    await work((text) => file.appendFile(text));
  } finally {
    await file.close();
  }
}

/** Writes a file of the user atomically; its mode and links to it are kept. `mode` is that of a new file. */
export async function writeAtomic(name: string, work: Work, mode?: number): Promise<void> {
  await checkWritable(name);
  try {
    const before = await stat(name).catch(() => undefined);
    // A pipe or a device cannot be replaced.
    if (before !== undefined && !before.isFile()) return await fill(await open(name, 'w'), work);
    const path = before === undefined ? name : await realpath(name);
    const draft = `${path}.${randomUUID()}.tmp`;
    try {
      await fill(await open(draft, 'wx', before?.mode ?? mode), work);
      // What it was opened with passed through the mask of the process.
      if (before !== undefined) await chmod(draft, before.mode);
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  } catch (error) {
    throw unwritable(name, (error as Error).message);
  }
}
