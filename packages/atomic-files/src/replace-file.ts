import { randomUUID } from 'node:crypto';
import { chmod, type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';

/** Appends a part of the text to the file. */
export type WriteText = (text: string) => Promise<void>;

async function fill(file: FileHandle, work: (write: WriteText) => Promise<void>): Promise<void> {
  try {
    await work((text) => file.appendFile(text));
  } finally {
    await file.close();
  }
}

/**
 * Creates or replaces a file of the user with what `work` writes. The file changes as a whole or not at all. Its mode and
 * links to it are kept; `mode` is that of a new file.
 */
export async function replaceFile(
  name: string,
  work: (write: WriteText) => Promise<void>,
  mode?: number,
): Promise<void> {
  const before = await stat(name).catch(() => undefined);
  // A pipe or a device cannot be replaced.
  if (before !== undefined && !before.isFile()) return fill(await open(name, 'w'), work);
  const path = before === undefined ? name : await realpath(name);
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await fill(await open(draft, 'wx', before?.mode ?? mode), work);
    // The mode that a file is opened with passes through the mask of the process.
    if (before !== undefined) await chmod(draft, before.mode);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
