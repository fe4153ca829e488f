import { readFile, stat } from 'node:fs/promises';
import { usageError } from '../../errors/cli-error.ts';
import { writeAtomic } from '../../output/write-file.ts';
import { createJson, createYaml, updateJson, updateYaml } from './config-text.ts';
import type { ConfigContent } from './export-content.ts';

const byteOrderMark = '\ufeff';

/** Edits a text and keeps its line endings and its byte order mark. */
function keepLineEndings(text: string, edit: (plain: string) => string): string {
  const edited = edit(text.replace(byteOrderMark, '').replaceAll('\r\n', '\n'));
  return `${text.startsWith(byteOrderMark) ? byteOrderMark : ''}${text.includes('\r\n') ? edited.replaceAll('\n', '\r\n') : edited}`;
}

/** The content of a file. A pipe or device counts as empty, because reading it may never end. */
async function readExistingText(name: string): Promise<string | undefined> {
  try {
    return (await stat(name)).isFile() ? await readFile(name, 'utf8') : undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw usageError(`Cannot read ${name}: ${message}`, 'Choose another file.', 'FILE_UNREADABLE');
  }
}

/** Writes a configuration into a new or existing file. */
export async function writeConfig(
  name: string,
  content: ConfigContent,
): Promise<'created' | 'updated' | 'unchanged'> {
  const before = await readExistingText(name);
  const isNew = before === undefined || before.trim() === '';
  const [fresh, updated] = /\.json$/i.test(name) ? [createJson, updateJson] : [createYaml, updateYaml];
  const text = isNew ? fresh(content) : keepLineEndings(before, (plain) => updated(name, plain, content));
  if (text === before) return 'unchanged';
  await writeAtomic(name, (write) => write(text));
  return before === undefined ? 'created' : 'updated';
}
