/*
 * The contract does not show the records of reads, nor the `result` of changes. What this package assumes of them is in
 * this file: a list is `{ records, total, limited }`, one record `{ record }`, and a record that can be changed has
 * `revision` and `label`. If an answer to a read differs, resource objects reject with `UNEXPECTED_SHAPE`, and the bare
 * operations return what the server sent. If the `result` of a change differs, it is left out: the change is applied.
 */

import { formatRequest, joinParts } from '../errors/message.ts';
import { ServerError } from '../errors/no-usable-answer.ts';
import { createInvalidInputError } from '../errors/refused.ts';
import { endpoints, type OperationName } from '../generated/endpoints.ts';
import { describeType, isObject } from '../values.ts';
import type { ApiResponse } from './call-promise.ts';

/** Creates the error for an answer without the expected shape. */
export function createUnexpectedShapeError(
  endpoint: OperationName,
  resource: string,
  { status, requestId, attempts }: Pick<ApiResponse<unknown>, 'status' | 'requestId' | 'attempts'>,
  why: string,
  reason?: string,
): ServerError {
  const code = 'UNEXPECTED_SHAPE';
  const advice = `${endpoint}() of the client returns the answer as it was sent.`;
  const where = formatRequest({ ...endpoints[endpoint], subject: resource }, code);
  const message = joinParts(why, advice, where);
  return new ServerError(message, { code, operation: endpoint, reason, status, requestId, attempts });
}

/** Returns the answer to reading a list, whose page has a list of records under a name. */
export function requirePage<P extends object>(
  endpoint: OperationName,
  resource: string,
  name: keyof P & string,
  answer: ApiResponse<P>,
): ApiResponse<P> {
  const records: unknown = answer.data[name];
  if (!Array.isArray(records)) {
    const why = `The answer has no list of ${name}. Check the base URL.`;
    throw createUnexpectedShapeError(endpoint, resource, answer, why);
  }
  const odd = records.findIndex((record) => !isObject(record));
  if (odd >= 0) {
    const why = `${name}[${odd}] must be an object; got ${describeType(records[odd])}.`;
    throw createUnexpectedShapeError(endpoint, resource, answer, why);
  }
  return answer;
}

/** Returns the answer to reading one record, reduced to the record. */
export function requireRecordAnswer<T>(
  endpoint: OperationName,
  resource: string,
  answer: ApiResponse<{ readonly record: T }>,
): ApiResponse<T> {
  const { record } = answer.data;
  if (isObject(record)) return { ...answer, data: record };
  const why = 'The answer has no record. Check the base URL.';
  throw createUnexpectedShapeError(endpoint, resource, answer, why);
}

/** Returns whether the `result` of a change has the shape that is expected for its action. */
export function isExpectedResult(action: string, result: unknown): boolean {
  if (!isObject(result)) return false;
  const hasTexts = (...names: string[]): boolean => names.every((name) => typeof result[name] === 'string');
  switch (action) {
    case 'delete-configuration':
      return hasTexts('id') && result.deleted === true;
    case 'enroll-scenario':
      return hasTexts('id', 'accountId', 'userId', 'scenarioId');
    case 'update-friend':
    case 'set-friend-tags':
      return hasTexts('accountId', 'userId', 'revision', 'label');
    default:
      return hasTexts('id', 'revision', 'label');
  }
}

/** Returns the fields that guard a change, from the record it is made from. */
export function toRecordGuard(record: { readonly revision: unknown; readonly label: unknown }): {
  expectedRevision: string;
  expectedLabel: string;
} {
  const { revision, label } = record;
  if (typeof revision === 'string' && typeof label === 'string') {
    return { expectedRevision: revision, expectedLabel: label };
  }
  throw createInvalidInputError(
    'Expected a record as it was read, with revision and label. Read it with get() first.',
  );
}
