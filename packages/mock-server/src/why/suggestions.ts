import { isObject, listAllowedValues, type Suggestions, similarWord } from '@orgchat/spec';
import type * as z from 'zod';
import { listAcceptedFields } from '../primitives/accepted-fields.ts';
import { getAt } from './at-path.ts';

type Issue = z.core.$ZodIssue;

/** Maximum number of unknown fields of one object for which a known one is suggested. */
export const maxSuggestedNames = 10;
const maxLength = 100;

const none: Suggestions = new Map();

/** What was probably meant by unknown fields, each by another one, or by a value that is not allowed. */
export function findSuggestions(schema: z.ZodType, issue: Issue, body: unknown): Suggestions {
  const isUnknown = issue.code === 'unrecognized_keys';
  const given = isUnknown ? issue.keys.slice(0, maxSuggestedNames) : [getAt(body, issue.path)];
  const words = given.filter((word) => typeof word === 'string').filter(({ length }) => length <= maxLength);
  if (words.length === 0) return none;
  const known = isUnknown ? listOtherFields(schema, issue.path, body) : listAllowedTexts(issue);
  const found = new Map<string, string>();
  for (const word of words) {
    const meant = similarWord(
      word,
      known.filter((name) => ![...found.values()].includes(name)),
    );
    if (meant !== undefined) found.set(word, meant);
  }
  return found.size === 0 ? none : found;
}

const listAllowedTexts = (issue: Issue): string[] =>
  (listAllowedValues(issue) ?? []).filter((allowed) => typeof allowed === 'string');

/** The fields that an object may have and does not have: a misspelled field was one of them. */
function listOtherFields(schema: z.ZodType, path: readonly PropertyKey[], body: unknown): string[] {
  const object = getAt(body, path);
  const isFree = (name: string): boolean => !isObject(object) || !Object.hasOwn(object, name);
  return (listAcceptedFields(schema, body, path) ?? []).filter(isFree);
}

/** What was probably meant by the value of an issue: the allowed value, or the object with renamed fields. */
export function applySuggestions(value: unknown, suggestions: Suggestions): unknown {
  if (!isObject(value)) return suggestions.get(String(value)) ?? value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [suggestions.get(name) ?? name, field]),
  );
}
