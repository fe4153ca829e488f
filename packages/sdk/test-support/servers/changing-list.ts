/*
 * A server of one list, newest first, that changes while it is read. What it says about the list may be absent or wrong.
 */

/** What happens before an answer after the first, and what that answer shows. */
export interface ListStep {
  /** How many records are created, each before all others. */
  readonly created: number;
  /** Which records are deleted, each by its place between 0, the newest, and 1. */
  readonly deleted: readonly number[];
  /** How much of the page is shown: 1 is all of it, and 0 is an empty page, as if its records were out of reach. */
  readonly shown: number;
}

/** A list and what happens to it. */
export interface ChangingList {
  readonly count: number;
  /** The most records per page. */
  readonly pageSize: number;
  readonly total: keyof typeof countings;
  readonly isAlwaysLimited: boolean;
  readonly steps: readonly ListStep[];
  /** Whether who reads it deletes each record of a page before the next one is read. */
  readonly deletesWhatItReads: boolean;
}

/** One record of such a list. The newest has the highest id. */
export interface NumberedRecord {
  readonly id: number;
}

/** One page of such a list. */
export interface ChangingPage {
  readonly records: readonly NumberedRecord[];
  readonly total: number | undefined;
  readonly limited: boolean | undefined;
}

/** What a server may count as `total`, from the records of the list, before the page and on the page. */
export const countings = {
  exact: (count: number) => count,
  absent: () => undefined,
  'of the page': (_count: number, _offset: number, received: number) => received,
  'of the rest': (count: number, offset: number) => Math.max(0, count - offset),
  'too high': (count: number) => count + 30,
} as const;

const unchanged: ListStep = { created: 0, deleted: [], shown: 1 };

/** Starts a server of the list. */
export function serveChangingList({
  count,
  pageSize,
  total,
  isAlwaysLimited,
  steps,
  deletesWhatItReads,
}: ChangingList): {
  read(offset: number, limit: number): ChangingPage;
  /** The ids of the records that were there all the time and within reach. */
  findLasting(): number[];
} {
  let list = Array.from({ length: count }, (_, place) => ({ id: count - place }));
  let received: readonly NumberedRecord[] = [];
  let newest = count;
  let requests = 0;
  const outOfReach = new Set<number>();
  const change = ({ created, deleted }: ListStep): void => {
    if (deletesWhatItReads) list = list.filter((record) => !received.includes(record));
    for (const place of deleted) list.splice(Math.floor(place * list.length), 1);
    for (let n = 0; n < created; n++) list.unshift({ id: ++newest });
  };
  return {
    read(offset, limit) {
      const step = steps[requests - 1] ?? unchanged;
      if (requests > 0) change(step);
      requests++;
      const page = list.slice(offset, offset + Math.min(limit, pageSize));
      received = page.slice(0, Math.ceil(page.length * step.shown));
      if (step.shown === 0) for (const { id } of page) outOfReach.add(id);
      return {
        records: received,
        total: countings[total](list.length, offset, received.length),
        limited: isAlwaysLimited || undefined,
      };
    },
    findLasting: () => list.map(({ id }) => id).filter((id) => id <= count && !outOfReach.has(id)),
  };
}
