import { isObject } from '@orgchat/spec/is-object';
import { CliError, invalidInputError, usageError } from '../errors/cli-error.ts';
import { getReason } from '../errors/get-reason.ts';
import { parseJson, RepeatedKeyError } from './json.ts';
import { collectBytes, maxTextBytes, readBytes, TooLargeError } from './read-bytes.ts';
import { encodingError } from './text-encoding.ts';

/** Reads a file, or standard input if the name is `-`. */
export async function readText(name: string): Promise<string> {
  if (name === '-') {
    if (process.stdin.isTTY) {
      throw usageError(
        'Standard input is a terminal, but "-" requires piped input.',
        'Pass a file name instead of -, or pipe into the command.',
      );
    }
    return readStdin();
  }
  try {
    return decodeUtf8(await readBytes(name, maxTextBytes), name);
  } catch (error) {
    if (error instanceof CliError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (/^\s*[[{]/.test(name)) throw jsonAsNameError();
    const why = code === 'ENOENT' ? 'no such file' : code === 'EISDIR' ? 'it is a directory' : message;
    throw usageError(`Cannot read ${name}: ${why}.`, 'Check the file name.', 'FILE_UNREADABLE');
  }
}

const jsonAsNameError = (): CliError =>
  usageError(
    'A file name or "-" is required, but JSON was passed.',
    "Write - instead, and pass the JSON on standard input: echo '{…}' | orgchat …",
    'FILE_UNREADABLE',
  );

/** Reads standard input to its end. */
export async function readStdin(maxBytes = maxTextBytes): Promise<string> {
  try {
    return decodeUtf8(await collectBytes(process.stdin, maxBytes), '-');
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    throw usageError(
      `Cannot read standard input: ${error.message}.`,
      'Check what is piped into the command.',
      'FILE_UNREADABLE',
    );
  }
}

/** Decodes UTF-8 and removes the byte order mark. Text in another encoding would be sent with wrong characters. */
export function decodeUtf8(bytes: Uint8Array, name: string): string {
  // UTF-16 without a byte order mark can be valid UTF-8: with a NUL at every other place.
  const text = bytes.includes(0) ? undefined : tryDecodeUtf8(bytes);
  if (text === undefined) throw encodingError(bytes, name === '-' ? 'Standard input' : name);
  return text;
}

function tryDecodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Parses JSON or YAML. JSON is tried first, so that its numbers and strings are not read as YAML. */
export async function parseDocument(text: string, name: string): Promise<unknown> {
  const shown = name === '-' ? 'Standard input' : name;
  if (text.trim() === '') throw invalidInputError(`${shown} is empty.`, 'It must contain JSON or YAML.');
  try {
    return parseJson(text);
  } catch (jsonError) {
    if (jsonError instanceof RepeatedKeyError) throw notParsableError(shown, jsonError.message);
    const { findYamlProblems, LineCounter, parseDocument: parse } = await import('../yaml.ts');
    const lineCounter = new LineCounter();
    const document = parse(text, { lineCounter });
    const [problem] = findYamlProblems(document);
    if (problem !== undefined) {
      if (/^\s*[[{]/.test(text)) throw notParsableError(shown, getReason(jsonError));
      const { line, col } = lineCounter.linePos(problem.at);
      throw notParsableError(shown, `${problem.message} at line ${line}, column ${col}`);
    }
    let value: unknown;
    try {
      value = document.toJS({ maxAliasCount: 100 });
    } catch (error) {
      throw notParsableError(shown, getReason(error));
    }
    if (isCircular(value)) throw notParsableError(shown, 'it contains an alias of itself');
    return value;
  }
}

/** Whether a value contains itself through a YAML alias. It cannot be sent then. */
function isCircular(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return false;
  } catch {
    return true;
  }
}

function notParsableError(shown: string, why: string): CliError {
  return invalidInputError(`${shown} is not valid JSON or YAML: ${why}`, 'Fix the file and try again.');
}

/** Reads a file or standard input that contains one object; `example` is shown if it does not. */
export async function readObject(name: string, example: string): Promise<Record<string, unknown>> {
  const value = await parseDocument(await readText(name), name);
  if (isObject(value)) return value;
  throw invalidInputError(
    `${name === '-' ? 'Standard input' : name} does not contain an object.`,
    `Example: ${example}`,
  );
}
