import { readFile } from 'node:fs/promises';
import { invalidInput, usage } from './failure.ts';

/** The text of a file, or of standard input where the name is `-`. */
export async function readText(name: string): Promise<string> {
  if (name === '-') {
    if (process.stdin.isTTY) {
      throw usage(
        'Nothing is piped to standard input.',
        'Name a file instead of -, or pipe into the command.',
      );
    }
    return readStdin();
  }
  try {
    return (await readFile(name, 'utf8')).replace(/^\ufeff/, '');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : message;
    throw usage(`${name} cannot be read: ${why}.`, 'Check the name of the file.', 'FILE_UNREADABLE');
  }
}

export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\ufeff/, '');
}

/** JSON or YAML; JSON is tried first, as its numbers and strings are never to be read as YAML's. */
export async function parseDocument(text: string, name: string): Promise<unknown> {
  const shown = name === '-' ? 'Standard input' : name;
  if (text.trim() === '') throw invalidInput(`${shown} is empty.`, 'It must hold JSON or YAML.');
  try {
    return JSON.parse(text) as unknown;
  } catch (jsonError) {
    const { parseDocument: parse } = await import('./yaml.ts');
    const document = parse(text, { prettyErrors: true });
    const [problem] = document.errors;
    if (problem === undefined) return document.toJS({ maxAliasCount: 100 }) as unknown;
    const isJson = /^\s*[[{]/.test(text);
    const why = isJson ? (jsonError as Error).message : (problem.message.split('\n')[0] ?? problem.message);
    throw invalidInput(`${shown} is neither JSON nor YAML: ${why}`, 'Mend the file at that place.');
  }
}

/** A file or standard input that holds one object. */
export async function readObject(name: string): Promise<Record<string, unknown>> {
  const value = await parseDocument(await readText(name), name);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw invalidInput(
    `${name === '-' ? 'Standard input' : name} does not hold an object.`,
    'Write it as {"name": "…"} or as YAML fields.',
  );
}
