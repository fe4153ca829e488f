import { randomUUID } from 'node:crypto';
import { chmod, type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { usage } from '../failure.ts';

const unwritable = (name: string, why: string, hint = 'Choose another file.'): Error =>
  usage(`${name} cannot be written: ${why}.`, hint, 'FILE_UNWRITABLE');

/**
 * Ends the command where a file could not be put: better before the work than after it. Folders are not made, since
 * a name with a slip in it would make them too.
 */
export async function checkPlace(name: string): Promise<void> {
  const folder = dirname(name);
  const facts = await stat(folder).catch(() => undefined);
  if (facts === undefined)
    throw unwritable(name, `there is no folder ${folder}`, `Make it: mkdir -p ${folder}`);
  if (!facts.isDirectory()) throw unwritable(name, `${folder} is no folder`);
  if ((await stat(name).catch(() => undefined))?.isDirectory()) throw unwritable(name, 'it is a folder');
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

/**
 * Writes a file of the user's as a whole or not at all; it keeps its mode, and what links to it. `mode` is that of a
 * new file.
 */
export async function writeWhole(name: string, work: Work, mode?: number): Promise<void> {
  await checkPlace(name);
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
