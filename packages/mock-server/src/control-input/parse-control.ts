import { describeIssue, formatPath } from '@orgchat/spec';
import type * as z from 'zod';
import { listAcceptedFields } from './accepted-fields.ts';
import { invalid } from './control-error.ts';

/** Maximum number of problems in one message; the rest is only counted. */
const maxProblems = 10;

/** Whether the schema has its own message for the issue. */
const hasOwnMessage = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'custom' ||
  (issue.code === 'invalid_union' && !('discriminator' in issue) && issue.message !== 'Invalid input');

/** Sorts unknown fields first: a misspelled field is the likely cause of a missing one. */
const byCause = (one: z.core.$ZodIssue, other: z.core.$ZodIssue): number =>
  Number(other.code === 'unrecognized_keys') - Number(one.code === 'unrecognized_keys');

function describeControlIssue(issue: z.core.$ZodIssue, schema: z.ZodType, value: unknown): string {
  if (hasOwnMessage(issue)) return `${formatPath(issue.path)} ${issue.message}.`;
  if (isMissingChoice(issue, value)) {
    return `${formatPath(issue.path)} is required. It must be one of ${issue.options.map(String).join(', ')}.`;
  }
  const problem = describeIssue(issue, value, 'en');
  if (issue.code !== 'unrecognized_keys') return problem;
  const accepted = listAcceptedFields(schema, value, issue.path);
  return accepted === undefined ? problem : `${problem} It accepts ${accepted.join(', ')}.`;
}

type Choice = z.core.$ZodIssueInvalidUnion & { readonly options: readonly unknown[] };

/** Whether the field that selects the variant of the body is missing. */
const isMissingChoice = (issue: z.core.$ZodIssue, value: unknown): issue is Choice =>
  issue.code === 'invalid_union' &&
  'options' in issue &&
  Array.isArray(issue.options) &&
  issue.path.length === 1 &&
  !Object.hasOwn(Object(value), issue.path[0] ?? '');

/** Parses a value by a schema; throws a `ControlError` 400 that lists every problem with its path. */
export function parseControl<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.toSorted(byCause);
  const problems = issues.slice(0, maxProblems).map((issue) => describeControlIssue(issue, schema, value));
  const rest = issues.length - maxProblems;
  throw invalid([...problems, ...(rest > 0 ? [`${rest} more problems.`] : [])].join(' '));
}
