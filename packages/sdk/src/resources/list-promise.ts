import { AbortedError } from '../errors/failed.ts';
import { formatRequest } from '../errors/message.ts';
import { createInvalidInputError } from '../errors/refused.ts';
import { endpoints, type OperationName } from '../generated/endpoints.ts';
import { createSeenRecords, maxStalePages } from '../paging.ts';
import { type ApiResponse, startCall } from '../pipeline/call-promise.ts';
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
 * const page = await client.tags.list({ limit: 20 });
 * for await (const tag of client.tags.list({ maxItems: 500 })) console.log(tag.name);
 */
export interface ListPromise<P, T> extends PromiseLike<P>, AsyncIterable<T> {
  /** The page with status, headers, request id and the number of attempts. */
  withResponse(): Promise<ApiResponse<P>>;
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
  /** Where the next page begins; undefined after the last. `isNew` is how many records no earlier page had. */
  next(page: P, from: C, wanted: number, isNew: number): C | undefined;
}

/** Creates a list. `prepare` is called when the list is first used, so that a wrong argument rejects. */
export function createListPromise<P, T extends object, C>(
  prepare: () => PageReader<P, T, C>,
): ListPromise<P, T> {
  const open = (): PageReader<P, T, C> => {
    const reader = prepare();
    const { maxItems = Infinity } = reader;
    if (!(maxItems >= 0) || maxItems % 1) {
      throw createInvalidInputError(`maxItems must be a non-negative integer or Infinity; got ${maxItems}.`);
    }
    return reader;
  };
  let first: Promise<ApiResponse<P>> | undefined;
  const answered = (): Promise<ApiResponse<P>> => {
    first ??= (async () => open().fetchFirst())();
    return first;
  };
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list is awaitable by design
    then: (onFulfilled, onRejected) => startCall(answered).then(onFulfilled, onRejected),
    withResponse: answered,
    async *[Symbol.asyncIterator]() {
      const reader = open();
      const { signal, endpoint, resource } = reader;
      const seen = createSeenRecords();
      let wanted = reader.maxItems ?? Infinity;
      let from: C | undefined = reader.start;
      while (from !== undefined && wanted > 0) {
        const asked = wanted;
        const answer: ApiResponse<P> = await reader.fetch(from, asked);
        const fresh = seen.addPage(reader.records(answer.data));
        for (const record of fresh) {
          if (signal?.aborted) {
            const { status, requestId, attempts } = answer;
            const where = formatRequest({ ...endpoints[endpoint], subject: resource }, 'ABORTED');
            const message = `The signal aborted the call. ${where}`;
            const details = {
              code: 'ABORTED',
              operation: endpoint,
              cause: signal.reason,
              status,
              requestId,
              attempts,
            };
            throw new AbortedError(message, details);
          }
          yield record;
          if (--wanted <= 0) return;
        }
        from = reader.next(answer.data, from, asked, fresh.length);
        if (from !== undefined && seen.isStuck()) {
          const why = `${maxStalePages} pages in a row had no new record. Check whether the server ignores the offset or cursor.`;
          throw createUnexpectedShapeError(endpoint, resource, answer, why);
        }
      }
    },
  };
}
