import { type Answered, callOf } from './call-promise.ts';
import { invalidInput } from './errors/refused.ts';

/**
 * A list: await it for one page, or iterate it for all records. Nothing is fetched before one of both begins, and
 * no page before it is needed. The awaited page is fetched once, however often it is awaited; each iteration begins
 * anew.
 *
 * @example
 * const page = await client.tags.list({ limit: 20 });
 * for await (const tag of client.tags.list({ maxItems: 500 })) console.log(tag.name);
 */
export interface Listing<P, T> extends PromiseLike<P>, AsyncIterable<T> {
  /** The page with status, headers, request id and the number of attempts. */
  withResponse(): Promise<Answered<P>>;
}

/**
 * A list whose pages begin where a `C` says. `fetch` gets a page of which at most `wanted` records are needed;
 * `read` takes it apart into its records and the beginning of the next page, undefined after the last.
 */
export function listing<P, T extends object, C>(
  start: C,
  maxItems = Infinity,
  fetch: (from: C, wanted: number) => Promise<Answered<P>>,
  read: (page: P, from: C) => readonly [records: readonly T[], next: C | undefined],
): Listing<P, T> {
  if (!(maxItems >= 0) || maxItems % 1) throw invalidInput('maxItems must be a count');
  let first: Promise<Answered<P>> | undefined;
  const answered = (): Promise<Answered<P>> => {
    first ??= fetch(start, maxItems);
    return first;
  };
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list is awaitable by design
    then: (onFulfilled, onRejected) => callOf(answered()).then(onFulfilled, onRejected),
    withResponse: answered,
    async *[Symbol.asyncIterator]() {
      let wanted = maxItems;
      let from: C | undefined = start;
      // A record made meanwhile pushes the others on: the next page then begins with what this one ended with.
      let before = new Set<string>();
      while (from !== undefined && wanted > 0) {
        const answer: Answered<P> = await fetch(from, wanted);
        const [records, next] = read(answer.data, from);
        for (const record of records) {
          if (before.has(identityOf(record))) continue;
          yield record;
          if (--wanted <= 0) return;
        }
        from = records.length > 0 ? next : undefined;
        before = new Set(records.map(identityOf));
      }
    },
  };
}

/** A friend is named by two fields, everything else by one. */
function identityOf(record: {
  readonly id?: unknown;
  readonly accountId?: unknown;
  readonly userId?: unknown;
}): string {
  return `${record.id ?? record.userId ?? JSON.stringify(record)} ${record.accountId}`;
}
