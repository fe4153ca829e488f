import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import {
  access,
  chmod,
  constants,
  type FileHandle,
  open,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';

/** Appends a part of the text to the file. */
export type WriteText = (text: string) => Promise<void>;

async function fill(file: FileHandle, work: (write: WriteText) => Promise<void>): Promise<void> {
  try {
    await work((text) => file.appendFile(text));
  } finally {
    await file.close();
  }
}

/** The file that a name leads to, what it was, and the name of a new draft beside it. */
async function findDraft(name: string): Promise<{
  readonly path: string;
  readonly draft: string;
  readonly before: Stats | undefined;
}> {
  const before = await stat(name).catch(() => undefined);
  const path = before === undefined ? name : await realpath(name);
  return { path, draft: `${path}.${randomUUID()}.tmp`, before };
}

/** Throws if `replaceFile` could not write a file. It creates a draft beside the file, and removes it. */
export async function checkReplaceable(name: string): Promise<void> {
  const { draft, before } = await findDraft(name);
  if (before !== undefined) await access(name, constants.W_OK);
  if (before !== undefined && !before.isFile()) return;
  const file = await open(draft, 'wx');
  await file.close();
  await rm(draft);
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
  const { path, draft, before } = await findDraft(name);
  // A pipe or a device cannot be replaced.
  if (before !== undefined && !before.isFile()) return fill(await open(name, 'w'), work);
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
