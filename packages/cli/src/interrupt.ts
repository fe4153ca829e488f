import { setMaxListeners } from 'node:events';
import { exitCodes } from './exit-codes.ts';
import { Failure } from './failure.ts';
import { isTerminal } from './output/terminal.ts';
import { finishWithoutReader, writeError } from './streams.ts';

const signals = { SIGINT: exitCodes.interrupted, SIGTERM: exitCodes.terminated } as const;
type Signal = keyof typeof signals;

/** On a terminal the line has a ^C on it already. */
function say(text: string): void {
  writeError(`${isTerminal('stderr') ? '\n' : ''}orgchat: ${text}\n`);
}

/**
 * The first Ctrl-C lets what is in flight finish and be journaled, then ends the command with 130; the second
 * ends it at once. Reads have nothing to finish, so they are given `signal` and are broken off.
 */
export class Interrupt {
  private readonly controller = new AbortController();

  constructor() {
    // Every call of a command listens to the one signal, and a command may make many at a time.
    setMaxListeners(0, this.controller.signal);
  }

  private received: Signal | undefined;
  private finishing: string | undefined;
  private stopListening: (() => void)[] = [];

  /** Aborted by the first signal: for reads and for waiting. Changes are not given it. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Whether to begin nothing new. */
  get stopping(): boolean {
    return this.received !== undefined;
  }

  /** Says what is in flight while `work` runs, for the message after Ctrl-C. */
  async finish<T>(what: string, work: () => Promise<T>): Promise<T> {
    finishWithoutReader();
    const before = this.finishing;
    this.finishing = what;
    try {
      return await work();
    } finally {
      this.finishing = before;
    }
  }

  /** Runs a command under these rules; returns the exit code of the signal where one came and nothing failed. */
  async guard(command: () => Promise<void>): Promise<number | undefined> {
    this.stopListening = (Object.keys(signals) as Signal[]).map((signal) => {
      const listener = (): void => this.receive(signal);
      process.on(signal, listener);
      return () => process.off(signal, listener);
    });
    try {
      await command();
    } catch (error) {
      // A read that was broken off fails in many words; the one reason is the signal.
      if (this.received !== undefined && !(error instanceof Failure && error.exit === exitCodes.unknown)) {
        throw this.failure(this.received);
      }
      throw error;
    } finally {
      this.handOver();
    }
    return this.received === undefined ? undefined : signals[this.received];
  }

  /** Leaves signals to the command itself from here on: `mock exec` passes them to its child. */
  handOver(): void {
    for (const stop of this.stopListening.splice(0)) stop();
  }

  /** For commands that end by a signal in their ordinary way, as a server does. */
  handled(): void {
    this.received = undefined;
  }

  private receive(signal: Signal): void {
    if (this.received !== undefined) {
      const left =
        this.finishing === undefined
          ? ''
          : ' What was in flight is in the journal: orgchat ops list --unsettled';
      say(`left at once.${left}`);
      process.exit(signals[signal]);
    }
    this.received = signal;
    this.controller.abort();
    if (this.finishing !== undefined) {
      const { finishing } = this;
      // After whoever else hears the signal: a bar is ended by it.
      process.nextTick(() => say(`finishing ${finishing}; press Ctrl-C again to leave at once`));
    }
  }

  private failure(signal: Signal): Failure {
    return new Failure(signal === 'SIGINT' ? 'Interrupted.' : 'Terminated.', {
      code: signal === 'SIGINT' ? 'INTERRUPTED' : 'TERMINATED',
      exit: signals[signal],
      hint: 'What was in flight is in the journal: orgchat ops list',
    });
  }
}
