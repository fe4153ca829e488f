import type { Command } from './command-facts.ts';
import { toInlineCode, toMarkdown, toSentence, toTable } from './page.ts';

/** A default in a text of the help: `(default: 50)`, or `(NAME; default 50)`. */
const defaultPattern = / \((?:(\w+); )?default:? (?!with )([^()]+)\)/;

/** Values are code, descriptions of them are not. */
const isValue = (text: string): boolean => /^(?:\d\S*|"[^"]*"|https?:\S+)$/.test(text);

/** An operand or an option: its name, and what it does, with its default at the end. */
function toRow(term: string, text: string): readonly [string, string] {
  const [, name, value = ''] = defaultPattern.exec(text) ?? [];
  const sentence = toSentence(text.replace(defaultPattern, name === undefined ? '' : ` (${name})`));
  if (value === '') return [toInlineCode(term), sentence];
  const shown = isValue(value) ? toInlineCode(value.replaceAll('"', '')) : toMarkdown(value);
  return [toInlineCode(term), `${sentence} Default:\u00a0${shown}.`];
}

/** The operands and options of a command in one table. */
export function tabulateArguments(command: Command): string {
  const help = command.createHelp();
  const operands = help
    .visibleArguments(command)
    .map((argument) => toRow(help.argumentTerm(argument), help.argumentDescription(argument)));
  const options = help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .map((option) => toRow(option.flags, help.optionDescription(option)));
  return toTable([operands.length === 0 ? 'Option' : 'Argument', 'What it does'], [...operands, ...options]);
}
