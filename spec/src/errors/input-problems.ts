import type * as z from 'zod';
import type { Language } from './error-catalog.ts';

type Issue = z.core.$ZodIssue;

/** Maximum number of characters of a caller's name in a message. */
const shownLength = 100;
/** Maximum number of a caller's names in a message. */
const shownNames = 10;

const shorten = (name: string): string =>
  name.length > shownLength ? `${name.slice(0, shownLength)}…` : name;

/** Lists names in a message. They come from the caller, so their number and length are limited. */
export function listNames(names: readonly string[], language: Language = 'en'): string {
  const shown = names.slice(0, shownNames).map(shorten).join(', ');
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

const units: Record<Language, Record<'string' | 'array', string>> = {
  en: { string: ' characters', array: ' items' },
  ja: { string: '文字', array: '件' },
};

function amount(issue: { origin: string }, value: number | bigint, language: Language): string {
  const unit = issue.origin === 'string' || issue.origin === 'array' ? units[language][issue.origin] : '';
  return `${value}${unit}`;
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

const allowed = (values: readonly unknown[]): string => values.map(String).join(', ');

const problems: Record<Language, (issue: Issue, missing: boolean) => string> = {
  en: (issue, missing) => {
    switch (issue.code) {
      case 'too_small':
        return `must be at least ${amount(issue, issue.minimum, 'en')}`;
      case 'too_big':
        return `must be at most ${amount(issue, issue.maximum, 'en')}`;
      case 'unrecognized_keys':
        return `has unknown fields: ${listNames(issue.keys, 'en')}`;
      case 'invalid_type':
        return missing ? 'is required' : `must be of type ${issue.expected}`;
      case 'invalid_value':
        return `must be one of ${allowed(issue.values)}`;
      case 'invalid_format':
        return 'does not have the required format';
      case 'invalid_union':
        if (missing) return 'is required';
        return discriminators(issue).length === 0
          ? 'is not valid'
          : `must be one of ${allowed(discriminators(issue))}`;
      default:
        return 'is not valid';
    }
  },
  ja: (issue, missing) => {
    switch (issue.code) {
      case 'too_small':
        return `${amount(issue, issue.minimum, 'ja')}以上でなければなりません`;
      case 'too_big':
        return `${amount(issue, issue.maximum, 'ja')}以下でなければなりません`;
      case 'unrecognized_keys':
        return `不明な項目があります: ${listNames(issue.keys, 'ja')}`;
      case 'invalid_type':
        return missing ? '必須です' : `${issue.expected}型でなければなりません`;
      case 'invalid_value':
        return `${allowed(issue.values)}のいずれかでなければなりません`;
      case 'invalid_format':
        return '形式が正しくありません';
      case 'invalid_union':
        if (missing) return '必須です';
        return discriminators(issue).length === 0
          ? '正しくありません'
          : `${allowed(discriminators(issue))}のいずれかでなければなりません`;
      default:
        return '正しくありません';
    }
  },
};

/** Describes the first problem of a body for the message of a 400: its path and what is required there. */
export function describeProblem(error: z.ZodError, body: unknown, language: Language): string {
  const issue = error.issues[0];
  return issue === undefined ? '' : describeIssue(issue, body, language);
}

/** Describes one problem of a body: its path and what is required there. */
export function describeIssue(issue: Issue, body: unknown, language: Language): string {
  const where = formatPath(issue.path);
  const problem = problems[language](issue, valueAt(body, issue.path) === undefined);
  if (language === 'ja') return where === '' ? `${problem}。` : `${where}: ${problem}。`;
  return where === '' ? `The body ${problem}.` : `${where} ${problem}.`;
}
