import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import {
  access,
  chmod,
  constants,
  copyFile,
  type FileHandle,
  lstat,
  open,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { getErrorCode } from './atomic-directory.ts';

/** Appends a part of the text to the file. */
export type WriteText = (text: string) => Promise<void>;

async function fill(file: FileHandle, work: (write: WriteText) => Promise<void>): Promise<void> {
  try {
    await work((text) => file.appendFile(text));
  } finally {
    await file.close();
  }
}

/** More links in a row are a circle. */
const maxLinks = 40;

/** Follows links, also to a file that does not exist yet. */
async function followLinks(name: string, left = maxLinks): Promise<string> {
  const facts = await lstat(name).catch(() => undefined);
  if (facts?.isSymbolicLink() !== true) return name;
  if (left === 0) throw new Error('too many symbolic links');
  return followLinks(resolve(await realpath(dirname(name)), await readlink(name)), left - 1);
}

/** A pipe or a device cannot be replaced. `/dev/stdout` can be a file, which others have open. */
const isInPlace = (name: string, before: Stats | undefined): boolean =>
  before !== undefined && (!before.isFile() || /^\/(?:dev|proc)\//.test(resolve(name)));

/** Throws if `replaceFile` could not write a file. It creates a draft beside the file, and removes it. */
export async function checkReplaceable(name: string): Promise<void> {
  const before = await stat(name).catch(() => undefined);
  if (before !== undefined) await access(name, constants.W_OK);
  if (isInPlace(name, before)) return;
  const draft = toDraft(await followLinks(name));
  const file = await open(draft, 'wx');
  await file.close();
  await rm(draft);
}

const toDraft = (path: string): string => `${path}.${randomUUID()}.tmp`;

/**
 * Creates or replaces a file of the user with what `work` writes. The file changes as a whole or not at all, except where it
 * is mounted by itself. Its mode and links to it are kept; `mode` is that of a new file.
 */
export async function replaceFile(
  name: string,
  work: (write: WriteText) => Promise<void>,
  mode?: number,
): Promise<void> {
  const before = await stat(name).catch(() => undefined);
  if (isInPlace(name, before)) return fill(await open(name, 'w'), work);
  const path = await followLinks(name);
  const draft = toDraft(path);
  try {
    await fill(await open(draft, 'wx', before?.mode ?? mode), work);
    // The mode that a file is opened with passes through the mask of the process.
    if (before !== undefined) await chmod(draft, before.mode);
    await moveOnto(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** A file that is mounted by itself, as containers do it, cannot be replaced: its content is. */
async function moveOnto(draft: string, path: string): Promise<void> {
  try {
    await rename(draft, path);
  } catch (error) {
    if (getErrorCode(error) !== 'EBUSY') throw error;
    await copyFile(draft, path);
    await rm(draft);
  }
}
