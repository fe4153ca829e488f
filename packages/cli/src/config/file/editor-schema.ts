import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isObject } from '@orgchat/spec/is-object';
import { usageError } from '../../errors/cli-error.ts';
import { checkWritable, writeAtomic } from '../../output/write-file.ts';
import { configSchemaId, createConfigSchema } from './config-schema.ts';

/** The file of `--schema`. */
export interface EditorSchema {
  readonly file: string;
  /** How the configuration names it: its path, relative to the configuration. */
  readonly reference: string;
}

/**
 * Checks the file of `--schema`, before anything is sent. `config` is the file of the configuration; undefined if that goes
 * to standard output, as if into the working directory.
 */
export async function checkEditorSchema(file: string, config: string | undefined): Promise<EditorSchema> {
  if (file === '-')
    throw usageError(
      '--schema requires a file, but standard output was selected.',
      'To print the schema: orgchat schema config',
    );
  await checkWritable(file);
  if (config !== undefined && (await toRealPath(file)) === (await toRealPath(config)))
    throw usageError(
      `--schema and --output name the same file: ${file}.`,
      'Choose another file for one of them.',
    );
  if (!(await isReplaceable(file)))
    throw usageError(
      `${file} exists and is not a schema of configuration files that this command wrote, so it was not overwritten.`,
      'Choose another file for --schema, or remove this one.',
      'FILE_UNWRITABLE',
    );
  const reference = toReference(relative(dirname(resolve(config ?? 'config')), resolve(file)));
  if (/[\s#]/.test(reference))
    throw usageError(
      `Editors cannot find the schema at "${reference}": its path contains white space or #.`,
      'Choose another file for --schema.',
    );
  return { file, reference };
}

/** The path of a file behind all links. Its directory exists. */
const toRealPath = (file: string): Promise<string> =>
  realpath(file).catch(async () => join(await realpath(dirname(file)), basename(file)));

/** Editors take what begins with a dot for a path. On another drive of Windows, the path is absolute. */
function toReference(path: string): string {
  const portable = path.split(sep).join('/');
  return isAbsolute(path) || portable.startsWith('../') ? portable : `./${portable}`;
}

/** Whether nothing is lost if a file is replaced: it does not exist, is empty, or is an earlier schema of this command. */
async function isReplaceable(file: string): Promise<boolean> {
  const facts = await stat(file).catch(() => undefined);
  if (facts === undefined) return true;
  if (!facts.isFile()) return false;
  try {
    const text = await readFile(file, 'utf8');
    if (text.trim() === '') return true;
    const before: unknown = JSON.parse(text);
    return isObject(before) && before.$id === configSchemaId;
  } catch {
    return false;
  }
}

/** Writes the schema of configuration files. */
export const writeEditorSchema = ({ file }: EditorSchema): Promise<void> =>
  writeAtomic(file, (write) => write(`${JSON.stringify(createConfigSchema(), null, 2)}\n`));
