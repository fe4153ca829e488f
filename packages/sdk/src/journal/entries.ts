import type { ErrorOutcome } from '../errors/base.ts';
import { intentKnown } from '../errors/create-errors.ts';
import { codeMeanings } from '../generated/code-meanings.ts';
import type { JournalEntry, JournalListOptions } from './journal.ts';

/**
 * How long after its deadline a call may still record its outcome, in milliseconds. A journal that cannot know whether the
 * holder of an entry is alive releases the entry this long after the deadline of the hold.
 *
 * @example
 * const leaseMs = (hold: Hold) => Date.parse(hold.deadline) - Date.now() + holdGraceMs;
 * console.log(leaseMs({ token: 'c0ffee', deadline: entry.deadline })); // for a store with its own clock
 */
export const holdGraceMs = 5_000;

/** Returns whether the server knows the id of a write with other input. What it did under the id stays unknown. */
export function isIntentKnown({ state, error }: Pick<JournalEntry, 'state' | 'error'>): boolean {
  return state === 'unknown' && error?.reason === intentKnown;
}

/**
 * Returns whether nothing is left to find out about a write by sending it again: it is applied, refused or abandoned, or
 * the server knows its id with other input.
 */
export function isSettled(entry: Pick<JournalEntry, 'state' | 'error'>): boolean {
  return (entry.state !== 'pending' && entry.state !== 'unknown') || isIntentKnown(entry);
}

/** Returns whether the input of a write had no effect, so that a call with its id may send another input. */
export function isFree(entry: Pick<JournalEntry, 'state' | 'error'>): boolean {
  return isSettled(entry) && entry.state !== 'applied';
}

/** Returns what an error says about the write of an entry: one that has not ended may be applied. */
export function toOutcome({ state }: Pick<JournalEntry, 'state'>): ErrorOutcome {
  return state === 'pending' ? 'unknown' : state;
}

/**
 * Returns whether `resumeAll()` includes a write: it is pending or unknown, and sending it again can settle it. It cannot
 * if the server knows the id with other input (`error.reason` is `intent-known`).
 *
 * @example
 * const open = (await client.operations.list()).filter(isOpen); // pending or unknown
 * console.log(open.length);
 */
export function isOpen(entry: Pick<JournalEntry, 'state' | 'error'>): boolean {
  return !isSettled(entry);
}

/** Returns whether an attempt of an edit was refused as stale. Its id must not be used again. */
export function wasStale({ format, error }: Pick<JournalEntry, 'format' | 'error'>): boolean {
  // Format 1 has no meanings: what wrote it knew the default codes alone.
  if (format === 1) return error?.code === codeMeanings.staleRevision.code;
  return error?.meaning === 'staleRevision';
}

/** Compares entries by creation time, then by id: the order of a list. */
export function compareEntries(
  a: Pick<JournalEntry, 'createdAt' | 'operationId'>,
  b: Pick<JournalEntry, 'createdAt' | 'operationId'>,
): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1;
  if (a.operationId === b.operationId) return 0;
  return a.operationId < b.operationId ? -1 : 1;
}

/** Returns whether an entry is in a list with these options, whatever its limit. */
export function isListed(
  entry: Pick<JournalEntry, 'state' | 'error' | 'createdAt' | 'operationId'>,
  { open = false, state, after }: JournalListOptions,
): boolean {
  if (open && !isOpen(entry)) return false;
  if (state !== undefined && entry.state !== state) return false;
  return after === undefined || compareEntries(entry, after) > 0;
}

/** Returns when a hold with this deadline ends at the latest, in milliseconds since the epoch. */
export function getHoldEnd(deadline: string): number {
  return Date.parse(deadline) + holdGraceMs;
}
