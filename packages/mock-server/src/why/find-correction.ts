import type * as z from 'zod';
import { getAt, setAt } from './at-path.ts';
import { applySuggestions, findSuggestions } from './suggestions.ts';

type Issue = z.core.$ZodIssue;

/** Texts of which one fits every pattern of the contract. */
const texts = [
  'a',
  '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21',
  'U0123456789abcdef0123456789abcdef',
  '3f0a9c1be0b7d4c86a52f1e79d3b80f4c6a1d25e7b9038fc41ad6e5b0297c3d1',
  'https://example.com/',
  '#1f6feb',
  '09:30',
];

/** More than any body of the contract needs to be completed. */
const mostRounds = 100;

/** What to send instead of an invalid field: a value at a path, or nothing. */
export type Correction =
  | { readonly kind: 'value'; readonly path: readonly PropertyKey[]; readonly value: unknown }
  | { readonly kind: 'omit' };

/**
 * Finds a value with which the field of an issue is valid, by trying: the schema itself says what is valid. If the field
 * selects a variant that needs other fields, the value is that of the object around it. `meant` is the allowed value that
 * was probably meant: then no other is found. Undefined if none is found.
 */
export function findCorrection(
  schema: z.ZodType,
  sent: unknown,
  issue: Issue,
  meant?: string,
): Correction | undefined {
  if (issue.code === 'unrecognized_keys') return { kind: 'omit' };
  const body = meant === undefined ? sent : setAt(sent, issue.path, meant);
  const corrected = correctBelow(schema, body, issue.path);
  if (corrected === undefined || issue.code !== 'invalid_union') return corrected;
  const around = issue.path.slice(0, -1);
  const rest = problems(schema, setAt(body, issue.path, corrected.value));
  return rest.some(({ path }) => isBelow(path, around)) ? correctBelow(schema, body, around) : corrected;
}

/** Corrects every problem at a path or below it; others may be left. */
function correctBelow(
  schema: z.ZodType,
  body: unknown,
  path: readonly PropertyKey[],
): Extract<Correction, { kind: 'value' }> | undefined {
  let corrected = body;
  for (let round = 0; round < mostRounds; round++) {
    const issue = problems(schema, corrected).find((problem) => isBelow(problem.path, path));
    if (issue === undefined) return { kind: 'value', path, value: getAt(corrected, path) };
    const next = correct(schema, corrected, issue);
    if (next === undefined) return undefined;
    corrected = next;
  }
  return undefined;
}

/** The body with what was probably meant, or with the candidate that leaves the fewest problems. */
function correct(schema: z.ZodType, body: unknown, issue: Issue): unknown {
  let best: { readonly body: unknown; readonly count: number } | undefined;
  for (const candidate of listCandidates(schema, body, issue)) {
    const changed = setAt(body, issue.path, candidate);
    const count = problems(schema, changed).length;
    if (best === undefined || count < best.count) best = { body: changed, count };
    if (count === 0) break;
  }
  return best?.body;
}

const problems = (schema: z.ZodType, body: unknown): readonly Issue[] =>
  schema.safeParse(body).error?.issues ?? [];

function listCandidates(schema: z.ZodType, body: unknown, issue: Issue): readonly unknown[] {
  const found = getAt(body, issue.path);
  const suggestions = findSuggestions(schema, issue, body);
  if (suggestions.size > 0) return [applySuggestions(found, suggestions)];
  switch (issue.code) {
    case 'invalid_type':
      return byType[issue.expected] ?? [null];
    case 'too_small':
      if (Array.isArray(found))
        return [[...found, ...Array(Number(issue.minimum) - found.length).fill(null)]];
      return issue.origin === 'string' ? texts : [Number(issue.minimum), Number(issue.minimum) + 1];
    case 'too_big':
      if (Array.isArray(found)) return [found.slice(0, Number(issue.maximum))];
      return issue.origin === 'string' ? texts : [Number(issue.maximum)];
    case 'invalid_value':
      return issue.values;
    case 'unrecognized_keys':
      return [omitKeys(found, issue.keys)];
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options) ? issue.options : [null, ...texts, {}, []];
    default:
      return [...texts, null];
  }
}

const byType: Readonly<Record<string, readonly unknown[]>> = {
  string: texts,
  number: [0, 1],
  int: [0, 1],
  boolean: [false],
  array: [[]],
  object: [{}],
  null: [null],
};

const omitKeys = (value: unknown, keys: readonly string[]): unknown =>
  Object.fromEntries(Object.entries(value as object).filter(([name]) => !keys.includes(name)));

const isBelow = (path: readonly PropertyKey[], above: readonly PropertyKey[]): boolean =>
  above.every((key, i) => path[i] === key);
