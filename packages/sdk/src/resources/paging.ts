/*
 * When a list that is read page by page ends. The contract calls `total` and `limited` illustrative, so a list ends by
 * what was received, and what the server says about it only saves requests.
 */

/** Minimum number of records of a list that are remembered. This bounds the memory that a long list needs. */
export const rememberedRecords = 10_000;

/** After this many pages in a row without a new record, a list makes no progress. */
export const maxStalePages = 3;

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

/** The last records of a list, so that each is passed on once. */
export interface SeenRecords {
  /** Returns the records of a page that were not on the last pages. */
  addPage<T extends object>(records: readonly T[]): T[];
  /** Whether the last pages had nothing new, so that reading on would never end. */
  isStuck(): boolean;
}

/** The fields that name a record, as text; undefined for a record without any. A friend is named by two fields. */
function getIdentity(record: object): string | undefined {
  const { id, accountId, userId } = record as Readonly<Record<string, unknown>>;
  if (typeof id === 'string' || typeof id === 'number') return JSON.stringify(id);
  return typeof userId === 'string' ? JSON.stringify([accountId, userId]) : undefined;
}

/**
 * Remembers the last records of a list. A record that was created in the meantime pushes the others back, so that the
 * next page begins with what the previous one ended with.
 */
export function createSeenRecords(): SeenRecords {
  let recent = new Set<string>();
  let earlier = recent;
  let stalePages = 0;
  const remember = (key: string): void => {
    if (recent.size >= rememberedRecords) {
      earlier = recent;
      recent = new Set();
    }
    recent.add(key);
  };
  return {
    addPage(records) {
      const onThisPage: string[] = [];
      const fresh = records.filter((record) => {
        const identity = getIdentity(record);
        const key = identity ?? JSON.stringify(record);
        if (recent.has(key) || earlier.has(key)) return false;
        // Without an identity, two equal records of one page are still two records.
        if (identity === undefined) onThisPage.push(key);
        else remember(key);
        return true;
      });
      for (const key of onThisPage) remember(key);
      stalePages = fresh.length > 0 ? 0 : stalePages + 1;
      return fresh;
    },
    isStuck: () => stalePages >= maxStalePages,
  };
}
