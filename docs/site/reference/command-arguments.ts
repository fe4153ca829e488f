import type { Command } from './command-facts.ts';
import { toInlineCode, toMarkdown, toSentence, toTable } from './page.ts';

/** A default in a text of the help: `(default: 50)`, or `(NAME; default 50)`. */
const defaultPattern = / \((?:(\w+); )?default:? (?!with )([^()]+)\)/;

/** Values are code, descriptions of them are not. */
const isValue = (text: string): boolean => /^(?:\d\S*|"[^"]*"|https?:\S+)$/.test(text);

/** An operand or an option: its name, what it does, and its default. */
function toRow(term: string, text: string): readonly [string, string, string] {
  const [, name, value = ''] = defaultPattern.exec(text) ?? [];
  const sentence = text.replace(defaultPattern, name === undefined ? '' : ` (${name})`);
  const shown = isValue(value) ? toInlineCode(value.replaceAll('"', '')) : toMarkdown(value);
  return [toInlineCode(term), toSentence(sentence), shown];
}

/** The operands and options of a command in one table, which has a column of defaults if one of them has one. */
export function tabulateArguments(command: Command): string {
  const help = command.createHelp();
  const operands = help
    .visibleArguments(command)
    .map((argument) => toRow(help.argumentTerm(argument), help.argumentDescription(argument)));
  const options = help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .map((option) => toRow(option.flags, help.optionDescription(option)));
  const rows = [...operands, ...options];
  const columns = rows.some(([, , value]) => value !== '') ? 3 : 2;
  const name = operands.length === 0 ? 'Option' : 'Argument';
  return toTable(
    [name, 'What it does', 'Default'].slice(0, columns),
    rows.map((row) => row.slice(0, columns)),
  );
}
