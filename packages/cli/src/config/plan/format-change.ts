import { diffArrays } from 'diff';
import { escapeLine } from '../../output/escape.ts';
import type { FieldChange } from './compare-data.ts';

/*
 * Formats the fields of a step for people. Values that will be sent are shown in full; only unchanged parts are
 * shortened.
 */

/** The name of the record with an id. */
export type FindName = (id: string) => string | undefined;

/** Longer texts are shown on lines of their own, the old one above the new one. */
const shortText = 60;
/** Characters, or lines, that are shown around a difference. */
const contextCharacters = 40;
const contextLines = 3;

/** Whether a path is a reference; elsewhere a text that looks like an id is a text. */
const isReference = (path: string): boolean => /Id$|Ids(\[\d+\])?$/.test(path);

function replaceIdByName(path: string, text: string, findName: FindName): string {
  if (isReference(path)) return findName(text) ?? text;
  if (!path.endsWith('uri')) return text;
  return text.replace(/^\{link:(.+)\}$/, (_, id: string) => `{link:${findName(id) ?? id}}`);
}

/** A value on one line. */
function formatValue(path: string, value: unknown, findName: FindName): string {
  if (value === null || value === undefined) return 'nothing';
  const withNames = (part: unknown): unknown =>
    Array.isArray(part)
      ? part.map(withNames)
      : typeof part === 'string'
        ? replaceIdByName(path, part, findName)
        : part;
  return escapeLine(JSON.stringify(withNames(value)));
}

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;
const isText = (value: unknown): value is string => typeof value === 'string';
const isLongText = (value: unknown): value is string => isText(value) && /\n./.test(value);

/** A line of a text, behind a bar that sets it apart from the lines of the plan: a text cannot pass for one of them. */
const textLine = (line: string): string => `| ${escapeLine(line)}`;

/** All of a value, a line for each field in it. */
export function formatValueLines(path: string, value: unknown, findName: FindName): string[] {
  if (isLongText(value)) return [`${path}:`, ...value.split('\n').map((line) => `  ${textLine(line)}`)];
  if (isScalar(value) || (Array.isArray(value) && value.every(isScalar)))
    return [`${path}: ${formatValue(path, value, findName)}`];
  const parts: [string, unknown][] = Array.isArray(value)
    ? value.map((item: unknown, index) => [`${path}[${index}]`, item])
    : Object.entries(value as object).map(([name, part]) => [`${path}.${name}`, part]);
  if (parts.length === 0) return [`${path}: ${JSON.stringify(value)}`];
  return parts.flatMap(([partPath, part]) => formatValueLines(partPath, part, findName));
}

/** An explanation behind a line; nothing if it is empty. */
export const inParentheses = (text: string): string => (text === '' ? '' : `   (${text})`);

/** A changed field on one line: `color: "pink" → "green"   (changed in the file)`. Of long texts what differs. */
export function formatChangeLine({ path, from, to }: FieldChange, why: string, findName: FindName): string {
  const [one, other] = isText(from) && isText(to) && !isReference(path) ? excerpts(from, to) : [from, to];
  return `${path}: ${formatValue(path, one, findName)} → ${formatValue(path, other, findName)}${inParentheses(why)}`;
}

/** The lines of a changed field; `mark` gets the sign of a line and the line. */
export function formatChangeLines(
  change: FieldChange,
  why: string,
  findName: FindName,
  mark: (sign: '+' | '-' | ' ', line: string) => string,
): string[] {
  const { path, from, to } = change;
  if (from === null || to === null) {
    const lines = formatValueLines(path, from ?? to, findName);
    return lines.map((line, index) =>
      mark(from === null ? '+' : '-', `${line}${index === 0 ? inParentheses(why) : ''}`),
    );
  }
  if (isText(from) && isText(to) && (isLongText(from) || isLongText(to)))
    return [
      `${path}:${inParentheses(why)}`,
      ...textDifference(from, to).map(([sign, line]) => mark(sign, line)),
    ];
  const isLong = isText(from) && isText(to) && from.length + to.length > 2 * shortText;
  if (!isLong && isScalar(from) && isScalar(to)) return [formatChangeLine(change, why, findName)];
  const [one, other] = isLong ? excerpts(from, to) : [from, to];
  return [
    `${path}:${inParentheses(why)}`,
    mark('-', formatValue(path, one, findName)),
    mark('+', formatValue(path, other, findName)),
  ];
}

type SignedLine = readonly [sign: '+' | '-' | ' ', line: string];

/** Two texts line by line, with a few lines around each difference. */
function textDifference(from: string, to: string): SignedLine[] {
  const parts = diffArrays(from.split('\n'), to.split('\n'));
  return parts.flatMap((part, index): SignedLine[] => {
    const lines = part.value.map(textLine);
    if (part.added || part.removed) return lines.map((line) => [part.added ? '+' : '-', line]);
    const atStart = index === 0 ? 0 : contextLines;
    const atEnd = index === parts.length - 1 ? 0 : contextLines;
    const left = lines.length - atStart - atEnd;
    const same = (some: readonly string[]): SignedLine[] => some.map((line) => [' ', line]);
    if (left <= 1) return same(lines);
    const note = `… ${left} unchanged lines`;
    return [...same(lines.slice(0, atStart)), [' ', note], ...same(lines.slice(lines.length - atEnd))];
  });
}

/** Shortens the common start and end of two texts. */
function excerpts(from: string, to: string): readonly [string, string] {
  // By characters as people see them, so that none is taken apart.
  const [one, other] = [segments(from), segments(to)];
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start++;
  let end = 0;
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const cut = (text: readonly string[]): string => {
    const left = start > contextCharacters + 20 ? start - contextCharacters : 0;
    const right = end > contextCharacters + 20 ? end - contextCharacters : 0;
    const kept = text.slice(left, text.length - right).join('');
    return `${left > 0 ? '…' : ''}${kept}${right > 0 ? '…' : ''}`;
  };
  return [cut(one), cut(other)];
}

const segments = (text: string): string[] =>
  Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
