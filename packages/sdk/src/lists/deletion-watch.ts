/*
 * A deletion moves what follows towards the front, so that the next page begins too late. Only `total` shows it: a page
 * whose `total` is k smaller than before may have missed k records, and is read again from k records earlier.
 *
 * A `total` that counts what remains shrinks as well, by what was received. A program that deletes what it reads shrinks
 * it by as much, so the page that is read again decides: if it has nothing that was missed, and its `total` is larger by
 * what it begins earlier, then `total` counts what remains.
 */

/** A page and what it says about its list. */
export interface CountedPage {
  /** Offset at which it begins. */
  readonly offset: number;
  readonly received: number;
  /** As the server sent it, so of any type. */
  readonly total: unknown;
  /** Of a page that is read again: whether it has records that neither an earlier page nor the replaced one had. */
  readonly hasMissed: boolean;
}

/** What to do with a page: use it, read it again from an earlier offset, or use the one that was replaced by it. */
export type PageVerdict = 'use' | 'use-replaced' | { readonly rereadFrom: number };

/** Finds out from `total` whether a page missed records because others were deleted. */
export interface DeletionWatch {
  /** Judges a page that was read. After `rereadFrom`, the next page is the one that was read again. */
  judge(page: CountedPage): PageVerdict;
  /** Called after a page is used: where the next one begins, and how many records of it no earlier page had. */
  use(nextOffset: number, newCount: number): void;
  /** Whether `total` was seen not to count the whole list. */
  ignoresTotal(): boolean;
}

interface Count extends CountedPage {
  readonly total: number;
}

/** A page that is being read again, with the one before it. */
interface Replaced {
  readonly before: Count;
  readonly page: Count;
}

/** After so many pages were read again without a new record, `total` is ignored: it may shrink without deletions. */
const maxRereads = 10;

/** Creates what watches one iteration of a list that is read by offset. */
export function createDeletionWatch(): DeletionWatch {
  let last: Count | undefined;
  /** Each record before this offset that still exists was received. */
  let covered = 0;
  let replaced: Replaced | undefined;
  let largestPage = 0;
  let rereads = 0;
  let isReread = false;
  let countsRest = false;
  let isIgnored = false;

  /** How many records the list lost between two pages. */
  const countLost = (before: Count, now: Count): number =>
    before.total - now.total + (countsRest ? before.offset - now.offset : 0);

  /** Returns where to read a page again; undefined if it missed nothing. */
  const findReread = (before: Count, now: Count): number | undefined => {
    const lost = countLost(before, now);
    if (lost <= 0) return undefined;
    // A list of one page that is now empty: all was deleted, or `total` counts the page. Both leave nothing to read.
    if (now.total === 0 && before.total <= before.received) return undefined;
    covered = Math.max(0, covered - lost);
    if (now.offset <= covered) return undefined;
    if (rereads >= maxRereads) {
      isIgnored = true;
      return undefined;
    }
    // Records are deleted as fast as pages are read: half a page more leaves time for it.
    return Math.max(0, covered - (isReread ? Math.max(lost, Math.floor(largestPage / 2)) : 0));
  };

  return {
    judge(page) {
      const { offset, received, total } = page;
      largestPage = Math.max(largestPage, received);
      if (typeof total !== 'number' || isIgnored) return 'use';
      const now = { ...page, total };
      const before = last;
      const first = replaced;
      last = now;
      replaced = undefined;
      // There cannot be fewer records than were just received.
      if (received > 0 && total < offset + received) countsRest = true;
      if (first && (countsRest || countsWhatRemains(first, now))) {
        countsRest = true;
        if (countLost(first.before, first.page) <= 0) {
          last = first.page;
          isReread = false;
          return 'use-replaced';
        }
      }
      const rereadFrom = before && findReread(before, now);
      if (before === undefined || rereadFrom === undefined) return 'use';
      if (!isReread && !countsRest) replaced = { before, page: now };
      isReread = true;
      rereads++;
      return { rereadFrom };
    },
    use(nextOffset, newCount) {
      covered = nextOffset;
      isReread = false;
      if (newCount > 0) rereads = 0;
    },
    ignoresTotal: () => countsRest || isIgnored,
  };
}

/** Whether the page that was read again shows that `total` counts what remains from its offset on. */
function countsWhatRemains({ before, page }: Replaced, again: Count): boolean {
  const shrunk = before.total - page.total;
  const advanced = page.offset - before.offset;
  const grown = again.total - page.total;
  return !again.hasMissed && 2 * shrunk > advanced && grown === page.offset - again.offset;
}
