import { readFile, stat } from 'node:fs/promises';
import { usage } from '../../failure.ts';
import { writeWhole } from '../../output/file.ts';
import type { Content } from './content.ts';
import { freshText, jsonText, updatedJson, updatedText } from './text.ts';

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
  await writeWhole(name, (write) => write(text));
  return before === undefined ? 'created' : 'updated';
}
