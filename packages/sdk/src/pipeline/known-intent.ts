import { NotFoundError } from '../errors/refused.ts';
import type { ApiResponse } from '../results/call-promise.ts';
import type { OperationHistory } from '../retry/classify.ts';
import { containsData, isSameData } from '../shapes/contains-data.ts';
import { haveSameIds } from '../shapes/ids.ts';
import { listDataFields } from '../shapes/record-problems.ts';
import type { ResponseShapes } from '../shapes/response-shapes.ts';
import type { ReadQuery } from '../types/read-query.ts';
import type { Effect } from './api-request.ts';
import { type AttemptResult, type CallContext, toReadOptions } from './call-context.ts';
import { toRecordQuery } from './stale-evidence.ts';

/*
 * The server knows a given id with other input: an earlier call with it was applied, is uncertain, or is still running,
 * perhaps on another machine. Of an id that this call made, the earlier request is its own, whose answer was lost: something
 * on the way changed the input of one of them. A guarded change differs by the revision alone if it was made from another state of the
 * record. So the record is read: if it is as this change would make it, the change is applied.
 */

/**
 * Reads the record of a change once. A creation or an enrollment has the same input each time, so a conflict says that
 * the earlier call was for something else, which no record can show to be this.
 */
export async function readEffect(
  shapes: ResponseShapes,
  read: (query: ReadQuery) => Promise<ApiResponse<object>>,
  body: string,
): Promise<Effect> {
  const { change } = JSON.parse(body);
  const { action, id, data, tagIds, expectedRevision } = change;
  if (expectedRevision === undefined) return { result: undefined, isShown: false };
  const isDeletion = action === 'delete-configuration';
  try {
    const query = toRecordQuery(change);
    const answer = await read(query);
    const record = shapes.findRecord(query, answer.data);
    if (isDeletion || !record) return { result: undefined, isShown: false };
    // An update of a configuration replaces all data: what it does not have must not be in the record.
    const hasData = () =>
      query.resource === 'friends'
        ? containsData(record, data)
        : isSameData(pickKnownData(query.resource, record), data);
    const isShown = tagIds === undefined ? hasData() : hasTags(record, tagIds);
    return { result: record, isShown };
  } catch (error) {
    const isGone = error instanceof NotFoundError && error.meaning === 'notFound';
    if (!isDeletion || !isGone) throw error;
    return { result: { id, deleted: true }, isShown: true };
  }
}

/** The data of a record, also of a type that could not be sent. */
const pickKnownData = (resource: string, record: Readonly<Record<string, unknown>>) => {
  const names = listDataFields(resource);
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
};

const hasTags = ({ tagIds }: Readonly<Record<string, unknown>>, wanted: readonly string[]): boolean =>
  Array.isArray(tagIds) && haveSameIds(tagIds.map(String), wanted);

/**
 * What is known of an operation whose id the server knows with other input, although a request with it may have arrived
 * before; undefined for any other answer.
 */
export async function findKnownIntent<T>(
  context: CallContext<T>,
  result: AttemptResult<T>,
  history: OperationHistory,
): Promise<AttemptResult<T> | undefined> {
  const { operation, request, acceptsKnownIntent } = context;
  const { findEffect, toReplay } = request;
  const isConflict = result.answer === '409 inputConflict' && history !== 'fresh';
  if (!isConflict || !operation || !findEffect || !toReplay) return undefined;
  const effect = await findEffect(operation.entry.body, toReadOptions(context)).catch(() => undefined);
  const value = toReplay(effect?.result);
  // Like a replay, it has the status of one. What the journal has as applied was applied, whoever changed it since.
  if (effect?.isShown || operation.entry.state === 'applied')
    return { answer: 'ok', value, requestId: result.requestId };
  return { ...result, answer: '409 intentKnown', value: acceptsKnownIntent ? value : undefined };
}
