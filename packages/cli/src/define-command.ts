import type { Account, OrgChatClient } from '@orgchat/sdk';
import type { Command } from 'commander';
import type { GlobalOptions } from './args/global-options.ts';
import type { Connection } from './connection/client.ts';
import type { CliError } from './errors/cli-error.ts';
import { checkBaseUrl, toCliError } from './errors/to-cli-error.ts';
import { Interrupt } from './interrupt.ts';
import { Output } from './output/output.ts';

interface CommandModule {
  configure(command: Command): void;
}
export type Load = () => Promise<CommandModule>;

const loads = new WeakMap<Command, Load>();
const hooked = new WeakSet<Command>();

/** A command of which only name and summary are known until it is called, completed or asked about. */
export function lazily(parent: Command, name: string, summary: string, load: Load): Command {
  const command = parent.command(name, { hidden: summary === '' }).description(summary);
  loads.set(command, load);
  if (!hooked.has(parent)) {
    hooked.add(parent);
    parent.hook('preSubcommand', (_parent, child) => loadCommand(child));
  }
  return command;
}

/** Reads a command's own definition, once. */
export async function loadCommand(command: Command): Promise<void> {
  const load = loads.get(command);
  loads.delete(command);
  if (load !== undefined) (await load()).configure(command);
}

/** The exit code of an action that did not fail: `diff --exit-code`, `mock exec`. */
export interface CommandOutcome {
  exitCode: number;
}

/** State of one run of a command. */
export class Context {
  readonly output: Output;
  readonly interrupt = new Interrupt();
  readonly env = process.env;
  /** What to check if the API answers "not found". */
  notFoundHint: string | undefined;
  private connection: Promise<Connection> | undefined;
  private server: string | undefined;

  constructor(
    readonly options: GlobalOptions,
    private readonly outcome: CommandOutcome,
  ) {
    this.output = new Output(options);
  }

  /** Sets the exit code of a command that succeeded with another code than 0. */
  set exitCode(code: number) {
    this.outcome.exitCode = code;
  }

  /** The client and its connection, created on first use. */
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

  /** Converts what an action threw to an error that names the server. */
  async toCliError(error: unknown): Promise<CliError> {
    return toCliError(error, { server: this.server, notFoundHint: this.notFoundHint });
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

const outcomes = new WeakMap<Command, CommandOutcome>();

export function bindOutcome(program: Command, outcome: CommandOutcome): void {
  outcomes.set(program, outcome);
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

type Handler<Options> = (context: Context, options: Options, ...operands: string[]) => Promise<void>;

/**
 * Sets the action of a command. Operands are passed as typed, after the options; a variadic one is the rest. The
 * options include the global ones.
 */
export function action<Options = object>(
  command: Command,
  handler: Handler<Options & GlobalOptions>,
): Command {
  return command.action(async () => {
    const options = command.optsWithGlobals<Options & GlobalOptions>();
    const outcome = outcomes.get(rootOf(command)) ?? { exitCode: 0 };
    const context = new Context(options, outcome);
    try {
      const signalled = await context.interrupt.runWithSignals(() =>
        handler(context, options, ...command.args),
      );
      if (signalled !== undefined) outcome.exitCode = signalled;
    } catch (error) {
      throw await context.toCliError(error);
    }
  });
}

/** Examples below a command's help: `[command line, what it does]`. */
export function examples(
  command: Command,
  ...lines: readonly (readonly [line: string, what?: string])[]
): Command {
  const width = Math.max(...lines.map(([line, what]) => (what === undefined ? 0 : line.length)));
  const text = lines.map(
    ([line, what]) => `  $ ${what === undefined ? line : `${line.padEnd(width)}   ${what}`}`,
  );
  return command.addHelpText('after', `\nExamples:\n${text.join('\n')}`);
}
