import type { OperationName } from '@orgchat/spec';
import { type BodyProblems, describeBodyProblem } from './body-problems.ts';
import type { Cause, ExplanationInput, Explanations } from './cause.ts';
import { type Correction, findCorrection } from './find-correction.ts';
import { type ListedProblems, listProblems } from './list-problems.ts';
import { show, showPath } from './words.ts';

/* Refusals of the body. */

type BodyReason =
  | 'body-too-large'
  | 'body-not-utf8'
  | 'body-not-json'
  | 'body-not-object'
  | 'body-encoded'
  | 'content-type'
  | 'invalid-field'
  | 'foreign-cursor';

/** The clauses of an invalid input. */
const invalidInput: Readonly<Record<OperationName, string>> = {
  getAccount: '7.2.1',
  addSeoKeywords: '4.2.14',
  readChat: '4.3.28',
  changeChat: '4.4.37',
  readStudio: '4.5.37',
};

export const bodyCauses: Explanations<BodyReason> = {
  'body-too-large': {
    clause: '2.1',
    decision: 'D8',
    because: ({ cause }) => `The body is too large. Send at most ${cause.maxBytes} bytes.`,
  },
  'body-not-utf8': {
    clause: '2.1',
    decision: 'D6',
    because: () =>
      'The body has bytes that are not UTF-8. Send JSON in UTF-8, whatever the charset of the header.',
  },
  'body-not-json': {
    clause: '2.1',
    decision: 'D7',
    because: () =>
      'The body is empty or is not JSON. Send a JSON object, such as {"resource":"tags"} to read tags.',
  },
  'body-not-object': {
    clause: '2.1',
    decision: 'D7',
    because: ({ request }) => {
      const sent = request.readJson();
      const found = sent === undefined ? 'it' : show(sent);
      return `The body is JSON, but ${found} is not an object. Send a JSON object with the fields of the operation.`;
    },
  },
  'body-encoded': {
    clause: '2.1',
    decision: 'D5',
    because: ({ cause }) =>
      `The body has Content-Encoding: ${cause.encoding}, which the mock does not decode. Send plain JSON, and no Content-Encoding.`,
  },
  'content-type': {
    clause: '2.1',
    decision: 'D5',
    because: ({ cause: { sent } }) =>
      `The mock requires JSON (requireJson), and the request has ${sent === undefined ? 'no Content-Type' : `Content-Type: ${sent}`}. Send Content-Type: application/json.`,
  },
  'invalid-field': {
    clause: ({ request }) => invalidInput[request.operation ?? 'getAccount'],
    because: explainField,
    problems: (input) => {
      const correction = getCorrection(input);
      const { listed, more } = getProblems(input);
      const [first, ...others] = listed;
      if (correction?.kind !== 'value' || first === undefined) return { listed, more };
      const shown = showCorrection(correction, input.cause.problems.first);
      return { listed: [{ ...first, correction: shown }, ...others], more };
    },
  },
  'foreign-cursor': {
    clause: '4.5.37',
    decision: 'D89',
    because: () =>
      'The cursor was not issued for this list, or it was changed. Send "next" of the page before as it came, or omit cursor for the first page.',
  },
};

/** Corrections take a while to find, and do not change. */
const corrections = new WeakMap<Cause<'invalid-field'>, Correction | undefined>();

function getCorrection({ cause, request }: ExplanationInput<'invalid-field'>): Correction | undefined {
  if (corrections.has(cause)) return corrections.get(cause);
  const body = request.readJson();
  const { issue, suggestions } = cause.problems.first;
  const [meant] = suggestions.values();
  const correction = body === undefined ? undefined : findCorrection(cause.schema, body, issue, meant);
  corrections.set(cause, correction);
  return correction;
}

/** The problems of each explanation, whose sentence and list both need them. The log may lose the body until the next one. */
const listedProblems = new WeakMap<ExplanationInput<'invalid-field'>, ListedProblems>();

function getProblems(input: ExplanationInput<'invalid-field'>): ListedProblems {
  const known = listedProblems.get(input);
  if (known !== undefined) return known;
  const { cause, request } = input;
  const found = listProblems(cause.problems, cause.schema, request.readJson());
  listedProblems.set(input, found);
  return found;
}

const showField = (path: readonly PropertyKey[]): string => showPath(path) || 'the body';

/** What to do about a problem. */
function showCorrection(correction: Correction, { issue, suggestions }: BodyProblems['first']): string {
  if (correction.kind === 'value')
    return `A valid value of ${showField(correction.path)}: ${JSON.stringify(correction.value)}.`;
  const object = showField(issue.path);
  if (suggestions.size === 0) return `Omit the unknown fields of ${object}.`;
  const renames = [...suggestions].map(([name, meant]) => `${name} to ${meant}`).join(', ');
  const isAll = 'keys' in issue && issue.keys.every((name) => suggestions.has(name));
  return `Rename ${renames}${isAll ? '' : ', and omit the other unknown fields'} in ${object}.`;
}

/** Explains the first problem, and counts the others. */
function explainField(input: ExplanationInput<'invalid-field'>): string {
  const { first } = input.cause.problems;
  const { listed, more } = getProblems(input);
  const sentences = [describeBodyProblem(first, 'en')];
  const correction = getCorrection(input);
  if (correction !== undefined) sentences.push(showCorrection(correction, first));
  const explained = first.issue.code === 'unrecognized_keys' ? first.issue.keys.length : 1;
  const rest = listed.length - explained + more;
  if (rest > 0) sentences.push(`The body has ${rest} more ${rest === 1 ? 'problem' : 'problems'}.`);
  return sentences.join(' ');
}
