import type { Command, Option } from 'commander';
import { getPlaceholder } from './value-kinds.ts';

/** What one word of a command line, or an option with its value, means to a command. */
export type Part =
  | {
      readonly kind: 'option';
      readonly option: Option;
      /** The command that has the option: the one that is called, or one above it. */
      readonly owner: Command;
      /** As it was typed. */
      readonly flag: string;
      /** Undefined for an option that takes none. */
      readonly value: string | undefined;
    }
  /** An option without its value: `next` is the word behind it, which is an option itself. */
  | { readonly kind: 'missing'; readonly option: Option; readonly next: string | undefined }
  /** A word that looks like an option. A group leaves it, and all words after it, to its default command. */
  | { readonly kind: 'unknown'; readonly words: readonly string[] }
  | { readonly kind: 'operand'; readonly word: string }
  | { readonly kind: 'command'; readonly command: Command; readonly words: readonly string[] }
  /** All words after `--`, or a program and its arguments. */
  | { readonly kind: 'rest'; readonly words: readonly string[]; readonly isSeparated: boolean };

interface FoundOption {
  readonly option: Option;
  readonly owner: Command;
}

/** The option of a command, or of one above it. */
export function findOption(command: Command, flag: string): FoundOption | undefined {
  const option = command.options.find(({ short, long }) => flag === short || flag === long);
  if (option !== undefined) return { option, owner: command };
  return command.parent === null ? undefined : findOption(command.parent, flag);
}

/** Whether a word is exactly an option of a command, `--help` or `--`. Any other word can be the value of an option. */
export const isFlag = (command: Command, word: string): boolean =>
  ['--', '--help', '-h'].includes(word) || findOption(command, word) !== undefined;

interface ParsedFlag extends FoundOption {
  readonly flag: string;
  readonly value: string | undefined;
}

/** Parses `--flag`, `-f`, `--flag=VALUE` and `-fVALUE`. Options without a value are not combined: each is a word. */
export function parseFlag(command: Command, word: string): ParsedFlag | undefined {
  const whole = findOption(command, word);
  if (whole !== undefined) return { ...whole, flag: word, value: undefined };
  const [, flag = '', value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? /^(-[^-])(.+)$/s.exec(word) ?? [];
  const found = findOption(command, flag);
  return found && { ...found, flag, value };
}

/** Whether a word has a value for an option that takes none. */
const hasUnexpectedValue = ({ option, value }: ParsedFlag): boolean =>
  !option.required && value !== undefined;

/** Whether all words from the first operand on are those of a program. */
const runsProgram = ({ registeredArguments: [first] }: Command): boolean =>
  first !== undefined && getPlaceholder(first) === 'command';

/** Whether a word can only be an option. No option is a number. */
const looksLikeOption = (command: Command, word: string): boolean =>
  word.length > 1 && word.startsWith('-') && !(command.commands.length === 0 && /^-\d*\.?\d+$/.test(word));

/** Reads the words behind a command, up to the name of a subcommand. A word behind an option is its value first of all. */
export function* readWords(command: Command, words: readonly string[]): Generator<Part> {
  let hasOperand = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') {
      yield { kind: 'rest', words: words.slice(at + 1), isSeparated: true };
      return;
    }
    const found = parseFlag(command, word);
    if (found !== undefined && !hasUnexpectedValue(found)) {
      const { option, value = option.required ? words[at + 1] : undefined } = found;
      const isInline = found.value !== undefined;
      if (option.required && (value === undefined || (!isInline && isFlag(command, value)))) {
        yield { kind: 'missing', option, next: value };
      } else {
        if (option.required && !isInline) at++;
        yield { ...found, kind: 'option', value };
      }
    } else if (looksLikeOption(command, word)) {
      if (command.commands.length > 0) {
        yield { kind: 'unknown', words: words.slice(at) };
        return;
      }
      yield { kind: 'unknown', words: [word] };
    } else {
      const child = hasOperand
        ? undefined
        : command.commands.find((one) => one.name() === word || one.aliases().includes(word));
      if (child !== undefined) {
        yield { kind: 'command', command: child, words: words.slice(at + 1) };
        return;
      }
      if (runsProgram(command)) {
        yield { kind: 'rest', words: words.slice(at), isSeparated: false };
        return;
      }
      hasOperand = true;
      yield { kind: 'operand', word };
    }
  }
}

/** A command line, as far as it can be understood. */
export interface CommandLine {
  readonly command: Command;
  /** The words that call the command. */
  readonly path: readonly string[];
  readonly operands: readonly string[];
  /** The values of options by their long names; those without a value have an empty text. */
  readonly options: ReadonlyMap<string, string>;
  /** The option at the end, whose value is missing. */
  readonly pending: Option | undefined;
  /** The words that no option can be in. */
  readonly rest: readonly string[] | undefined;
}

/** Reads a command line that may be invalid or incomplete, by the commands that are loaded. */
export function readCommandLine(root: Command, words: readonly string[]): CommandLine {
  const path: string[] = [];
  const operands: string[] = [];
  const options = new Map<string, string>();
  let command = root;
  let pending: Option | undefined;
  let rest: readonly string[] | undefined;
  let left: readonly string[] | undefined = words;
  while (left !== undefined) {
    const parts = readWords(command, left);
    left = undefined;
    for (const part of parts) {
      pending = undefined;
      if (part.kind === 'option') options.set(part.option.long ?? part.flag, part.value ?? '');
      else if (part.kind === 'missing') pending = part.next === undefined ? part.option : undefined;
      else if (part.kind === 'operand') operands.push(part.word);
      else if (part.kind === 'rest') rest = part.words;
      else if (part.kind === 'command') {
        command = part.command;
        path.push(command.name());
        left = part.words;
      } else if (command.commands.length > 0) left = part.words.slice(1);
    }
  }
  return { command, path, operands, options, pending, rest };
}

/** Reads a command line after it has loaded the command that is called. */
export async function loadCommandLine(
  root: Command,
  words: readonly string[],
  load: (command: Command) => Promise<void>,
): Promise<CommandLine> {
  let line = readCommandLine(root, words);
  for (let before: Command | undefined; before !== line.command; ) {
    before = line.command;
    await load(before);
    line = readCommandLine(root, words);
  }
  return line;
}
