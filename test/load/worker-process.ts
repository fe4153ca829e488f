import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadOptions, Totals } from './load.ts';

export type WorkerOrders = Omit<LoadOptions, 'goesOn'>;

/** `finish`: no further scenes; `hold`: one more request on each connection. */
export type ToWorker = 'finish' | 'hold';

export type WorkerTotals = Omit<Totals, 'kinds' | 'statuses'> & {
  readonly kinds: Readonly<Record<string, number>>;
  readonly statuses: Readonly<Record<string, number>>;
};

export type FromWorker =
  | { readonly problems: number }
  | { readonly totals: WorkerTotals }
  /** How many of the last requests were answered. */
  | { readonly held: number };

type Told<K extends string> = Extract<FromWorker, Record<K, unknown>>;

/** A process with a part of the connections. */
export class Worker {
  readonly #child: ChildProcess;
  readonly totals: Promise<WorkerTotals>;
  readonly held: Promise<number>;
  problems = 0;

  constructor(orders: WorkerOrders) {
    const script = fileURLToPath(new URL('worker.ts', import.meta.url));
    this.#child = fork(script, [JSON.stringify(orders)], { execArgv: ['--import', 'tsx'] });
    this.#child.on('message', (message: FromWorker) => {
      if ('problems' in message) this.problems = message.problems;
    });
    this.totals = this.#told('totals').then(({ totals }) => totals);
    this.held = this.#told('held').then(({ held }) => held);
    // Who waits for one of them is told; nobody need wait for both.
    for (const told of [this.totals, this.held]) told.catch(() => {});
  }

  #told<K extends 'totals' | 'held'>(what: K): Promise<Told<K>> {
    return new Promise((resolve, reject) => {
      this.#child.on('message', (message: FromWorker) => {
        if (what in message) resolve(message as Told<K>);
      });
      this.#child.once('exit', (code) => reject(new Error(`A process of the load ended with ${code}`)));
    });
  }

  send(message: ToWorker): void {
    this.#child.send(message);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
