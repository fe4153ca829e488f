import { formatPath } from '@orgchat/spec';
import type * as z from 'zod';
import { startOfJson } from '../primitives/bounded-json.ts';
import { getAt, setAt } from './at-path.ts';
import {
  type BodyProblems,
  createProblem,
  describeBodyProblem,
  maxProblems,
  type Problem,
} from './body-problems.ts';
import { applySuggestions } from './suggestions.ts';

/** A problem of a body as the request log shows it. */
export interface BodyProblem {
  /** The path in the body, such as `change.data.colour`; empty for the body itself. */
  readonly path: string;
  /** What is wrong there, in a sentence. */
  readonly message: string;
  /** The value that was sent, as JSON; its start if it is long. Absent if it is missing, or the log no longer has it. */
  readonly sent?: string;
  /** The known field or value that was probably meant. */
  readonly didYouMean?: string;
  /** What would be valid, in a sentence; of the first problem. */
  readonly correction?: string;
}

/** The problems of a body that are listed, and the number of further ones. */
export interface ListedProblems {
  readonly listed: readonly BodyProblem[];
  readonly more: number;
}

/**
 * Lists the problems of a body, each unknown field apart. A missing field that was only misspelled is not a problem of its
 * own, but its value may be. `body` is undefined if the log does not have it.
 */
export function listProblems(
  { first, others, more }: BodyProblems,
  schema: z.ZodType,
  body: unknown,
): ListedProblems {
  const all = [first, ...others];
  const misspelled = new Set(
    all.flatMap(({ issue, suggestions }) =>
      issue.code === 'unrecognized_keys'
        ? [...suggestions.values()].map((meant) => toKey([...issue.path, meant]))
        : [],
    ),
  );
  const shown = all.filter(({ issue, isMissing }) => !isMissing || !misspelled.has(toKey(issue.path)));
  const found = shown.flatMap((problem) => describeAll(problem, body));
  if (body !== undefined && shown.some(({ suggestions }) => suggestions.size > 0)) {
    const meant = shown.reduce(correctSpelling, body);
    // Those that are only counted are known as well.
    const counted =
      more === 0 ? [] : findIssues(schema, body).filter(({ path }) => !misspelled.has(toKey(path)));
    const known = [...shown.map(({ issue }) => issue), ...counted];
    found.push(...findHidden(known, schema, meant).flatMap((problem) => describeAll(problem, meant)));
  }
  return { listed: found.slice(0, maxProblems), more: more + Math.max(0, found.length - maxProblems) };
}

const toKey = (path: readonly PropertyKey[]): string => JSON.stringify(path);

/** The body with what was probably meant at the place of a problem. */
const correctSpelling = (body: unknown, { issue: { path }, suggestions }: Problem): unknown =>
  suggestions.size === 0 ? body : setAt(body, path, applySuggestions(getAt(body, path), suggestions));

/**
 * The problems that are left if what was probably meant is sent: of the values of misspelled fields, and of the fields of
 * a misspelled variant.
 */
function findHidden(known: readonly z.core.$ZodIssue[], schema: z.ZodType, meant: unknown): Problem[] {
  const paths = new Set(known.map(({ path }) => toKey(path)));
  return findIssues(schema, meant)
    .filter(({ path }) => !paths.has(toKey(path)))
    .map((issue) => createProblem(schema, issue, meant));
}

const findIssues = (schema: z.ZodType, body: unknown): readonly z.core.$ZodIssue[] =>
  schema.safeParse(body).error?.issues ?? [];

function describeAll(problem: Problem, body: unknown): BodyProblem[] {
  const { issue, suggestions } = problem;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => describeUnknownField([...issue.path, key], body, suggestions.get(key)));
  const [didYouMean] = suggestions.values();
  return [toProblem(issue.path, body, describeBodyProblem(problem, 'en'), didYouMean)];
}

function describeUnknownField(
  path: readonly PropertyKey[],
  body: unknown,
  meant: string | undefined,
): BodyProblem {
  const name = formatPath(path.slice(-1));
  const object = formatPath(path.slice(0, -1)) || 'The body';
  const message =
    meant === undefined
      ? `${object} has no field ${name}: omit it.`
      : `${object} has no field ${name}: rename ${name} to ${meant}.`;
  return toProblem(path, body, message, meant);
}

/** Maximum number of characters that are shown of a value. */
const maxSent = 80;

function toProblem(
  path: readonly PropertyKey[],
  body: unknown,
  message: string,
  didYouMean: string | undefined,
): BodyProblem {
  const sent = path.length === 0 ? undefined : startOfJson(getAt(body, path), maxSent + 1);
  return {
    path: formatPath(path),
    message,
    ...(sent !== undefined && { sent: sent.length > maxSent ? `${sent.slice(0, maxSent)}…` : sent }),
    ...(didYouMean !== undefined && { didYouMean }),
  };
}
