import { byCause, describeIssue, type Language, type Suggestions } from '@orgchat/spec';
import type * as z from 'zod';
import { truncate } from '../primitives/kept-text.ts';
import { getAt } from './at-path.ts';
import { findSuggestions, maxSuggestedNames } from './suggestions.ts';

type Issue = z.core.$ZodIssue;

/** Maximum number of problems of a body that are listed; the rest is only counted. */
export const maxProblems = 20;

/** A problem of a body. */
export interface Problem {
  readonly issue: Issue;
  /** Whether the field was absent. */
  readonly isMissing: boolean;
  readonly suggestions: Suggestions;
}

/** The problems of a body, those first that explain others. */
export interface BodyProblems {
  readonly first: Problem;
  readonly others: readonly Problem[];
  /** Number of further problems. Of those that the log keeps, each unknown field that it does not name is one. */
  readonly more: number;
}

/** Finds the problems of a body, and what was probably meant. */
export function findProblems(schema: z.ZodType, error: z.ZodError, body: object): BodyProblems {
  const { issues } = error;
  const sorted = issues.length === 1 ? issues : issues.toSorted(byCause);
  const [first, ...others] = sorted.slice(0, maxProblems).map((issue) => createProblem(schema, issue, body));
  if (first === undefined) throw new Error('A body that is refused has a problem.');
  return { first, others, more: Math.max(0, issues.length - maxProblems) };
}

export const createProblem = (schema: z.ZodType, issue: Issue, body: unknown): Problem => ({
  issue,
  isMissing: getAt(body, issue.path) === undefined,
  suggestions: findSuggestions(schema, issue, body),
});

/** The problems without texts that may repeat the body, as the log keeps them. */
export const withoutTexts = ({ first, others, more }: BodyProblems): BodyProblems => ({
  first: keepProblem(first),
  others: others.map(keepProblem),
  more: more + [first, ...others].reduce((sum, { issue }) => sum + countDroppedNames(issue), 0),
});

const countDroppedNames = (issue: Issue): number =>
  issue.code === 'unrecognized_keys' ? Math.max(0, issue.keys.length - maxSuggestedNames) : 0;

function keepProblem(problem: Problem): Problem {
  const { issue } = problem;
  const names = 'keys' in issue && { keys: issue.keys.slice(0, maxSuggestedNames).map(truncate) };
  return { ...problem, issue: { ...issue, message: '', ...names } as Issue };
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
