import { exitCodes } from './exit-codes.ts';

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

/** Writes payload, and waits where the reader is slower than the writer, so that memory stays flat. */
export async function writeOut(text: string): Promise<void> {
  if (process.stdout.write(text)) return;
  await new Promise<void>((resolve) => process.stdout.once('drain', resolve));
}

export function writeError(text: string): void {
  process.stderr.write(text);
}
