import { exitCodes } from './exit-codes.ts';
import { plainText, plainYaml } from './output/plain.ts';
import { isTerminal, ownCodes } from './output/terminal.ts';

/*
 * The only way out. What is said to people is escaped here whatever it is made of, so that a module that forgot to
 * escape a name is no hole; what programs read is left as it is, unless a terminal shows it.
 */

/** Text without anything that steers a terminal, but for our own styles. */
const shown = (text: string): string =>
  text
    .split(ownCodes)
    .map((part, at) => (at % 2 === 1 ? part : plainText(part)))
    .join('');

/** A reader that has seen enough (`| head -1`) closes the pipe; that is an end, not an error. */
export function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
      if (stream === process.stdout) {
        writeError(
          `orgchat: the result cannot be written: ${error.message}\n  next: free the place it goes to; a change that was made is in the journal: orgchat ops list\n`,
        );
      }
      process.exit(exitCodes.failed);
    });
  }
}

/** Resolves once everything written so far has left the process. */
export async function flush(): Promise<void> {
  await Promise.all(
    [process.stdout, process.stderr].map(
      (stream) => new Promise<void>((resolve) => void stream.write('', () => resolve())),
    ),
  );
}

/** Writes to stdout, and waits if the reader is slower than the writer, so that memory stays flat. */
async function write(text: string): Promise<void> {
  if (process.stdout.write(text)) return;
  await new Promise<void>((resolve) => process.stdout.once('drain', resolve));
}

/** Writes the result for people: tables, plans, help. */
export const writeOut = (text: string): Promise<void> => write(shown(text));

/** A JSON text, or several with a line each; YAML; or a text as the API has it. */
export type DataFormat = 'json' | 'yaml' | 'text';

/**
 * Writes the result for programs. Off a terminal it goes out byte for byte; on a terminal unsafe characters are
 * escaped, in JSON and YAML so that the value stays the same. YAML has to be whole: it is read again for that.
 */
export async function writeData(text: string, format: DataFormat): Promise<void> {
  if (!isTerminal('stdout')) return write(text);
  return write(format === 'yaml' ? await plainYaml(text) : plainText(text));
}

/** Says something to people, on stderr. */
export function writeError(text: string): void {
  process.stderr.write(shown(text));
}
