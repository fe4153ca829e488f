import type { Account, CallOptions, OrgChatClient } from '@orgchat/sdk';
import type { GlobalOptions } from './args/global-options.ts';
import { repeatJournal } from './args/repeat-journal.ts';
import type { Connection } from './connection/client.ts';
import { bulkTimeoutMs } from './connection/timeouts.ts';
import { explaining } from './error-conversion/error-hints.ts';
import { checkBaseUrl, toCliError } from './error-conversion/to-cli-error.ts';
import { type CliError, usageError } from './errors/cli-error.ts';
import { Interrupt } from './interrupt.ts';
import { Output } from './output/output.ts';
import { findPrintedFields, type PrintedFields, requireKnownFields } from './output/printed-fields.ts';

/** The exit code of an action that did not fail: `diff --exit-code`, `mock exec`. */
export interface CommandOutcome {
  exitCode: number;
}

/** State of one run of a command. */
export class Context {
  readonly output: Output;
  readonly interrupt: Interrupt;
  readonly env = process.env;
  private connection: Promise<Connection> | undefined;
  private server: string | undefined;

  constructor(
    readonly options: GlobalOptions,
    private readonly outcome: CommandOutcome,
    /** Without the values of variables. A deadline that is not one of API calls is `flags.timeout`. */
    readonly flags: GlobalOptions = options,
  ) {
    this.output = new Output(options, flags);
    this.interrupt = new Interrupt(options.journal);
  }

  /** Sets another exit code than 0 for a command that did not fail. */
  set exitCode(code: number) {
    this.outcome.exitCode = code;
  }

  /** The client and its connection, created on first use. */
  connect(): Promise<Connection> {
    this.connection ??= this.makeConnection();
    return this.connection;
  }

  /** Checks --fields against what the command at `path` prints. */
  async checkFields(path: readonly string[]): Promise<void> {
    const { fields } = this.output;
    if (fields === undefined) {
      if (this.output.format === 'value') throw valueNeedsFieldsError();
      return;
    }
    this.requireFields(await findPrintedFields(path));
  }

  /** Ends the command, before it changes anything, if it prints none of the requested fields. */
  requireFields(printed: PrintedFields | undefined): void {
    const { fields } = this.output;
    this.output.printed = printed;
    if (fields !== undefined && printed !== undefined && !printed.isOpen) requireKnownFields(fields, printed);
  }

  /** Deadline of each call of a command that makes many. */
  get bulkTimeoutMs(): number {
    return this.options.timeout ?? bulkTimeoutMs;
  }

  /** Options of each call of a command that makes many. */
  get bulkCall(): { readonly signal: AbortSignal; readonly timeoutMs: number } {
    return { signal: this.interrupt.signal, timeoutMs: this.bulkTimeoutMs };
  }

  /** Options of each request of a list: of all its pages, or of one. */
  createListCall(all: boolean | undefined): CallOptions {
    return all ? this.bulkCall : { signal: this.interrupt.signal };
  }

  /** Reads organization, plan and usage of the key. Every API has this call, so "not found" means a wrong base URL. */
  async account(): Promise<Account> {
    const client = await this.client();
    return explaining({ notFound: checkBaseUrl }, () => client.account({ signal: this.interrupt.signal }));
  }

  /** Converts what an action threw to an error that names the server. */
  async toCliError(error: unknown): Promise<CliError> {
    const failure = await toCliError(error, this.server);
    const { journal } = this.options;
    return journal === undefined ? failure : failure.withHints((hint) => repeatJournal(hint, journal));
  }

  private async makeConnection(): Promise<Connection> {
    const { connect } = await import('./connection/client.ts');
    const connection = await connect(this.options, this.env, this.output);
    this.server = connection.server;
    return connection;
  }

  async client(): Promise<OrgChatClient> {
    return (await this.connect()).client;
  }

  /** Ends the connections of a shared journal. They would keep the process alive. */
  async close(): Promise<void> {
    const connection = await this.connection?.catch(() => undefined);
    await connection?.sharedJournal?.close();
  }
}

const valueNeedsFieldsError = (): CliError =>
  usageError('--format value prints only the values of --fields, which is missing.', 'Pass --fields id,name');
