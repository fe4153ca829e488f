import { unexpectedShape } from './assumed.ts';
import { type Answered, callOf } from './call-promise.ts';
import { AbortedError } from './errors/failed.ts';
import { invalidInput } from './errors/refused.ts';
import { createSeenRecords, maxStalePages } from './paging.ts';

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
export interface Listing<P, T> extends PromiseLike<P>, AsyncIterable<T> {
  /** The page with status, headers, request id and the number of attempts. */
  withResponse(): Promise<Answered<P>>;
}

/** How the pages of a list are read. `C` says where a page begins. */
export interface PageReader<P, T, C> {
  /** Names the list in errors. */
  readonly path: string;
  readonly resource: string;
  readonly start: C;
  readonly signal?: AbortSignal | undefined;
  readonly maxItems?: number | undefined;
  /** Fetches the page that is awaited. */
  fetchFirst(): Promise<Answered<P>>;
  /** Fetches a page of an iteration, of which at most `wanted` records are needed. */
  fetch(from: C, wanted: number): Promise<Answered<P>>;
  records(page: P): readonly T[];
  /** Where the next page begins; undefined after the last. `isNew` is how many records no earlier page had. */
  next(page: P, from: C, wanted: number, isNew: number): C | undefined;
}

/** Creates a list. `prepare` is called when the list is first used, so that a wrong argument rejects. */
export function listing<P, T extends object, C>(prepare: () => PageReader<P, T, C>): Listing<P, T> {
  const open = (): PageReader<P, T, C> => {
    const reader = prepare();
    const { maxItems = Infinity } = reader;
    if (!(maxItems >= 0) || maxItems % 1) {
      throw invalidInput(`maxItems must be a whole number of 0 or more, or Infinity; it was ${maxItems}.`);
    }
    return reader;
  };
  let first: Promise<Answered<P>> | undefined;
  const answered = (): Promise<Answered<P>> => {
    first ??= (async () => open().fetchFirst())();
    return first;
  };
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list is awaitable by design
    then: (onFulfilled, onRejected) => callOf(answered).then(onFulfilled, onRejected),
    withResponse: answered,
    async *[Symbol.asyncIterator]() {
      const reader = open();
      const { signal, path, resource } = reader;
      const seen = createSeenRecords();
      let wanted = reader.maxItems ?? Infinity;
      let from: C | undefined = reader.start;
      while (from !== undefined && wanted > 0) {
        const asked = wanted;
        const answer: Answered<P> = await reader.fetch(from, asked);
        const fresh = seen.addPage(reader.records(answer.data));
        for (const record of fresh) {
          if (signal?.aborted) {
            const { status, requestId, attempts } = answer;
            const message = `POST ${path} (${resource}): ABORTED: the signal was aborted during the iteration.`;
            const details = { code: 'ABORTED', cause: signal.reason, status, requestId, attempts };
            throw new AbortedError(message, details);
          }
          yield record;
          if (--wanted <= 0) return;
        }
        from = reader.next(answer.data, from, asked, fresh.length);
        if (from !== undefined && seen.isStuck()) {
          const why = `${maxStalePages} pages in a row had no record that was not on an earlier page, so the list would never end. Does the server ignore the offset or cursor?`;
          throw unexpectedShape(path, resource, answer, why);
        }
      }
    },
  };
}
