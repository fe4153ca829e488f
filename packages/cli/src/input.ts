import { readFile } from 'node:fs/promises';
import { Failure, invalidInput, usage } from './failure.ts';

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
    return decoded(await readFile(name), name);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : message;
    throw usage(`${name} cannot be read: ${why}.`, 'Check the name of the file.', 'FILE_UNREADABLE');
  }
}

export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return decoded(Buffer.concat(chunks), '-');
}

/** UTF-8 without its mark; other bytes would go to the API as signs nobody wrote. */
function decoded(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidInput(
      `${name === '-' ? 'Standard input' : name} is not text in UTF-8.`,
      'Convert it: iconv -f LATIN1 -t UTF-8 (name the encoding it has)',
    );
  }
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
    const isJson = /^\s*[[{]/.test(text);
    const problem = document.errors[0]?.message;
    if (problem !== undefined) {
      const several = /multiple documents/.test(problem) ? 'it holds several documents' : undefined;
      throw unreadable(
        shown,
        isJson ? (jsonError as Error).message : (several ?? problem.split('\n')[0] ?? problem),
      );
    }
    try {
      const value = document.toJS({ maxAliasCount: 100 }) as unknown;
      // An alias may stand for what it stands in; there is no way to send that.
      JSON.stringify(value);
      return value;
    } catch (error) {
      throw unreadable(shown, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
    }
  }
}

function unreadable(shown: string, why: string): Failure {
  return invalidInput(`${shown} is neither JSON nor YAML: ${why}`, 'Mend the file at that place.');
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
