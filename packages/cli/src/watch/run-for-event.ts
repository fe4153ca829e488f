import { spawn } from 'node:child_process';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';

/** Windows sends Ctrl-C to every process of a console, and a process without it cannot write there. */
const hasGroups = process.platform !== 'win32';

/**
 * Runs a shell line with an event as a line of JSON on its standard input. Its output goes where that of this command goes.
 * A terminal sends Ctrl-C to this process alone, so that the line finishes; if this process exits or is quit with Ctrl-\, the
 * line ends, too.
 * Resolves to what went wrong: `exited with 3`, `was ended by SIGKILL`; undefined if it exited with 0.
 */
export function runForEvent(line: string, event: object): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(line, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], detached: hasGroups });
    const endGroup = (): void => {
      try {
        if (hasGroups && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      } catch {
        // It has ended by now.
      }
    };
    const quit = (): void => {
      endGroup();
      // Nothing listens any more, so the signal ends this process as if nothing had.
      process.kill(process.pid, 'SIGQUIT');
    };
    const stopListening = (): void => {
      process.off('exit', endGroup);
      process.off('SIGQUIT', quit);
    };
    process.once('exit', endGroup);
    process.once('SIGQUIT', quit);
    child.on('error', (cause) => {
      stopListening();
      reject(
        new CliError(`The shell for --exec could not be started: ${cause.message}`, {
          code: 'EXEC_FAILED',
          exit: exitCodes.failed,
          hint: 'Check the shell of this system.',
          cause,
        }),
      );
    });
    child.on('exit', (code, signal) => {
      stopListening();
      if (code === 0) resolve(undefined);
      else resolve(signal === null ? `exited with ${code}` : `was ended by ${signal}`);
    });
    // A line that does not read its input may have ended.
    child.stdin.on('error', () => {});
    child.stdin.end(`${JSON.stringify(event)}\n`);
  });
}
