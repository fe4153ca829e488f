import type * as z from 'zod';
import { patterns } from '../patterns.ts';
import { notTextFormat } from '../primitives.ts';
import type { Language } from './error-catalog.ts';

type Issue = z.core.$ZodIssue;

/** Maximum number of characters of a caller's name in a message. */
const shownLength = 100;
/** Maximum number of a caller's names in a message. */
const shownNames = 10;

const shorten = (name: string): string =>
  name.length > shownLength ? `${name.slice(0, shownLength)}…` : name;

/** The known word that was probably meant, by the word that was sent: a name of a field, or a value. */
export type Suggestions = ReadonlyMap<string, string>;

const noSuggestions: Suggestions = new Map();

/** ` (did you mean color?)`; empty without a suggestion. */
function suggest(word: unknown, suggestions: Suggestions, language: Language): string {
  const known = typeof word === 'string' ? suggestions.get(word) : undefined;
  if (known === undefined) return '';
  return language === 'ja' ? `（${known}のことですか？）` : ` (did you mean ${known}?)`;
}

/** Lists names in a message. They come from the caller, so their number and length are limited. */
export function listNames(
  names: readonly string[],
  language: Language = 'en',
  suggestions: Suggestions = noSuggestions,
): string {
  const shown = names
    .slice(0, shownNames)
    .map((name) => `${shorten(name)}${suggest(name, suggestions, language)}`)
    .join(', ');
  const rest = names.length - shownNames;
  if (rest <= 0) return shown;
  return language === 'ja' ? `${shown}、ほか${rest}件` : `${shown} and ${rest} more`;
}

/** Formats a path in JSON: `change.data.steps[0].text`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((written, key) => {
    if (typeof key === 'number') return `${written}[${key}]`;
    const name = shorten(String(key));
    return written === '' ? name : `${written}.${name}`;
  }, '');
}

type SizeIssue = z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig;

/** What a size counts, for one and for several. A number counts nothing. */
const units: Readonly<Record<string, readonly [one: string, several: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
};

/** `must have at least 1 character`, `must be at most 500`. */
function describeSize(issue: SizeIssue): string {
  const isMinimum = issue.code === 'too_small';
  const value = isMinimum ? issue.minimum : issue.maximum;
  const unit = units[issue.origin]?.[Number(value) === 1 ? 0 : 1];
  if (unit === undefined) return `must be ${isMinimum ? 'at least' : 'at most'} ${value}`;
  return `must have ${isMinimum ? 'at least' : 'at most'} ${value} ${unit}`;
}

const japaneseUnits: Readonly<Record<string, string>> = { string: '文字', array: '件' };

function describeSizeInJapanese(issue: SizeIssue): string {
  const isMinimum = issue.code === 'too_small';
  const value = isMinimum ? issue.minimum : issue.maximum;
  return `${value}${japaneseUnits[issue.origin] ?? ''}${isMinimum ? '以上' : '以下'}でなければなりません`;
}

/** The value at an issue's path in the body. */
function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    body,
  );
}

/** The values a union is selected by. */
function discriminators(issue: z.core.$ZodIssueInvalidUnion): readonly unknown[] {
  return 'options' in issue && Array.isArray(issue.options) ? issue.options : [];
}

/** `must be one of a, b`; a single value is not a choice. */
const allowed = (values: readonly unknown[]): string => {
  const listed = values.map(String).join(', ');
  return values.length === 1 ? `must be ${listed}` : `must be one of ${listed}`;
};

const allowedInJapanese = (values: readonly unknown[]): string =>
  `${values.map(String).join(', ')}${values.length === 1 ? '' : 'のいずれか'}でなければなりません`;

/** What an issue is described with. */
interface Described {
  readonly isMissing: boolean;
  /** The value at its path. */
  readonly value: unknown;
  readonly suggestions: Suggestions;
}

const formatNames: ReadonlyMap<string, string> = new Map([
  [String(patterns.uuid), 'a UUID, 8-4-4-4-12 hexadecimal digits'],
  [String(patterns.friendId), 'U and 32 lowercase hexadecimal digits'],
  [String(patterns.revision), '64 lowercase hexadecimal digits'],
  ['/^#[0-9a-fA-F]{6}$/', '# and 6 hexadecimal digits'],
  ['/^([01]\\d|2[0-3]):[0-5]\\d$/', 'HH:MM on the 24-hour clock'],
]);

