import { readFile, stat } from 'node:fs/promises';
import { CliError, usageError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { decodeUtf8 } from '../../input/read-input.ts';
import { writeAtomic } from '../../output/write-file.ts';
import { createJson, createYaml, nameSchema, updateJson, updateYaml } from './config-text.ts';
import type { ConfigContent } from './export-content.ts';
import { type ConfigFile, parseConfig, requireValidConfig } from './read-config.ts';

const byteOrderMark = '\ufeff';

/** Edits a text and keeps its line endings and its byte order mark. */
function keepLineEndings(text: string, edit: (plain: string) => string): string {
  const edited = edit(text.replace(byteOrderMark, '').replaceAll('\r\n', '\n'));
  return `${text.startsWith(byteOrderMark) ? byteOrderMark : ''}${text.includes('\r\n') ? edited.replaceAll('\n', '\r\n') : edited}`;
}

/**
 * Reads a file that is to be updated; undefined if there is none, or nothing in it. A pipe or device counts as none,
 * because reading it may never end.
 */
export async function readExistingConfig(name: string): Promise<string | undefined> {
  try {
    if (!(await stat(name)).isFile()) return undefined;
    const bytes = await readFile(name);
    // A text in another encoding would be written back with wrong characters.
    return decodeUtf8(bytes, name).trim() === '' ? undefined : bytes.toString('utf8');
  } catch (error) {
    if (error instanceof CliError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw usageError(`Cannot read ${name}: ${message}`, 'Choose another file.', 'FILE_UNREADABLE');
  }
}

/** Parses a file that is to be updated. */
export const parseExistingConfig = (name: string, text: string): ConfigFile =>
  requireValidConfig(name, text.replace(byteOrderMark, '').replaceAll('\r\n', '\n'));

/** Throws if a configuration is not valid: then the records of the server are not what the API promises. */
export function requireValidContent(name: string, text: string): void {
  const { problems } = parseConfig(name, text);
  if (problems.length === 0) return;
  throw new CliError(`The export would not be a valid file, so ${name} was not written:`, {
    code: 'INVALID_EXPORT',
    exit: exitCodes.failed,
    listed: problems.map(({ message }) => message),
    hint: 'Correct these records. If the server is different, describe it in a file for --server: orgchat help server',
    extra: { problems: problems.map(({ message }) => ({ message })) },
  });
}

const isJson = (name: string): boolean => /\.json$/i.test(name);

/** The text of a new file. */
export const createText = (name: string, content: ConfigContent): string =>
  isJson(name) ? createJson(content) : createYaml(content);

/** Writes a configuration into a new file, or into one with the text `before`. Editors find its schema at `schema`. */
export async function writeConfig(
  name: string,
  before: string | undefined,
  content: ConfigContent,
  schema?: string,
): Promise<'created' | 'updated' | 'unchanged'> {
  const [update, format] = isJson(name) ? ([updateJson, 'json'] as const) : ([updateYaml, 'yaml'] as const);
  const text =
    before === undefined
      ? nameSchema(format, createText(name, content), schema)
      : keepLineEndings(before, (plain) => nameSchema(format, update(name, plain, content), schema));
  if (text === before) return 'unchanged';
  requireValidContent(name, text.replace(byteOrderMark, ''));
  if ((await readExistingConfig(name)) !== before)
    throw new CliError(`${name} was edited while the organization was read. It was not changed.`, {
      code: 'FILE_CHANGED',
      exit: exitCodes.conflict,
      hint: 'Run the same command again.',
    });
  await writeAtomic(name, (write) => write(text));
  return before === undefined ? 'created' : 'updated';
}
