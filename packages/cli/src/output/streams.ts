import { openSync } from 'node:fs';
import { WriteStream } from 'node:tty';
import { exitCodes } from '../errors/exit-codes.ts';
import { escapeText, escapeYaml } from './escape.ts';
import { isTerminal, ownStyleCodes } from './terminal.ts';

/*
 * All output goes through this module. Text for people is always escaped here, even if a module forgot to escape a
 * name. Output for programs is not changed, unless it is shown on a terminal.
 */

/** Text without anything that steers a terminal, but for our own styles. */
const escapeForTerminal = (text: string): string =>
  text
    .split(ownStyleCodes)
    .map((part, at) => (at % 2 === 1 ? part : escapeText(part)))
    .join('');

let isWriting = false;
let lost: NodeJS.ErrnoException | undefined;

/** From here on the command changes something, so it runs to its end even if nobody reads its result. */
export function finishWithoutReader(): void {
  isWriting = true;
}

/** Why the result of a command that had to finish could not be written; undefined if it was. */
export const getWriteError = (): Error | undefined => lost;

/**
 * Handles a closed pipe or a full disk. If stderr is closed, the work continues and the exit code reports the outcome.
 * If the reader of stdout has ended (`| head -1`), a command that only reads ends; a command that has started to
 * change something finishes first. `listCommand` returns what lists the journal's entries.
 */
export function watchStreams(listCommand: () => string): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isWriting) {
      lost ??= error;
      return;
    }
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitCodes.done);
    writeError(
      `orgchat: cannot write the result: ${error.message}\n  next: free up disk space; changes that were made are in the journal: ${listCommand()}\n`,
    );
    // An error keeps its exit code, such as that of a terminal that was closed.
    process.exit(process.exitCode || exitCodes.failed);
  });
}

/** Resolves once everything written so far has left the process, or failed to. */
export async function flush(): Promise<void> {
  await Promise.all(
    [process.stdout, process.stderr].map(
      (stream) => new Promise<void>((resolve) => void stream.write('', () => resolve())),
    ),
  );
  // A failed write is reported after its callback.
  await new Promise((resolve) => setImmediate(resolve));
}

/** Writes to stdout, and waits if the reader is slower than the writer, so that memory stays flat. */
function write(text: string): Promise<void> {
  return new Promise((resolve) => {
    // Called in the end also if the write fails; nothing waits for a reader that is gone.
    if (process.stdout.write(text, () => resolve())) resolve();
  });
}

/** Writes the result for people: tables, plans, help. */
export const writeOut = (text: string): Promise<void> => write(escapeForTerminal(text));

/** A JSON text, or several with a line each; YAML; or a text as the API has it. */
export type DataFormat = 'json' | 'yaml' | 'text';

/**
 * Writes the result for programs. In a pipe it is written byte for byte. On a terminal unsafe characters are escaped;
 * JSON and YAML keep their value. YAML must be complete, because it is parsed again.
 */
export async function writeData(text: string, format: DataFormat): Promise<void> {
  if (!isTerminal('stdout')) return write(text);
  return write(format === 'yaml' ? await escapeYaml(text) : escapeText(text));
}

/** Says something to people, on stderr. */
export function writeError(text: string): void {
  process.stderr.write(escapeForTerminal(text));
}

/** The terminal of the process, whatever its streams are. */
const terminalDevice = process.platform === 'win32' ? '\\\\.\\CONOUT$' : '/dev/tty';

/** Where a question is shown. */
export interface Screen {
  readonly stream: NodeJS.WritableStream;
  write(text: string): void;
  close(): void;
}

/**
 * Opens the terminal for a question: stderr, or the terminal itself if stderr goes to a file or a pipe. Undefined if the
 * process has no terminal.
 */
export function openScreen(): Screen | undefined {
  const stream = isTerminal('stderr') ? process.stderr : openTerminal();
  if (stream === undefined) return undefined;
  return {
    stream,
    write: (text) => void stream.write(escapeForTerminal(text)),
    close: () => {
      if (stream !== process.stderr) stream.destroy();
    },
  };
}

function openTerminal(): WriteStream | undefined {
  try {
    // It may be closed at any time, and then nobody reads the question.
    return new WriteStream(openSync(terminalDevice, 'w')).on('error', () => {});
  } catch {
    return undefined;
  }
}