/** Which format a text must have, in parentheses. */
function showFormat(issue: z.core.$ZodIssueInvalidStringFormat): string {
  if (issue.pattern === undefined) return issue.format === 'url' ? ' (a URL)' : '';
  return ` (${formatNames.get(issue.pattern) ?? issue.pattern})`;
}

const problems: Record<Language, (issue: Issue, described: Described) => string> = {
  en: (issue, { isMissing, value, suggestions }) => {
    switch (issue.code) {
      case 'too_small':
      case 'too_big':
        return describeSize(issue);
      case 'unrecognized_keys':
        return `has unknown fields: ${listNames(issue.keys, 'en', suggestions)}`;
      case 'invalid_type':
        if (isMissing) return 'is required';
        return issue.expected === 'int' ? 'must be an integer' : `must be of type ${issue.expected}`;
      case 'invalid_value':
        return `${isMissing ? 'is required and ' : ''}${allowed(issue.values)}${suggest(value, suggestions, 'en')}`;
      case 'invalid_format':
        return issue.format === notTextFormat
          ? 'has U+0000 or half of a surrogate pair, which no text has'
          : `does not have the required format${showFormat(issue)}`;
      case 'invalid_union':
        if (isMissing) return 'is required';
        return discriminators(issue).length === 0
          ? 'is not valid'
          : `${allowed(discriminators(issue))}${suggest(value, suggestions, 'en')}`;
      default:
        return 'is not valid';
    }
  },
  ja: (issue, { isMissing, value, suggestions }) => {
    switch (issue.code) {
      case 'too_small':
      case 'too_big':
        return describeSizeInJapanese(issue);
      case 'unrecognized_keys':
        return `不明な項目があります: ${listNames(issue.keys, 'ja', suggestions)}`;
      case 'invalid_type':
        if (isMissing) return '必須です';
        return `${issue.expected === 'int' ? '整数' : `${issue.expected}型`}でなければなりません`;
      case 'invalid_value':
        return `${isMissing ? '必須で、' : ''}${allowedInJapanese(issue.values)}${suggest(value, suggestions, 'ja')}`;
      case 'invalid_format':
        return issue.format === notTextFormat
          ? 'U+0000またはサロゲートペアの片方が含まれています'
          : '形式が正しくありません';
      case 'invalid_union':
        if (isMissing) return '必須です';
        return discriminators(issue).length === 0
          ? '正しくありません'
          : `${allowedInJapanese(discriminators(issue))}${suggest(value, suggestions, 'ja')}`;
      default:
        return '正しくありません';
    }
  },
};

/** Sorts unknown fields first: a misspelled field is the likely cause of a missing one. */
export const byCause = (one: Issue, other: Issue): number =>
  Number(other.code === 'unrecognized_keys') - Number(one.code === 'unrecognized_keys');

/** The values that an issue allows; undefined if they cannot be listed. */
export function listAllowedValues(issue: Issue): readonly unknown[] | undefined {
  if (issue.code === 'invalid_value') return issue.values;
  return issue.code === 'invalid_union' ? discriminators(issue) : undefined;
}

/** Describes one problem of a body: its path and what is required there. `whole` names the body itself in English. */
export function describeIssue(
  issue: Issue,
  body: unknown,
  language: Language,
  whole = 'The body',
  suggestions = noSuggestions,
): string {
  if (language === 'en') return `${describeIssueBriefly(issue, body, whole, suggestions)}.`;
  const where = formatPath(issue.path);
  const problem = problems.ja(issue, describe(issue, body, suggestions));
  return where === '' ? `${problem}。` : `${where}: ${problem}。`;
}

/** Describes one problem of a body in English, without a period, for a list of them. */
export function describeIssueBriefly(
  issue: Issue,
  body: unknown,
  whole: string,
  suggestions = noSuggestions,
): string {
  const problem = problems.en(issue, describe(issue, body, suggestions));
  return `${formatPath(issue.path) || whole} ${problem}`;
}

function describe(issue: Issue, body: unknown, suggestions: Suggestions): Described {
  const value = valueAt(body, issue.path);
  return { isMissing: value === undefined, value, suggestions };
}
