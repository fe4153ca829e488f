import { randomUUID } from 'node:crypto';
import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { usage } from '../../failure.ts';
import type { Content } from './content.ts';
import { freshText, jsonText, updatedJson, updatedText } from './text.ts';

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

/** Writes a file of the user's as a whole or not at all; it keeps its mode, and what links to it. */
export async function writeWhole(name: string, text: string): Promise<void> {
  await checkPlace(name);
  try {
    const before = await stat(name).catch(() => undefined);
    // A pipe or a device cannot be replaced.
    if (before !== undefined && !before.isFile()) return await writeFile(name, text);
    const path = before === undefined ? name : await realpath(name);
    const draft = `${path}.${randomUUID()}.tmp`;
    try {
      await writeFile(draft, text, before === undefined ? {} : { mode: before.mode });
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  } catch (error) {
    throw unwritable(name, (error as Error).message);
  }
}

const mark = '\ufeff';

/** What `edit` makes of a text; the ends of its lines, and the mark some editors put in front, stay its own. */
function inItsWay(text: string, edit: (plain: string) => string): string {
  const edited = edit(text.replace(mark, '').replaceAll('\r\n', '\n'));
  return `${text.startsWith(mark) ? mark : ''}${text.includes('\r\n') ? edited.replaceAll('\n', '\r\n') : edited}`;
}

/** What a file holds; a pipe or a device holds nothing, and to read it may take for ever. */
async function textIn(name: string): Promise<string | undefined> {
  try {
    return (await stat(name)).isFile() ? await readFile(name, 'utf8') : undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw usage(`${name} cannot be read: ${message}`, 'Choose another file.', 'FILE_UNREADABLE');
  }
}

/** Writes a configuration: anew, or into what is there. */
export async function writeConfig(
  name: string,
  content: Content,
): Promise<'created' | 'updated' | 'unchanged'> {
  const before = await textIn(name);
  const isNew = before === undefined || before.trim() === '';
  const [fresh, updated] = /\.json$/i.test(name) ? [jsonText, updatedJson] : [freshText, updatedText];
  const text = isNew ? fresh(content) : inItsWay(before, (plain) => updated(name, plain, content));
  if (text === before) return 'unchanged';
  await writeWhole(name, text);
  return before === undefined ? 'created' : 'updated';
}
