import { formatRequest, joinParts } from '../errors/create-errors.ts';
import { ServerError } from '../errors/no-usable-answer.ts';
import { endpoints, type OperationName } from '../generated/endpoints.ts';
import type { ApiResponse } from '../results/call-promise.ts';
import { isErrorDocument } from '../values.ts';
import type { ShapeProblem } from './shape-values.ts';

type AnswerFacts = Partial<Pick<ApiResponse<unknown>, 'data' | 'status' | 'requestId' | 'attempts'>>;

/** Creates the error for an answer without the expected shape. `why` says what is wrong, and what to do. */
export function createUnexpectedShapeError(
  endpoint: OperationName,
  resource: string | undefined,
  { status, requestId, attempts }: AnswerFacts,
  why: string,
  reason?: string,
): ServerError {
  const code = 'UNEXPECTED_SHAPE';
  const where = formatRequest({ ...endpoints[endpoint], subject: resource }, code);
  const details = { code, operation: endpoint, reason, status, requestId, attempts };
  return new ServerError(joinParts(why, where), details);
}

/** How many names of fields a message lists. */
const maxNames = 10;

/** Describes the fields of an answer by their names. A name that may be content, such as an address, is not shown. */
export function describeFields(names: readonly string[]): string {
  if (names.length === 0) return 'no fields';
  const shown = names.slice(0, maxNames).map((name) => (/^[\w-]{1,40}$/.test(name) ? name : '…'));
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  return `the fields ${shown.join(', ')}${more}`;
}

/** Says which key of the description of the server would describe what was found, with an example if there is one. */
function describeKey(key: string, example?: string): string {
  const shown = example === undefined ? '' : `, perhaps as ${JSON.stringify(example)}`;
  return `If this server is different, describe it with ${key} in the option server${shown}. orgchat doctor shows what it answers.`;
}

/** Creates the error for an answer that a key of the description of the server would describe. */
export function createUndescribedError(
  resource: string,
  answer: AnswerFacts,
  why: string,
  key: string,
  example?: string,
): ServerError {
  const advice = isErrorDocument(answer.data)
    ? 'It is an error document with the status of a success: report that to those who run the server.'
    : describeKey(key, example);
  return createUnexpectedShapeError('readChat', resource, answer, `${why} ${advice}`, key);
}

/** Creates the error for a record that was not found in a list that may have more records than it showed. */
export function createDoubtfulListError(resource: string): ServerError {
  const why = `A page of the list of ${resource} was empty, while the server said that there are more records. So a record may exist that was not found. Nothing was sent.`;
  return createUndescribedError(resource, {}, why, 'shapes.list.total');
}

/** Creates the error for a record whose data cannot be sent back. */
export function createRecordProblem(
  resource: string,
  record: object,
  { path, why }: ShapeProblem,
): ServerError {
  const { id, accountId, userId }: { id?: unknown; accountId?: unknown; userId?: unknown } = record;
  const named = id === undefined ? `${accountId} ${userId}` : `${id}`;
  return createUnexpectedShapeError(
    'readChat',
    resource,
    {},
    `The field ${path} of record ${named} of ${resource} ${why}. Nothing was sent.`,
    'not-in-contract',
  );
}
