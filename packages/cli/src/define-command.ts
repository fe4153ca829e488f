import type { Command } from 'commander';
import { withVariables } from './args/flag-variables.ts';
import type { GlobalOptions } from './args/global-options.ts';
import { type CommandOutcome, Context } from './context.ts';

interface CommandModule {
  configure(command: Command): void;
}
export type Load = () => Promise<CommandModule>;

const loads = new WeakMap<Command, Load>();
const hooked = new WeakSet<Command>();

/**
 * A command of which only name and summary are known until it is called, completed or asked about. Without a summary it is
 * hidden.
 */
export function lazily(parent: Command, name: string, summary: string | undefined, load: Load): Command {
  const command = parent.command(name, { hidden: summary === undefined }).description(summary ?? '');
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

const outcomes = new WeakMap<Command, CommandOutcome>();

export function bindOutcome(program: Command, outcome: CommandOutcome): void {
  outcomes.set(program, outcome);
}

function getRoot(command: Command): Command {
  return command.parent === null ? command : getRoot(command.parent);
}

/** The words that call a command, without those of the root. */
function getPath(command: Command): string[] {
  return command.parent === null ? [] : [...getPath(command.parent), command.name()];
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
    const given = command.optsWithGlobals<Options & GlobalOptions>();
    const options = withVariables(command, given, process.env);
    const outcome = outcomes.get(getRoot(command)) ?? { exitCode: 0 };
    const context = new Context(options, outcome, given);
    try {
      const signalled = await context.interrupt.runWithSignals(
        async () => {
          await context.checkFields(getPath(command));
          await handler(context, options, ...command.args);
        },
        (error) => context.toCliError(error),
      );
      if (signalled !== undefined) outcome.exitCode = signalled;
    } finally {
      await context.close();
    }
  });
}

/** A command line, and what it does. */
export type Example = readonly [line: string, what?: string];

const exampleLists = new WeakMap<Command, readonly Example[]>();

export const getExamples = (command: Command): readonly Example[] => exampleLists.get(command) ?? [];

/** Examples below a command's help. */
export function examples(command: Command, ...lines: readonly Example[]): Command {
  exampleLists.set(command, lines);
  const width = Math.max(...lines.map(([line, what]) => (what === undefined ? 0 : line.length)));
  const text = lines.map(
    ([line, what]) => `  $ ${what === undefined ? line : `${line.padEnd(width)}   ${what}`}`,
  );
  return command.addHelpText('after', `\nExamples:\n${text.join('\n')}`);
}
