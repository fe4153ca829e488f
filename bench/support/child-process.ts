import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/*
 * Requests to a child process: the server and its load must not share a process. Request and answer have the same
 * number.
 */

interface Question {
  readonly number: number;
  readonly name: string;
  readonly input: unknown;
}

interface Answer {
  readonly number: number;
  readonly value?: unknown;
  readonly error?: string;
}

type Handler<I> = (input: I) => unknown;

/** In the child: answers the requests of the parent. Waiting for them does not keep the process alive. */
export function answerParent<I>(handlers: Readonly<Record<string, Handler<I>>>): void {
  process.on('message', async ({ number, name, input }: Question) => {
    const handler = handlers[name];
    if (handler === undefined) return;
    let answer: Answer;
    try {
      answer = { number, value: await handler(input as I) };
    } catch (error) {
      answer = { number, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
    process.send?.(answer);
  });
  // If the parent is gone, nobody else would end the child.
  process.once('disconnect', () => process.exit());
}

const ending = (code: number | string | null, log: string): string =>
  `The process ended with ${code}. The end of what it wrote:\n${log}`;

export class Child {
  readonly process: ChildProcess;
  #asked = 0;
  #log = '';

  /** Starts `node` with these arguments. */
  constructor(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    this.process = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...process.env, ...environment },
    });
    this.process.setMaxListeners(0).on('error', () => {});
    // Read stderr, so that the child never blocks on a full pipe. Errors include its end.
    const keep = (chunk: Buffer): void => {
      this.#log = (this.#log + chunk.toString()).slice(-4000);
    };
    this.process.stdout?.on('data', keep);
    this.process.stderr?.on('data', keep);
  }

  ask<T>(name: string, input?: unknown): Promise<T> {
    const question: Question = { number: ++this.#asked, name, input };
    return new Promise((resolve, reject) => {
      const { exitCode, signalCode } = this.process;
      if ((exitCode ?? signalCode) !== null) throw new Error(ending(exitCode ?? signalCode, this.#log));
      const ended = (code: number | null): void => {
        this.process.off('message', heard);
        reject(new Error(ending(code, this.#log)));
      };
      const heard = ({ number, value, error }: Answer): void => {
        if (number !== question.number) return;
        this.process.off('message', heard).off('exit', ended);
        if (error === undefined) resolve(value as T);
        else reject(new Error(error));
      };
      this.process.on('message', heard).once('exit', ended);
      // The exit event reports a child that has ended.
      this.process.send(question, () => {});
    });
  }

  /** The first result of `find` for a line of output that is not undefined. */
  line<T>(find: (line: string) => T | undefined): Promise<T> {
    const { stdout } = this.process;
    if (stdout === null) throw new Error('It has no output.');
    return new Promise((resolve, reject) => {
      const lines = createInterface({ input: stdout });
      lines.on('line', (line) => {
        const found = find(line);
        if (found === undefined) return;
        resolve(found);
        lines.removeAllListeners('line');
      });
      this.process.once('exit', (code) => reject(new Error(ending(code, this.#log))));
    });
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exit = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await exit;
  }
}
