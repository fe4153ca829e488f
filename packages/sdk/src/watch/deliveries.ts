import type { ListedRows } from './listed-rows.ts';
import { requireNewestFirst, toShortDigest } from './listed-rows.ts';
import type { WatchEvent, WatchGap } from './watch-options.ts';
import { addIds, earlierOf, type ListState, splitIds } from './watch-state.ts';

/** An event that waits for its consumer. */
export interface Delivery {
  readonly event: WatchEvent;
  /** When its record was made, in milliseconds. A gap comes before all records of its round. */
  readonly time: number;
  /** Called when the consumer has handled the event. */
  settle(): void;
}

/** What a round found in one list: its events in order, and what is left to note when all of the round are handled. */
export interface Feed {
  readonly deliveries: readonly Delivery[];
  /** When the newest record of the list was made, in milliseconds, -Infinity if it is empty; undefined if that is not known. */
  readonly newestAt?: number | undefined;
  /** Whether it has records that are new, also such as are not delivered. */
  readonly hasNew?: boolean;
  finish(): void;
}

const toIso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

/** Creates the delivery of a gap. */
export function createGap(
  resource: WatchGap['resource'],
  since: number | null,
  { friend, settle = () => undefined }: { friend?: WatchGap['friend']; settle?: () => void } = {},
): Delivery {
  return { event: { type: 'gap', resource, since: toIso(since), friend }, time: -Infinity, settle };
}

/** What is known of a list before it is compared. */
export interface KnownList {
  readonly state: ListState;
  /** Whether the newest record that is as old as `at` was there when the list was learned. */
  readonly isLearned: boolean;
  /** When the last round was, in milliseconds. */
  readonly earlierAt: number;
  /** The time of the server in this round, in milliseconds. */
  readonly heardAt: number;
}

/** The new records of a list. */
interface NewRows {
  /** Their places in the list, oldest first. */
  readonly indices: readonly number[];
  /** Whether all records shown are new, and there are older ones. */
  readonly isGap: boolean;
  /** Marks the records up to a place as handled; by default, all. */
  settleTo(index?: number): void;
}

/** Compares the records of a list with those that were handled. */
export function findNewRows(
  listed: ListedRows,
  { state, isLearned, earlierAt, heardAt }: KnownList,
): NewRows {
  const { rows, times, isCut } = listed;
  const digests = rows.map(({ id }) => toShortDigest(String(id)));
  const handled = new Set(splitIds(state.ids));
  const isHandled = (index: number): boolean => handled.has(digests[index] ?? '');
  requireNewestFirst(listed, { isHandled, earlierAt });
  const { after } = state;
  const lastHandled = rows.findLastIndex((_, index) => isHandled(index));
  // What was there when the list was learned is not new, whatever the clock says. A record of the same millisecond is.
  // A time before that is of another field, and says nothing of the records.
  const at = state.at !== null && (after === null || state.at >= after) ? state.at : Number.NaN;
  const learned = isLearned && state.ids === '' ? times.lastIndexOf(at) : -1;
  const isNew = (index: number): boolean =>
    learned < 0
      ? !isHandled(index) && (after === null || (times[index] ?? 0) >= after || index < lastHandled)
      : index < learned;
  const indices = [...rows.keys()].filter(isNew).reverse();
  return {
    indices,
    isGap: isCut && rows.length > 0 && indices.length === rows.length,
    settleTo(index = 0) {
      if (rows.length === 0) return;
      addIds(state, digests.slice(index).reverse());
      state.at = times[index] ?? state.at;
      if (index > 0) return;
      // The ids have all that the list shows. What it shows later and is older was there before.
      // A time that is yet to come is from before the clock was set back: what is new may be earlier.
      state.after = isCut ? earlierOf(times.at(-1) ?? null, heardAt) : null;
    },
  };
}

/** Merges the events of all lists by their times, and keeps the order of each list. */
export function mergeDeliveries(feeds: readonly Feed[]): Delivery[] {
  const waiting = feeds.map(({ deliveries }) => [...deliveries].reverse());
  const merged: Delivery[] = [];
  for (;;) {
    let first: Delivery[] | undefined;
    for (const one of waiting)
      if ((one.at(-1)?.time ?? Infinity) < (first?.at(-1)?.time ?? Infinity)) first = one;
    const next = first?.pop();
    if (next === undefined) return merged;
    merged.push(next);
  }
}
