import { formatRequest } from '../errors/message.ts';
import { AbortedError } from '../errors/no-usable-answer.ts';
import { createInvalidInputError } from '../errors/refused.ts';
import { endpoints, type OperationName } from '../generated/endpoints.ts';
import { createSeenRecords, maxStalePages } from '../paging.ts';
import { type ApiResponse, startCall } from '../pipeline/call-promise.ts';
import { requireKnown } from '../pipeline/resolve-options.ts';
import { createUnexpectedShapeError } from '../pipeline/response-shapes.ts';

/**
 * A list: await it for one page, or iterate it for all records. Nothing is fetched before one of both begins, and
 * no page before it is needed. The awaited page is fetched once, however often it is awaited; each iteration starts
 * again at the first page.
 *
 * Iteration passes each record on once and ends by what was received: `total` and `limited` save requests, but a wrong
 * one never ends a list early. Three pages in a row without a new record reject with `UNEXPECTED_SHAPE` (a
 * `ServerError`). An aborted `signal` ends the iteration before the next record with an `AbortedError`.
 *
 * @example
 * const tags: ListPromise<RecordPage<Tag>, Tag> = client.tags.list({ limit: 20 });
 * console.log((await tags).total);
 * for await (const tag of client.tags.list({ maxItems: 500 })) console.log(tag.name);
 */
export interface ListPromise<P, T> extends PromiseLike<P>, AsyncIterable<T> {
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
   * Iterates page by page. A page has only records that no earlier page had, and at most `maxItems` in all.
   *
   * @example
   * for await (const { records } of client.friends.list().pages()) console.log(records.length);
   */
  pages(): AsyncIterable<P>;
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

/** How the pages of a list are read. `C` says where a page begins. */
export interface PageReader<P, T, C> {
  /** Names the list in errors. */
  readonly endpoint: OperationName;
  readonly resource: string;
  readonly start: C;
  readonly signal?: AbortSignal | undefined;
  readonly maxItems?: number | undefined;
  /** Fetches the page that is awaited. */
  fetchFirst(): Promise<ApiResponse<P>>;
  /** Fetches a page of an iteration, of which at most `wanted` records are needed. */
  fetch(from: C, wanted: number): Promise<ApiResponse<P>>;
  records(page: P): readonly T[];
  /** The same page with other records. */
  withRecords(page: P, records: readonly T[]): P;
  /** Where the next page begins; undefined after the last. `newCount` is how many records no earlier page had. */
  next(page: P, from: C, wanted: number, newCount: number): C | undefined;
}

/** The records of a page that no earlier page had, at most as many as are still needed. */
interface NewRecords<P, T> {
  readonly answer: ApiResponse<P>;
  readonly records: readonly T[];
}

/** Reads page after page until the list ends or `maxItems` records were read. */
async function* readPages<P, T extends object, C>(
  reader: PageReader<P, T, C>,
): AsyncGenerator<NewRecords<P, T>> {
  const { endpoint, resource } = reader;
  const seen = createSeenRecords();
  let wanted = reader.maxItems ?? Infinity;
  let from: C | undefined = reader.start;
  while (from !== undefined && wanted > 0) {
    const asked = wanted;
    const answer: ApiResponse<P> = await reader.fetch(from, asked);
    const fresh = seen.addPage(reader.records(answer.data));
    yield { answer, records: fresh.slice(0, wanted) };
    wanted -= fresh.length;
    from = reader.next(answer.data, from, asked, fresh.length);
    if (from !== undefined && seen.isStuck()) {
      const why = `${maxStalePages} pages in a row had no new record. Check whether the server ignores the offset or cursor.`;
      throw createUnexpectedShapeError(endpoint, resource, answer, why);
    }
  }
}

/** Throws if the signal of the list is aborted. */
function checkSignal<P, T, C>(
  reader: PageReader<P, T, C>,
  { status, requestId, attempts }: ApiResponse<P>,
): void {
  const { signal, endpoint, resource } = reader;
  if (!signal?.aborted) return;
  const where = formatRequest({ ...endpoints[endpoint], subject: resource }, 'ABORTED');
  throw new AbortedError(`The signal aborted the call. ${where}`, {
    code: 'ABORTED',
    operation: endpoint,
    cause: signal.reason,
    status,
    requestId,
    attempts,
  });
}

function requireCount(name: string, count: number): void {
  if (!(count >= 0) || count % 1) {
    throw createInvalidInputError(`${name} must be a non-negative integer or Infinity; got ${count}.`);
  }
}

/** Creates a list. `prepare` is called when the list is first used, so that a wrong argument rejects. */
export function createListPromise<P, T extends object, C>(
  prepare: () => PageReader<P, T, C>,
): ListPromise<P, T> {
  const open = (max = Infinity): PageReader<P, T, C> => {
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
  async function* readRecords(max?: number): AsyncGenerator<T> {
    const reader = open(max);
    for await (const { answer, records } of readPages(reader)) {
      for (const record of records) {
        checkSignal(reader, answer);
        yield record;
      }
    }
  }
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list is awaitable by design
    then: (onFulfilled, onRejected) => startCall(answered).then(onFulfilled, onRejected),
    catch: (onRejected) => startCall(answered).catch(onRejected),
    finally: (onFinally) => startCall(answered).finally(onFinally),
    withResponse: answered,
    async toArray(options) {
      requireKnown(options, ['max'], 'toArray()');
      const { max = Infinity } = { ...options };
      requireCount('max', max);
      const found: T[] = [];
      for await (const record of readRecords(max)) found.push(record);
      return found;
    },
    async first() {
      for await (const record of readRecords(1)) return record;
      return undefined;
    },
    async *pages() {
      const reader = open();
      for await (const { answer, records } of readPages(reader)) {
        checkSignal(reader, answer);
        yield reader.withRecords(answer.data, records);
      }
    },
    [Symbol.asyncIterator]: () => readRecords(),
  };
}
