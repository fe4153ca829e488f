/*
 * When a list that is read page by page ends. The contract calls `total` and `limited` illustrative, so a list ends by
 * what was received, and what the server says about it only saves requests.
 */

/** The position in a list that is read by offset. */
export interface ListPosition {
  /** Offset of the next page: where the list began, plus the records received so far. */
  readonly offset: number;
  readonly isFirstPage: boolean;
  /** The `total` of the last page. */
  readonly total: number | undefined;
  /** Set once `total` was below what had been received, or shrank. It is ignored from then on. */
  readonly ignoresTotal: boolean;
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

/** Returns the position before the first page of a list. */
export function startOfList(offset = 0): ListPosition {
  return { offset, isFirstPage: true, total: undefined, ignoresTotal: false };
}

/**
 * Returns the position after a page, or undefined if the page ended the list. A page ends the list if
 *
 * - it is empty; or
 * - `total` is reached and `limited` is not true. A full first page whose `total` is its own length proves nothing:
 *   the server may count the page instead of the list; or
 * - it is short, had nothing new, and neither `limited` nor a larger `total` says that there is more: a server that
 *   ignores `offset` sent the whole list again.
 *
 * A short page alone ends nothing, because the server may have smaller pages than requested.
 */
export function positionAfter(before: ListPosition, page: PageFacts): ListPosition | undefined {
  const { requested, received, newCount, limited } = page;
  const offset = before.offset + received;
  const total = typeof page.total === 'number' ? page.total : undefined;
  // One that shrinks counts what remains, or records were deleted in the meantime: it proves no end either.
  const ignoresTotal =
    before.ignoresTotal || (total !== undefined && total < Math.max(offset, before.total ?? 0));
  const isFull = received >= requested;
  const isReached = total === offset && !ignoresTotal;
  const saysMore = limited === true || (total !== undefined && total > offset && !ignoresTotal);
  const mayCountThePage = before.isFirstPage && isFull && total === received;

  if (received === 0) return undefined;
  if (isReached && !saysMore && !mayCountThePage) return undefined;
  if (!isFull && !saysMore && newCount === 0) return undefined;
  return { offset, isFirstPage: false, total, ignoresTotal };
}
