import type { EventEmitter } from 'node:events';
import {
  type Argument,
  Command,
  InvalidArgumentError,
  type Option,
  type ParseOptionsResult,
} from 'commander';
import { type Part, parseFlag, readWords } from './command-line.ts';
import { checkValues } from './value-kinds.ts';

/** Facts of a mistake in the command line, by the code of commander if it finds the mistake. */
export type CommandLineProblem =
  | { readonly code: 'commander.unknownOption'; readonly word: string; readonly known: readonly string[] }
  | { readonly code: 'commander.unknownCommand'; readonly word: string; readonly known: readonly string[] }
  | { readonly code: 'commander.missingArgument'; readonly name: string }
  | {
      readonly code: 'optionMissingArgument';
      /** The option, such as `--text`. */
      readonly flag: string;
      /** The option behind it. */
      readonly next: string | undefined;
    }
  | { readonly code: 'repeatedOption'; readonly flag: string }
  | { readonly code: 'unexpectedValue'; readonly flag: string; readonly word: string }
  | { readonly code: 'commander.excessArguments'; readonly expected: number; readonly received: number }
  | {
      readonly code: 'commander.invalidArgument';
      readonly name: string;
      readonly value: string;
      readonly reason: string;
      /** The values that it may have, if it is one of a few. */
      readonly known: readonly string[];
    };

/** A command line that commander does not accept, with its facts as fields. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError';

  constructor(
    readonly problem: CommandLineProblem,
    /** The command that was called, such as `orgchat tags list`. */
    readonly command: string,
  ) {
    super(problem.code);
  }
}

/** A command that reports mistakes in the command line with their facts. */
export class CliCommand extends Command {
  private unknown: string | undefined;
  /** Whether the arguments have a `--`, after which come the words of another command. */
  hasSeparator = false;

  override createCommand(name?: string): Command {
    return new CliCommand(name);
  }

  override addOption(option: Option): this {
    checkValues(option);
    this.reportValues(option, option.flags);
    return super.addOption(option);
  }

  override addArgument(argument: Argument): this {
    checkValues(argument);
    this.reportValues(argument, argument.name());
    return super.addArgument(argument);
  }

  /**
   * Reads the words behind this command, up to a subcommand. Those of commander look for the options of the root in all
   * words first, the values of other options included, and take short options apart.
   */
  override parseOptions(words: string[]): ParseOptionsResult {
    const operands: string[] = [];
    const unknown: string[] = [];
    for (const part of readWords(this, words)) {
      switch (part.kind) {
        case 'option':
          this.setOption(part);
          break;
        case 'missing':
          return this.fail({
            code: 'optionMissingArgument',
            flag: part.option.long ?? part.option.flags,
            next: part.next,
          });
        case 'operand':
          operands.push(part.word);
          break;
        case 'unknown':
          unknown.push(...part.words);
          break;
        case 'command':
          operands.push(part.command.name());
          unknown.push(...part.words);
          break;
        case 'rest':
          this.hasSeparator = part.isSeparated;
          operands.push(...part.words);
      }
    }
    this.unknown = unknown[0];
    return { operands, unknown };
  }

  private setOption({ option, owner, flag, value }: Part & { readonly kind: 'option' }): void {
    const isGiven = owner.getOptionValueSource(option.attributeName()) === 'cli';
    if (isGiven && value !== undefined && !option.variadic) this.fail({ code: 'repeatedOption', flag });
    // The declarations of commander leave out that a command is one.
    (owner as unknown as EventEmitter).emit(`option:${option.name()}`, value);
  }

  private fail(problem: CommandLineProblem): never {
    throw new CommandLineError(problem, this.path());
  }

  override error(message: string, options: { readonly code?: string } = {}): never {
    const problem = this.problemFor(options.code);
    if (problem === undefined) return super.error(message, options);
    return this.fail(problem);
  }

  private problemFor(code: string | undefined): CommandLineProblem | undefined {
    switch (code) {
      case 'commander.unknownOption': {
        const word = this.unknown ?? '';
        const known = parseFlag(this, word);
        if (known !== undefined) return { code: 'unexpectedValue', flag: known.flag, word };
        return { code, word, known: this.flags() };
      }
      case 'commander.unknownCommand':
        return { code, word: this.args[0] ?? '', known: this.names() };
      case 'commander.missingArgument':
        return { code, name: this.registeredArguments[this.args.length]?.name() ?? '' };
      case 'commander.excessArguments':
        return { code, expected: this.registeredArguments.length, received: this.args.length };
      default:
        return undefined;
    }
  }

  /** Wraps the parser of a value, so that a value it rejects is reported with its option or argument. */
  private reportValues(target: Argument | Option, name: string): void {
    const { parseArg } = target;
    if (parseArg === undefined) return;
    target.argParser((value: string, previous: unknown) => {
      try {
        return parseArg.call(target, value, previous);
      } catch (error) {
        if (!(error instanceof InvalidArgumentError)) throw error;
        const { message: reason } = error;
        const known = target.argChoices ?? [];
        this.fail({ code: 'commander.invalidArgument', name, value, reason, known });
      }
    });
  }

  private path(): string {
    const above: Command[] = [];
    for (let command: Command | null = this; command !== null; command = command.parent)
      above.unshift(command);
    return above.map((command) => command.name()).join(' ');
  }

  private flags(): string[] {
    const help = this.createHelp();
    // The help of a command does not list the options of those above it.
    help.showGlobalOptions = true;
    return [...help.visibleOptions(this), ...help.visibleGlobalOptions(this)].flatMap(
      ({ long }) => long ?? [],
    );
  }

  private names(): string[] {
    return this.createHelp()
      .visibleCommands(this)
      .flatMap((command) => [command.name(), ...command.aliases()]);
  }
}
