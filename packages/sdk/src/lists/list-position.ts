/*
 * When a list that is read page by page ends. The contract calls `total` and `limited` illustrative, so a list ends by
 * what was received, and what the server says about it only saves requests or says that a page had a gap.
 */

/** The position in a list that is read by offset. */
export interface ListPosition {
  /** Offset of the next page: where the list began, plus the records received so far and the gaps. */
  readonly offset: number;
  readonly isFirstPage: boolean;
  /** The `total` of the last page. */
  readonly total: number | undefined;
  /** Set once `total` was below what had been received, or was seen to count something else. It is ignored from then on. */
  readonly ignoresTotal: boolean;
  /** Set once `total` shrank. From then on it proves no end, as it may count what remains. */
  readonly hasShrunk: boolean;
  /** The most records that a page had. */
  readonly largestPage: number;
  /** How many of the last pages were empty. */
  readonly emptyPages: number;
  /** Whether the last page had nothing new. */
  readonly wasStale: boolean;
  /** Whether a page was empty while the server said that there is more: a record may be missing. */
  readonly isInDoubt: boolean;
}

/** What one page says about its list. */
export interface PageFacts {
  /** The `limit` that was sent. */
  readonly requested: number;
  /** Records on the page. */
  readonly received: number;
  /** Those of them that no earlier page had. */
  readonly newCount: number;
  /** As the server sent them, so of any type. */
  readonly total: unknown;
  readonly limited: unknown;
}

/** The position after a page, and whether the page ended the list. */
export interface NextPosition extends ListPosition {
  readonly isEnd: boolean;
}

/** After so many empty pages in a row a list ends, whatever the server says of it. */
const maxEmptyPages = 3;

/** Returns the position before the first page of a list. */
export function startOfList(offset = 0): ListPosition {
  return {
    offset,
    isFirstPage: true,
    total: undefined,
    ignoresTotal: false,
    hasShrunk: false,
    largestPage: 0,
    emptyPages: 0,
    wasStale: false,
    isInDoubt: false,
  };
}

/**
 * Returns the position after a page. A page ends the list if
 *
 * - it is empty, and its offset has reached `total` or, without a number in `total`, `limited` is not true. If the server
 *   says that there is more, it continues behind the gap, until `total` or for three empty pages; or
 * - `total` is reached and `limited` is not true. A first page whose `total` is its own length proves nothing, unless it
 *   is short and `limited` is false: the server may count the page instead of the list; or
 * - it is short, had nothing new, like the page before, and neither `limited` nor a larger `total` says that there is
 *   more: a server that ignores `offset` sends the whole list again. A single such page may have been pushed back by
 *   records that were created.
 *
 * A short page alone ends nothing, because the server may have smaller pages than requested.
 */
export function positionAfter(before: ListPosition, page: PageFacts): NextPosition {
  const { requested, received, newCount, limited } = page;
  const total = typeof page.total === 'number' ? page.total : undefined;
  const isEmpty = received === 0;
  const largestPage = Math.max(before.largestPage, received);
  const reached = before.offset + received;
  const ignoresTotal = before.ignoresTotal || (total !== undefined && total < reached);
  const hasShrunk = before.hasShrunk || (total !== undefined && total < (before.total ?? 0));
  const isFull = received >= requested;
  const countsMore = total !== undefined && total > reached && !ignoresTotal;
  const saysMore =
    isEmpty && total !== undefined && !ignoresTotal ? countsMore : limited === true || countsMore;
  const offset = isEmpty && saysMore ? reached + (largestPage || requested) : reached;
  const emptyPages = isEmpty ? before.emptyPages + 1 : 0;
  const next = {
    offset,
    isFirstPage: false,
    total,
    ignoresTotal,
    hasShrunk,
    largestPage,
    emptyPages,
    wasStale: newCount === 0,
    isInDoubt:
      before.isInDoubt || (isEmpty && (countsMore || (limited === true && (ignoresTotal || !total)))),
  };
  if (isEmpty) {
    const isPastTotal = countsMore && offset >= total;
    return { ...next, isEnd: !saysMore || isPastTotal || emptyPages >= maxEmptyPages };
  }
  const isReached = total === reached && !ignoresTotal && !hasShrunk;
  const mayCountThePage = before.isFirstPage && total === received && (isFull || limited !== false);
  const isRepeated = !isFull && newCount === 0 && before.wasStale;
  return { ...next, isEnd: !saysMore && ((isReached && !mayCountThePage) || isRepeated) };
}
