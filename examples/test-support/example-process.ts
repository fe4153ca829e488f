import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../test/test-support/bundle-program.ts';

/** A program of an example, in a process of its own. */
export interface ExampleProcess {
  readonly child: ChildProcess;
  /** The lines that it printed. */
  readonly lines: readonly string[];
  /** Resolves to the exit code; null if it was killed. */
  readonly ended: Promise<number | null>;
  /** Resolves to the first line that matches. Rejects if the program ends before. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Starts `examples/<name>`. */
export function startExample(
  name: string,
  env: NodeJS.ProcessEnv,
  args: readonly string[] = [],
): ExampleProcess {
  const program = fileURLToPath(new URL(`../${name}`, import.meta.url));
  const child = spawn(process.execPath, [bundleProgram(program), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout });
  output.on('line', (line) => lines.push(line));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const isEnded = ended.then(() => true);
  return {
    child,
    lines,
    ended,
    async waitFor(pattern) {
      for (;;) {
        for (const line of lines) {
          const found = pattern.exec(line);
          if (found) return found;
        }
        if ((await Promise.race([once(output, 'line'), isEnded])) === true)
          throw new Error(`${name} ended before it printed ${pattern}`);
      }
    },
  };
}
