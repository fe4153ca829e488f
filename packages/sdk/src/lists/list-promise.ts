import { createInvalidInputError, requireKnown } from '../errors/refused.ts';
import { type ApiResponse, startCall } from '../results/call-promise.ts';
import { captureCallSite, iterateHere, runHere } from '../results/call-site.ts';
import { type PageReader, readPages, readRecords } from './list-pages.ts';

/**
 * A list: await it for one page, or iterate it for all records. Nothing is fetched before one of both begins, and
 * no page before it is needed. The awaited page is fetched once, however often it is awaited; each iteration starts
 * again at the first page.
 *
 * Iteration passes each record on once and ends by what was received: `total` and `limited` save requests, but a wrong
 * one never ends a list early. Three pages in a row that repeat records, and in Studio a cursor that was sent before,
 * reject with `UNEXPECTED_SHAPE` (a `ServerError`). An aborted `signal` ends the iteration before the next record with an `AbortedError`.
 */
export interface ListPromise<P, T, N = P> extends PromiseLike<P>, AsyncIterable<T> {
  /**
   * The page with status, headers, request id and the number of attempts.
   *
   * @example
   * const { data, requestId } = await client.tags.list({ limit: 5 }).withResponse();
   * console.log(data.total, requestId);
   */
  withResponse(): Promise<ApiResponse<P>>;
  /**
   * Reads all records into an array, or the first `max` of them. Rejects as the iteration does.
   *
   * @example
   * const tags = await client.tags.list().toArray({ max: 1_000 });
   */
  toArray(options?: { readonly max?: number | undefined }): Promise<T[]>;
  /**
   * Reads the first record; undefined if there is none. Asks for one record only.
   *
   * @example
   * const newest = await client.tags.list().first();
   */
  first(): Promise<T | undefined>;
  /**
   * Iterates page by page. A page has only records that no earlier page had, and at most `maxItems` in all. Each says
   * where the next one begins: `nextOffset`, or `next` in Studio.
   *
   * @example
   * for await (const { records, nextOffset } of client.friends.list().pages()) console.log(records.length, nextOffset);
   */
  pages(): AsyncIterable<N>;
  /**
   * Handles a rejection of the awaited page, as the method of a promise does.
   *
   * @example
   * const page = await client.tags.list().catch(() => undefined);
   * console.log(page?.records.length ?? 'The tags could not be read.');
   */
  catch<R = never>(onRejected?: ((reason: unknown) => R | PromiseLike<R>) | null): Promise<P | R>;
  /**
   * Runs when the awaited page is there or has failed, as the method of a promise does.
   *
   * @example
   * await client.tags.list().finally(() => console.log('read'));
   */
  finally(onFinally?: (() => void) | null): Promise<P>;
}

function requireCount(name: string, count: number): void {
  if (!(count >= 0) || count % 1) {
    throw createInvalidInputError(`${name} must be a non-negative integer or Infinity; got ${count}.`);
  }
}

/** Creates a list. `prepare` is called when the list is first used, so that a wrong argument rejects. */
export function createListPromise<P, T extends object, N = P>(
  prepare: () => PageReader<P, T, N>,
): ListPromise<P, T, N> {
  const open = (max = Infinity): PageReader<P, T, N> => {
    const reader = prepare();
    const { maxItems = Infinity } = reader;
    requireCount('maxItems', maxItems);
    return { ...reader, maxItems: Math.min(maxItems, max) };
  };
  let first: Promise<ApiResponse<P>> | undefined;
  const answered = (): Promise<ApiResponse<P>> => {
    first ??= (async () => open().fetchFirst())();
    return first;
  };
  async function* iterate(max?: number): AsyncGenerator<T> {
    yield* readRecords(open(max));
  }
  // An awaited list is read later, when its caller is not on the stack any more.
  const site = captureCallSite();
  const start = () => startCall(answered, site);
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list is awaitable by design
    then: (onFulfilled, onRejected) => start().then(onFulfilled, onRejected),
    catch: (onRejected) => start().catch(onRejected),
    finally: (onFinally) => start().finally(onFinally),
    withResponse: () => startCall(answered).withResponse(),
    toArray: (options) =>
      runHere(async () => {
        requireKnown(options, ['max'], 'toArray()');
        const { max = Infinity } = { ...options };
        requireCount('max', max);
        const found: T[] = [];
        for await (const record of iterate(max)) found.push(record);
        return found;
      }),
    first: () =>
      runHere(async () => {
        for await (const record of iterate(1)) return record;
        return undefined;
      }),
    pages: () => iterateHere(() => readPages(open())),
    [Symbol.asyncIterator]: () => iterateHere(iterate),
  };
}
