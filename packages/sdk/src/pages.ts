import type { Answered } from './call.ts';

/**
 * A list: await it for one page, or iterate it for all records. Nothing is fetched before one of both begins, and
 * no page before it is needed.
 *
 * @example
 * const page = await client.tags.list({ limit: 20 });
 * for await (const tag of client.tags.list({ maxItems: 500 })) console.log(tag.name);
 */
export interface Listing<P, T> extends PromiseLike<P>, AsyncIterable<T> {
  /** The page with status, headers, request id and the number of attempts. */
  withResponse(): Promise<Answered<P>>;
}

/** How a kind of list is turned over. `C` says where a page begins. */
export interface Pages<P, T, C> {
  readonly start: C;
  readonly maxItems?: number | undefined;
  /** Fetches a page of which at most `wanted` records are needed. */
  readonly fetch: (from: C, wanted: number) => Promise<Answered<P>>;
  readonly items: (page: P) => readonly T[];
  /** Where the next page begins; undefined after the last. */
  readonly next: (page: P, from: C) => C | undefined;
}

export function listing<P, T extends object, C>(pages: Pages<P, T, C>): Listing<P, T> {
  let first: Promise<Answered<P>> | undefined;
  const answered = (): Promise<Answered<P>> => {
    first ??= pages.fetch(pages.start, pages.maxItems ?? Infinity);
    return first;
  };
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list is awaitable by design
    then: (onFulfilled, onRejected) =>
      answered()
        .then(({ data }) => data)
        .then(onFulfilled, onRejected),
    withResponse: answered,
    [Symbol.asyncIterator]: () => all(pages),
  };
}

async function* all<P, T extends object, C>(pages: Pages<P, T, C>): AsyncGenerator<T, void, undefined> {
  let wanted = pages.maxItems ?? Infinity;
  let from: C | undefined = pages.start;
  // A record made meanwhile pushes the others on: the next page then begins with what this one ended with.
  let before = new Set<string>();
  while (from !== undefined && wanted > 0) {
    const { data: page }: Answered<P> = await pages.fetch(from, wanted);
    const here = new Set<string>();
    for (const item of pages.items(page)) {
      const id = identityOf(item);
      here.add(id);
      if (before.has(id)) continue;
      yield item;
      if (--wanted <= 0) return;
    }
    from = pages.items(page).length > 0 ? pages.next(page, from) : undefined;
    before = here;
  }
}

/** A friend is named by two fields, everything else by one. */
function identityOf(item: {
  readonly id?: unknown;
  readonly accountId?: unknown;
  readonly userId?: unknown;
}): string {
  return `${item.id ?? item.userId} ${item.accountId}`;
}
