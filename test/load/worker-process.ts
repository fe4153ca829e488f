import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadOptions, Totals } from './load.ts';

export type WorkerOrders = Omit<LoadOptions, 'goesOn'>;

/** `run`: scenes from now on; `rest`: no further ones; `hold`: one more request on each connection. */
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

type Told<K extends string> = Extract<FromWorker, Record<K, unknown>>;

/** A process with a part of the connections. */
export class Worker {
  readonly #child: ChildProcess;
  problems = 0;

  constructor(orders: WorkerOrders) {
    const script = fileURLToPath(new URL('worker.ts', import.meta.url));
    this.#child = fork(script, [JSON.stringify(orders)], { execArgv: ['--import', 'tsx'] });
    this.#child.on('message', (message: FromWorker) => {
      if ('problems' in message) this.problems = message.problems;
    });
  }

  run(): void {
    this.#child.send('run' satisfies ToWorker);
  }

  /** Lets it come to rest; what it did in all. */
  async rest(): Promise<WorkerTotals> {
    const told = this.#told('totals');
    this.#child.send('rest' satisfies ToWorker);
    return (await told).totals;
  }

  /** Has one more request sent on each connection; how many were answered, once all are. */
  async hold(): Promise<number> {
    const told = this.#told('held');
    this.#child.send('hold' satisfies ToWorker);
    return (await told).held;
  }

  #told<K extends 'totals' | 'held'>(what: K): Promise<Told<K>> {
    return new Promise((resolve, reject) => {
      this.#child.on('message', (message: FromWorker) => {
        if (what in message) resolve(message as Told<K>);
      });
      this.#child.once('exit', (code) => reject(new Error(`A process of the load ended with ${code}`)));
    });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
