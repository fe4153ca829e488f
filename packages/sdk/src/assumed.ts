/*
 * The contract does not show the records of reads, nor the `result` of changes. What this package assumes of them is in
 * this file: a list is `{ records, total, limited }`, one record `{ record }`, and a record that can be changed has
 * `revision` and `label`. If an answer to a read differs, resource objects reject with `UNEXPECTED_SHAPE`, and the bare
 * operations return what the server sent. If the `result` of a change differs, it is left out: the change is applied.
 */
import type { Answered } from './call-promise.ts';
import { ServerError } from './errors/failed.ts';
import { invalidInput } from './errors/refused.ts';

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The error for an answer that arrived and does not have the shape that is needed. */
export function unexpectedShape(
  path: string,
  resource: string,
  { status, requestId, attempts }: Pick<Answered<unknown>, 'status' | 'requestId' | 'attempts'>,
  why: string,
): ServerError {
  const code = 'UNEXPECTED_SHAPE';
  const message = `POST ${path} (${resource}): ${status} ${code}: ${why}`;
  return new ServerError(message, { code, status, requestId, attempts });
}

/** Names the kind of a JSON value. The value itself is content, which no error has. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

/** Returns the answer to reading a list, whose page has a list of records under a name. */
export function checkedPage<P extends object>(
  path: string,
  resource: string,
  name: keyof P & string,
  answer: Answered<P>,
): Answered<P> {
  const records: unknown = answer.data[name];
  if (!Array.isArray(records)) {
    throw unexpectedShape(path, resource, answer, `The answer has no list of ${name}.`);
  }
  const odd = records.findIndex((record) => !isObject(record));
  if (odd >= 0) {
    const why = `${name}[${odd}] is not an object but ${kindOf(records[odd])}.`;
    throw unexpectedShape(path, resource, answer, why);
  }
  return answer;
}

/** Returns the answer to reading one record, reduced to the record. */
export function checkedRecord<T>(
  path: string,
  resource: string,
  answer: Answered<{ readonly record: T }>,
): Answered<T> {
  const { record } = answer.data;
  if (isObject(record)) return { ...answer, data: record };
  throw unexpectedShape(path, resource, answer, 'The answer has no record.');
}

/** Whether the `result` of a change is what its action is assumed to give. */
export function isResultOf(action: string, result: unknown): boolean {
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

/** The guards of a change, out of the record it is made from. */
export function guardsOf(record: { readonly revision: string; readonly label: string }): {
  expectedRevision: string;
  expectedLabel: string;
} {
  const { revision, label } = record;
  if (typeof revision === 'string' && typeof label === 'string') {
    return { expectedRevision: revision, expectedLabel: label };
  }
  throw invalidInput('pass the record as read');
}
