import {
  byCause,
  describeIssue,
  formatPath,
  isObject,
  type Language,
  listAllowedValues,
  type Suggestions,
  similarWord,
} from '@orgchat/spec';
import type * as z from 'zod';
import { listAcceptedFields } from '../control-input/accepted-fields.ts';
import { truncate } from '../primitives/kept-text.ts';

type Issue = z.core.$ZodIssue;

/** Maximum number of problems of a body that are listed; the rest is only counted. */
const maxProblems = 20;
/** Maximum number of unknown fields of one object that the log remembers. */
const maxNames = 10;

/** A problem of a body. */
interface Problem {
  readonly issue: Issue;
  /** Whether the field was absent. */
  readonly isMissing: boolean;
  readonly suggestions: Suggestions;
}

/** The problems of a body, those first that explain others. */
export interface BodyProblems {
  readonly first: Problem;
  readonly others: readonly Problem[];
  /** Number of further problems. */
  readonly more: number;
}

const none: Suggestions = new Map();

const getField = (value: unknown, key: PropertyKey): unknown =>
  (value as Record<PropertyKey, unknown> | null | undefined)?.[key];

/** The value at a path. The fields of prototypes are not part of a body. */
function getAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isObject(value) && !Object.hasOwn(value, key) ? undefined : getField(value, key)),
    body,
  );
}

/** Finds the problems of a body, and what was probably meant. */
export function findProblems(schema: z.ZodType, error: z.ZodError, body: object): BodyProblems {
  const { issues } = error;
  const sorted = issues.length === 1 ? issues : issues.toSorted(byCause);
  const [first, ...others] = sorted.slice(0, maxProblems).map((issue): Problem => {
    const value = getAt(body, issue.path);
    const suggestions = findSuggestions(schema, issue, body, value);
    return { issue, isMissing: value === undefined, suggestions };
  });
  if (first === undefined) throw new Error('A body that is refused has a problem.');
  return { first, others, more: Math.max(0, issues.length - maxProblems) };
}

/** The problems without texts that may repeat the body, as the log keeps them. */
export const withoutTexts = ({ first, others, more }: BodyProblems): BodyProblems => ({
  first: keepProblem(first),
  others: others.map(keepProblem),
  more,
});

function keepProblem(problem: Problem): Problem {
  const { issue } = problem;
  const names = 'keys' in issue && { keys: issue.keys.slice(0, maxNames).map(truncate) };
  return { ...problem, issue: { ...issue, message: '', ...names } as Issue };
}

/** What was probably meant by unknown fields or by a value that is not allowed. */
function findSuggestions(schema: z.ZodType, issue: Issue, body: object, value: unknown): Suggestions {
  const given = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, maxNames) : [value];
  const words = given.filter((word) => typeof word === 'string' && word.length <= 100);
  if (words.length === 0) return none;
  const known =
    issue.code === 'unrecognized_keys'
      ? listOtherFields(schema, issue.path, body)
      : listAllowedValues(issue)?.filter((allowed) => typeof allowed === 'string');
  if (known === undefined || known.length === 0) return none;
  const found = words.map((word) => [word, similarWord(String(word), known as string[])] as const);
  return new Map(found.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

/** The fields that an object may have and does not have: a misspelled field was one of them. */
function listOtherFields(schema: z.ZodType, path: readonly PropertyKey[], body: object): string[] {
  const object = getAt(body, path);
  const isFree = (name: string): boolean => !isObject(object) || !Object.hasOwn(object, name);
  return (listAcceptedFields(schema, body, path) ?? []).filter(isFree);
}

/** Describes a problem in a sentence. */
export function describeBodyProblem({ issue, isMissing, suggestions }: Problem, language: Language): string {
  const [meant] = suggestions.keys();
  // Whether the field was sent matters, and its value only if something was probably meant by it.
  const value = isMissing ? undefined : issue.code === 'unrecognized_keys' ? {} : (meant ?? null);
  const body = issue.path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return describeIssue(issue, body, language, undefined, suggestions);
}

/** Describes all problems of a body for the message of an answer. */
export function describeProblems({ first, others, more }: BodyProblems, language: Language): string {
  const sentences = [first, ...others].map((problem) => describeBodyProblem(problem, language));
  if (more > 0)
    sentences.push(
      language === 'ja'
        ? `問題はほかに${more}件あります。`
        : `${more} more ${more === 1 ? 'problem' : 'problems'}.`,
    );
  return sentences.join(language === 'ja' ? '' : ' ');
}

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

/** The problems of a body, each unknown field apart. A missing field that was only misspelled is not a problem of its own. */
export function listProblems({ first, others }: BodyProblems, body: unknown): readonly BodyProblem[] {
  const all = [first, ...others];
  const misspelled = new Set(
    all.flatMap(({ issue, suggestions }) =>
      [...suggestions.values()].map((meant) => JSON.stringify([...issue.path, meant])),
    ),
  );
  return all.flatMap((problem): BodyProblem[] => {
    const { issue, suggestions } = problem;
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => describeUnknownField([...issue.path, key], body, suggestions.get(key)));
    if (problem.isMissing && misspelled.has(JSON.stringify(issue.path))) return [];
    const [didYouMean] = suggestions.values();
    return [toProblem(issue.path, body, describeBodyProblem(problem, 'en'), didYouMean)];
  });
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
  const sent = path.length === 0 ? undefined : JSON.stringify(getAt(body, path));
  return {
    path: formatPath(path),
    message,
    ...(sent !== undefined && { sent: sent.length > maxSent ? `${sent.slice(0, maxSent)}…` : sent }),
    ...(didYouMean !== undefined && { didYouMean }),
  };
}
