import { byCause, describeIssue, formatPath } from '@orgchat/spec';
import type * as z from 'zod';
import { listAcceptedFields } from '../primitives/accepted-fields.ts';

type Issue = z.core.$ZodIssue;

/** Maximum number of problems in one message; the rest is only counted. */
const maxProblems = 10;

/** Whether the schema has its own message for the issue, and not the one that zod makes by default. */
const hasOwnMessage = (issue: Issue): boolean =>
  (issue.code === 'custom' || (issue.code === 'invalid_union' && !('discriminator' in issue))) &&
  issue.message !== 'Invalid input';

type Choice = z.core.$ZodIssueInvalidUnion & { readonly options: readonly unknown[] };

/** Whether the field that selects the variant of the body is missing. */
const isMissingChoice = (issue: Issue, value: unknown): issue is Choice =>
  issue.code === 'invalid_union' &&
  'options' in issue &&
  Array.isArray(issue.options) &&
  issue.path.length === 1 &&
  !Object.hasOwn(Object(value), issue.path[0] ?? '');

/** Whether a value has the wrong type for a variant as a whole. */
const isOtherType = (issues: readonly Issue[]): boolean =>
  issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0);

/** The issue within the only variant of a union that has the type of the value. */
function findVariantIssue(issue: Issue): Issue | undefined {
  if (issue.code !== 'invalid_union') return undefined;
  const [variant, ...others] = issue.errors.filter((issues) => !isOtherType(issues));
  const inner = others.length === 0 ? variant?.toSorted(byCause)[0] : undefined;
  return inner && { ...inner, path: [...issue.path, ...inner.path] };
}

/** The types that the variants of a union have, if the value has none of them. */
function findVariantTypes(issue: Issue): string[] {
  if (issue.code !== 'invalid_union' || !issue.errors.every(isOtherType)) return [];
  const issues = issue.errors.flat();
  return [...new Set(issues.flatMap((inner) => (inner.code === 'invalid_type' ? [inner.expected] : [])))];
}

function describe(issue: Issue, schema: z.ZodType, value: unknown, whole: string): string {
  const where = formatPath(issue.path) || whole;
  if (hasOwnMessage(issue)) return `${where} ${issue.message}.`;
  if (isMissingChoice(issue, value)) {
    return `${where} is required. It must be one of ${issue.options.map(String).join(', ')}.`;
  }
  const inner = findVariantIssue(issue);
  if (inner !== undefined) return describe(inner, schema, value, whole);
  const types = findVariantTypes(issue);
  if (types.length > 0) return `${where} must be of type ${types.join(' or ')}.`;
  const problem = describeIssue(issue, value, 'en', whole);
  if (issue.code !== 'unrecognized_keys') return problem;
  const accepted = listAcceptedFields(schema, value, issue.path);
  return accepted === undefined ? problem : `${problem} It accepts ${accepted.join(', ')}.`;
}

/** What is wrong with a value, and the path of the problem that is named first. */
export interface Problems {
  readonly text: string;
  readonly path: readonly PropertyKey[];
}

/** Describes the issues of a value in sentences, each with its path. `whole` names the value itself. */
export function describeIssues(
  error: z.ZodError,
  schema: z.ZodType,
  value: unknown,
  whole = 'The body',
): Problems {
  const issues = error.issues.toSorted(byCause);
  const sentences = issues.slice(0, maxProblems).map((issue) => describe(issue, schema, value, whole));
  const rest = issues.length - maxProblems;
  if (rest > 0) sentences.push(`${rest} more ${rest === 1 ? 'problem' : 'problems'}.`);
  return { text: sentences.join(' '), path: issues[0]?.path ?? [] };
}
