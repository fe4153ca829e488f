import type { OrgChatClient } from '@orgchat/sdk';
import type { Connection } from './connection/client.ts';
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
  private connection: Promise<Connection> | undefined;

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
    this.connection ??= import('./connection/client.ts').then(({ connect }) =>
      connect(this.options, this.env, this.output),
    );
    return this.connection;
  }

  async client(): Promise<OrgChatClient> {
    return (await this.connect()).client;
  }
}
