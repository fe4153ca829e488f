import type { Command } from 'commander';
import { Context, type Outcome } from './context.ts';
import type { GlobalOptions } from './globals.ts';

const outcomes = new WeakMap<Command, Outcome>();

export function bindOutcome(program: Command, outcome: Outcome): void {
  outcomes.set(program, outcome);
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

type Handler<Options> = (context: Context, options: Options, ...operands: string[]) => Promise<void>;

/**
 * Gives a command its action. Operands come as they were typed, after the options, a variadic one as the rest;
 * the options are those of the command and the global ones.
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
      const signalled = await context.interrupt.guard(() => handler(context, options, ...command.args));
      if (signalled !== undefined) outcome.exitCode = signalled;
    } catch (error) {
      throw await context.toFailure(error);
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
