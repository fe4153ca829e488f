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

let mustFinish = false;
let lost: NodeJS.ErrnoException | undefined;

/** From here on the command changes something, so it runs to its end even if nobody reads its result. */
export function finishWithoutReader(): void {
  mustFinish = true;
}

/** Why the result of a command that had to finish could not be written; undefined if it was. */
export const resultLost = (): Error | undefined => lost;

/**
 * Decides what a closed pipe or a full disk means. What is said on stderr may go unheard: the work continues, and the
 * exit code tells its outcome. A reader of stdout that has seen enough (`| head -1`) ends a command that only reads;
 * a command that has begun to change something finishes first.
 */
export function watchStreams(): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (mustFinish) {
      lost ??= error;
      return;
    }
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitCodes.done);
    writeError(
      `orgchat: the result cannot be written: ${error.message}\n  next: free the place it goes to; a change that was made is in the journal: orgchat ops list\n`,
    );
    process.exit(exitCodes.failed);
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
