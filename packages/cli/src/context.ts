import type { Account, OrgChatClient } from '@orgchat/sdk';
import type { Connection } from './connection/client.ts';
import type { Failure } from './failure.ts';
import { checkBaseUrl, toFailure } from './failures.ts';
import type { GlobalOptions } from './globals.ts';
import { Interrupt } from './interrupt.ts';
import { Output } from './output/output.ts';

/** Where an action leaves its exit code when nothing failed: `diff --exit-code`, `mock exec`. */
export interface Outcome {
  exitCode: number;
}

/** What one run of a command has at hand. */
export class Context {
  readonly output: Output;
  readonly interrupt = new Interrupt();
  readonly env = process.env;
  /** What to check if the API does not find what this command asks for. */
  notFoundHint: string | undefined;
  private connection: Promise<Connection> | undefined;
  private server: string | undefined;

  constructor(
    readonly options: GlobalOptions,
    private readonly outcome: Outcome,
  ) {
    this.output = new Output(options);
  }

  /** The exit code of a command that did what it was asked and has more to say than "done". */
  set exitCode(code: number) {
    this.outcome.exitCode = code;
  }

  /** The client and what it talks to, made when first asked for. */
  connect(): Promise<Connection> {
    this.connection ??= this.makeConnection();
    return this.connection;
  }

  /** The organization, plan and use behind the key. Every API has it, so not found means another address. */
  async account(): Promise<Account> {
    const before = this.notFoundHint;
    this.notFoundHint = checkBaseUrl;
    const account = await (await this.client()).account({ signal: this.interrupt.signal });
    this.notFoundHint = before;
    return account;
  }

  /** Whatever an action threw, as a failure that says which server was asked. */
  async toFailure(error: unknown): Promise<Failure> {
    return toFailure(error, { server: this.server, notFoundHint: this.notFoundHint });
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
}
