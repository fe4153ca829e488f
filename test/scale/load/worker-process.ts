import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../test-support/bundle-program.ts';
import type { LoadOptions, Totals } from './run-load.ts';

export type WorkerOptions = Omit<LoadOptions, 'shouldContinue'>;

/** `run`: sessions from now on; `rest`: no further ones; `hold`: one more request on each connection. */
export type ToWorker = 'run' | 'rest' | 'hold';

export type WorkerTotals = Omit<Totals, 'kinds' | 'statuses'> & {
  readonly kinds: Readonly<Record<string, number>>;
  readonly statuses: Readonly<Record<string, number>>;
};

export type FromWorker =
  | { readonly problems: number }
  | { readonly totals: WorkerTotals }
  /** How many of the last requests were answered. */
  | { readonly held: number };

type Reported<K extends string> = Extract<FromWorker, Record<K, unknown>>;

/** A process with a part of the connections. */
export class Worker {
  readonly #child: ChildProcess;
  problems = 0;

  constructor(options: WorkerOptions) {
    const script = fileURLToPath(new URL('worker.ts', import.meta.url));
    this.#child = fork(bundleProgram(script), [JSON.stringify(options)], { execArgv: [] });
    this.#child.on('message', (message: FromWorker) => {
      if ('problems' in message) this.problems = message.problems;
    });
  }

  run(): void {
    this.#child.send('run' satisfies ToWorker);
  }

  /** Stops it after the current sessions. Returns the totals. */
  async rest(): Promise<WorkerTotals> {
    const message = this.#waitFor('totals');
    this.#child.send('rest' satisfies ToWorker);
    return (await message).totals;
  }

  /** Sends one more request per connection. Returns how many were answered. */
  async hold(): Promise<number> {
    const message = this.#waitFor('held');
    this.#child.send('hold' satisfies ToWorker);
    return (await message).held;
  }

  #waitFor<K extends 'totals' | 'held'>(what: K): Promise<Reported<K>> {
    return new Promise((resolve, reject) => {
      this.#child.on('message', (message: FromWorker) => {
        if (what in message) resolve(message as Reported<K>);
      });
      this.#child.once('exit', (code) => reject(new Error(`A process of the load ended with ${code}`)));
    });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
