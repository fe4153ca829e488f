import { type CliError, invalidInputError, usageError } from '../errors/cli-error.ts';
import { isJson } from '../input/json.ts';
import { separators } from './parse-csv.ts';

export const inputKinds = ['text', 'csv', 'jsonl'] as const;
export type InputKind = (typeof inputKinds)[number];

interface InputOptions {
  readonly input?: InputKind | undefined;
  readonly column?: string | undefined;
}

const importHint =
  'Say what it is: --input jsonl or --input csv. If it is a plain list, one keyword per line: --input text';
const addHint =
  'If it is a plain list, one keyword per line: orgchat keywords import SITE - --input text. Otherwise import it as csv or jsonl.';

/** Names of files that are neither plain lists nor CSV nor JSON lines. */
const otherNames = /\.(?:json[5c]?|ya?ml|tsv|tab|xlsx?|xlsm|ods|xml|html?)$/i;

/** The format of an import: from `--input`, otherwise from the name of the file. Throws if that is not certain. */
export function findInputKind(file: string, text: string, { input, column }: InputOptions): InputKind {
  const kind = input ?? guessKind(file);
  if (kind === 'text' && column !== undefined)
    throw usageError(
      '--column is for CSV and JSON lines, but the input is read as text.',
      'Pass --input csv or --input jsonl, or remove --column.',
    );
  if (input === undefined && kind !== 'jsonl') refuseOtherFormat(text, kind, importHint);
  return kind;
}

function guessKind(file: string): InputKind {
  if (/\.csv$/i.test(file)) return 'csv';
  if (/\.(?:jsonl|ndjson)$/i.test(file)) return 'jsonl';
  const [ending] = otherNames.exec(file) ?? [];
  if (ending === undefined) return 'text';
  throw usageError(
    `${file}: a name that ends in ${ending} does not say how the keywords are written. Nothing was sent.`,
    importHint,
    'INVALID_INPUT',
  );
}

/** Throws if a list on standard input, of which nothing says what it is, may be something else than one keyword per line. */
export const requirePlainList = (text: string): void => refuseOtherFormat(text, 'text', addHint);

interface Line {
  readonly text: string;
  /** From 1. */
  readonly number: number;
}

/** The API cannot remove what would be added by mistake, such as the brackets of a JSON array. */
function refuseOtherFormat(text: string, kind: 'text' | 'csv', hint: string): void {
  const lines = text
    .split(/\r\n|[\r\n]/)
    .map((line, index): Line => ({ text: line.trim(), number: index + 1 }))
    .filter((line) => line.text !== '');
  const [first] = lines;
  if (first === undefined) return;
  if (looksLikeJson(first.text, kind)) throw otherFormatError(first, 'JSON', hint);
  if (/^<[!?a-z]/i.test(first.text)) throw otherFormatError(first, 'HTML or XML', hint);
  if (kind === 'csv') return;
  if (lines.length > 1 && isCsvHead(first.text)) throw otherFormatError(first, 'the head of a CSV', hint);
  const item = lines.find((line) => isListItem(line.text));
  if (item !== undefined && lines.every((line) => isListItem(line.text) || isYamlMark(line.text)))
    throw otherFormatError(item, 'an item of a YAML or Markdown list', hint);
}

/** A cell of a CSV may be quoted; a keyword such as 2024 is JSON as well, but means the same. */
const looksLikeJson = (line: string, kind: 'text' | 'csv'): boolean =>
  /^[[{]/.test(line) || (kind === 'text' && line.startsWith('"') && isJson(line.replace(/,$/, '')));

const separator = new RegExp(`[${separators.join('')}]`);

const isCsvHead = (line: string): boolean =>
  line.split(separator).some((cell) => /^"?keyword"?$/i.test(cell.trim()));

const isListItem = (line: string): boolean => /^[-*•]\s/.test(line);
/** What a YAML list has beside its items: a comment, the begin of a document, a key. */
const isYamlMark = (line: string): boolean => /^(?:#.*|%.*|---|[\w-]+:)$/.test(line);

const otherFormatError = ({ number }: Line, what: string, hint: string): CliError =>
  invalidInputError(`Line ${number} looks like ${what}, not like a keyword. Nothing was sent.`, hint, {
    line: number,
  });
