import { OrgChatError } from '../errors/base.ts';
import { OutcomeUnknownError } from '../errors/outcome-unknown.ts';
import { isRepeatable } from '../errors/repeatable.ts';
import type { IntentPart } from '../options/options.ts';
import { isObject } from '../values.ts';

/** What each item is run with. */
export interface BulkItemContext {
  /** The index of the item among all items, from 0. */
  readonly index: number;
  /**
   * Pass it to the change of the item: then `resume()` and a repeated run change nothing twice. If an item makes several
   * changes, append a word for each, such as `[...intent, 'enroll']`.
   */
  readonly intent: readonly IntentPart[];
  readonly signal: AbortSignal | undefined;
}

/** The result of an item whose function returned. */
export interface BulkValue<T, R> {
  readonly item: T;
  readonly status: 'done';
  readonly value: R;
  readonly error?: undefined;
}

/** The result of one item. */
export type BulkResult<T, R> =
  | BulkValue<T, R>
  /**
   * If the `outcome` of the error, or of a cause of it, is `applied`, and the change has no intent, `resume()` does not run
   * the item again. With the code `ITEM_UNFINISHED`, it found so itself.
   */
  | { readonly item: T; readonly status: 'failed'; readonly value?: undefined; readonly error: unknown }
  | {
      readonly item: T;
      readonly status: 'unknown';
      readonly value?: undefined;
      /** What the item's function threw, or what is among the causes of it. */
      readonly error: OutcomeUnknownError;
    }
  /** Not started, because the signal aborted the run. */
  | { readonly item: T; readonly status: 'skipped'; readonly value?: undefined; readonly error?: undefined };

/** Whether each result has a value. */
export function areValues<T, R>(results: readonly BulkResult<T, R>[]): results is readonly BulkValue<T, R>[] {
  return results.every(({ status }) => status === 'done');
}

export type RunItem<T, R> = (item: T, context: BulkItemContext) => R | PromiseLike<R>;

/** An item and its result so far. */
export interface BulkItem<T, R> {
  readonly index: number;
  result: BulkResult<T, R>;
  /** Whether a change of it is applied that a second run of its function would make again. */
  isUnfinished: boolean;
}

/**
 * Runs the function of an item. If a second run could double its unknown change, resumes that change instead. It cannot if
 * the id of the change was derived, from an intent or, by `upsert()`, from the data: the function derives the same id again.
 */
export async function runItem<T, R>(
  item: BulkItem<T, R>,
  run: RunItem<T, R>,
  context: BulkItemContext,
): Promise<BulkResult<T, R>> {
  const { result: before } = item;
  const given = before.item;
  if (before.status === 'unknown' && !isRepeatable(before.error)) {
    const result = await askAboutChange<T, R>(given, before.error);
    item.isUnfinished = result.status === 'failed' && isUnfinished(result.error);
    return result;
  }
  try {
    const value: R = await run(given, context);
    return { item: given, status: 'done', value };
  } catch (error) {
    const causes = listCauses(error);
    const unknown = causes.find((cause) => cause instanceof OutcomeUnknownError);
    if (unknown) return { item: given, status: 'unknown', error: unknown };
    item.isUnfinished = causes.some((cause) => cause.outcome === 'applied' && !isRepeatable(cause));
    return { item: given, status: 'failed', error };
  }
}

async function askAboutChange<T, R>(item: T, error: OutcomeUnknownError): Promise<BulkResult<T, R>> {
  if (!error.resume) return { item, status: 'unknown', error };
  try {
    await error.resume();
    return { item, status: 'failed', error: createUnfinishedError(error) };
  } catch (next) {
    if (next instanceof OutcomeUnknownError) return { item, status: 'unknown', error: next };
    // Another process found out that it is applied.
    if (next instanceof OrgChatError && next.outcome === 'applied')
      return { item, status: 'failed', error: createUnfinishedError(error) };
    // An error without a status, such as ABORTED, describes this question alone. The change may still be applied.
    const isAnswer = next instanceof OrgChatError && next.status !== undefined;
    return isAnswer ? { item, status: 'failed', error: next } : { item, status: 'unknown', error };
  }
}

const unfinishedCode = 'ITEM_UNFINISHED';

function createUnfinishedError({ operationId, operation }: OutcomeUnknownError): OrgChatError {
  const message = `Operation ${operationId} is applied. The rest of the item's function did not run. Pass the intent of the item to its changes, so that resume() can run it again.`;
  return new OrgChatError(message, { code: unfinishedCode, operationId, operation, outcome: 'applied' });
}

function isUnfinished(error: unknown): boolean {
  return error instanceof OrgChatError && error.code === unfinishedCode;
}

/** How many causes of an error are looked at. They may form a circle. */
const maxCauses = 10;

/** Lists the errors of this package in what a function threw, which may have wrapped one in an error of its own. */
function listCauses(thrown: unknown): OrgChatError[] {
  const causes: OrgChatError[] = [];
  let error = thrown;
  for (let depth = 0; depth <= maxCauses && isObject(error); depth++) {
    if (error instanceof OrgChatError) causes.push(error);
    error = error.cause;
  }
  return causes;
}
