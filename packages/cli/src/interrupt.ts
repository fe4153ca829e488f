import { setMaxListeners } from 'node:events';
import { repeatJournal } from './args/repeat-journal.ts';
import { CliError } from './errors/cli-error.ts';
import { exitCodes } from './errors/exit-codes.ts';
import { finishWithoutReader, writeError } from './output/streams.ts';
import { isTerminal } from './output/terminal.ts';

/** The signals that end a command, each with its exit code and how its error is reported. */
const signals = {
  SIGHUP: { exit: exitCodes.hungUp, code: 'HANGUP', message: 'The terminal was closed.' },
  SIGINT: { exit: exitCodes.interrupted, code: 'INTERRUPTED', message: 'Interrupted.' },
  SIGTERM: { exit: exitCodes.terminated, code: 'TERMINATED', message: 'Terminated.' },
} as const;
type Signal = keyof typeof signals;

export const signalNames = Object.keys(signals) as Signal[];

/** Starts a new line on a terminal, because ^C is on the current one. */
function writeNotice(text: string): void {
  writeError(`${isTerminal('stderr') ? '\n' : ''}orgchat: ${text}\n`);
}

/**
 * Handles signals. The first Ctrl-C, SIGTERM or SIGHUP finishes requests in progress and then exits with the code of the
 * signal; a second Ctrl-C or SIGTERM exits immediately. Reads have nothing to finish, so they are aborted by `signal`, and so are waits before a change is sent.
 */
export class Interrupt {
  private readonly controller = new AbortController();

  /** `journal` is the value of `--journal`. */
  constructor(private readonly journal?: string) {
    // Every call of a command listens to the one signal, and a command may make many at a time.
    setMaxListeners(0, this.controller.signal);
  }

  private received: Signal | undefined;
  private finishing: string | undefined;
  /** Whether the command has begun to send changes. */
  private hasBegun = false;
  private stopListening: (() => void)[] = [];

  /** Aborted by the first signal. Writes take it by `endWaitsOnly`, so that a request that is on its way finishes. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Whether to start nothing new. */
  get stopping(): boolean {
    return this.received !== undefined;
  }

  /** Runs `work`, which Ctrl-C does not stop. `what` names it in the message after Ctrl-C. */
  async runToEnd<T>(what: string, work: () => Promise<T>): Promise<T> {
    finishWithoutReader();
    this.hasBegun = true;
    const before = this.finishing;
    this.finishing = what;
    try {
      return await work();
    } finally {
      this.finishing = before;
    }
  }

  /** Runs a command and handles signals. Returns the exit code of a signal if one was received and nothing failed. */
  async runWithSignals(
    command: () => Promise<void>,
    toCliError: (error: unknown) => Promise<CliError>,
  ): Promise<number | undefined> {
    this.stopListening = signalNames.map((signal) => {
      const listener = (): void => this.receive(signal);
      process.on(signal, listener);
      return () => process.off(signal, listener);
    });
    try {
      await command();
    } catch (error) {
      const failure = await toCliError(error);
      if (this.received === undefined || failure.exit === exitCodes.unknown) throw failure;
      // An aborted read fails with various errors; the reason is always the signal.
      throw await toCliError(this.signalError(this.received));
    } finally {
      this.stopHandlingSignals();
    }
    return this.received === undefined ? undefined : signals[this.received].exit;
  }

  /** Leaves signals to the command itself from here on: `mock exec` passes them to its child. */
  stopHandlingSignals(): void {
    for (const stop of this.stopListening.splice(0)) stop();
  }

  /** For a command that a signal ends normally, such as a server: it then exits 0. */
  markHandled(): void {
    this.received = undefined;
  }

  private receive(signal: Signal): void {
    if (this.received !== undefined) {
      // A terminal that closes sends it twice, by its shell and by the system, and nobody asked for haste.
      if (signal === 'SIGHUP') return;
      const advice =
        this.finishing === undefined
          ? ''
          : ' Requests in progress are in the journal: orgchat ops list --unsettled';
      writeNotice(`exited immediately.${repeatJournal(advice, this.journal)}`);
      process.exit(signals[signal].exit);
    }
    this.received = signal;
    this.controller.abort();
    if (this.finishing !== undefined) {
      const { finishing } = this;
      // After the other listeners: the signal also ends a progress bar.
      process.nextTick(() => writeNotice(`finishing ${finishing}; press Ctrl-C again to exit immediately`));
    }
  }

  private signalError(signal: Signal): CliError {
    const { message, ...details } = signals[signal];
    const hint = this.hasBegun
      ? 'Requests in progress are in the journal: orgchat ops list'
      : 'No change was sent. Run the command again.';
    return new CliError(message, { ...details, hint });
  }
}
