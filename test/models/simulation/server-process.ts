import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../test-support/bundle-program.ts';
import type { ServerOrders } from './messages.ts';
import type { ServerPhase } from './plan.ts';

const program = fileURLToPath(new URL('./server-program.ts', import.meta.url));

type Told = { readonly port?: number; readonly doomed?: ServerPhase };

/** A server that is restarted with the same address and data whenever it dies. */
export class ServerProcess {
  #orders: ServerOrders;
  #child: ChildProcess | undefined;
  #ready: Promise<void>;
  #ending = false;
  deaths = 0;

  constructor(orders: Omit<ServerOrders, 'port'>) {
    this.#orders = { ...orders, port: 0 };
    this.#ready = this.#start();
  }

  async #start(): Promise<void> {
    const child = spawn(process.execPath, [bundleProgram(program), JSON.stringify(this.#orders)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#child = child;
    const died = once(child, 'exit');
    const listening = new Promise<number>((resolve) => {
      child.on('message', ({ port }: Told) => port !== undefined && resolve(port));
    });
    died.then(([, signal]) => {
      if (this.#ending || signal !== 'SIGKILL') return;
      this.deaths++;
      this.#ready = this.#start();
    });
    const port = await Promise.race([listening, died.then(([code]) => Promise.reject(ended(code)))]);
    this.#orders = { ...this.#orders, port };
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#orders.port}/api/v1`;
  }

  /** Resolves with its process once it accepts connections. */
  async ready(): Promise<number> {
    let seen: Promise<void> | undefined;
    // It may have died again in the meantime.
    while (seen !== this.#ready) {
      seen = this.#ready;
      await seen;
    }
    return this.#child?.pid ?? 0;
  }

  /** Makes it die at a phase of the next request. Resolves once it is prepared, or if it is already dead. */
  async doom(phase: ServerPhase): Promise<void> {
    await this.ready();
    const child = this.#child;
    if (child === undefined || !child.connected) return;
    const told = new Promise<void>((resolve) => {
      child.on('message', ({ doomed }: Told) => doomed === phase && resolve());
      child.once('exit', () => resolve());
    });
    child.send(phase, () => {});
    await told;
  }

  /** Kills it and starts it once more. What it then answers is what it stored. */
  async restart(): Promise<void> {
    await this.ready();
    const before = this.#ready;
    this.#child?.kill('SIGKILL');
    while (this.#ready === before) await once(this.#child as ChildProcess, 'exit');
    await this.ready();
    this.deaths--;
  }

  async end(): Promise<void> {
    this.#ending = true;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

const ended = (code: number | null): Error => new Error(`The server ended with ${code} before it listened`);
