import { holdGraceMs, type JournalEntry, type JournalListing, type JournalProblem } from '@orgchat/sdk';

/** An entry as a store returns it. */
export interface EntryRow {
  readonly operation_id: string;
  readonly entry: string;
  readonly token: string | null;
  readonly deadline: string;
  /** Milliseconds until the next attempt, by the clock of the store; null if there is none. */
  readonly next_ms: number | null;
}

/**
 * Returns whether an entry is removed if its outcome cannot be recorded: what was refused or never sent leaves nothing to
 * send. The exception is a stale edit, or a later run would use its id again.
 */
export function hasNothingToSend({ state, error }: Pick<JournalEntry, 'state' | 'error'>): boolean {
  return (state === 'refused' || state === 'abandoned') && error?.meaning !== 'staleRevision';
}

/** Returns an entry as text, without what a claim changes: that has columns of its own. */
export function toText({ token: _token, deadline: _deadline, ...rest }: JournalEntry): string {
  return JSON.stringify(rest);
}

/** Returns the entry of a row. Throws an error with a reason if this version cannot read it. */
export function toEntry({
  operation_id: id,
  entry: text,
  token,
  deadline,
  next_ms: nextMs,
}: EntryRow): JournalEntry {
  let stored: Omit<JournalEntry, 'token' | 'deadline'>;
  try {
    stored = JSON.parse(text);
  } catch {
    // The error of JSON.parse quotes what it cannot read.
    throw unusable(
      'truncated',
      `The entry of operation ${id} is not JSON. Delete this journal entry, or restore it from a backup.`,
    );
  }
  if (stored?.operationId !== id || typeof stored.body !== 'string')
    throw unusable(
      'foreign',
      `The row of operation ${id} does not contain its entry. Delete this journal entry, or restore it from a backup.`,
    );
  const { format } = stored as { readonly format: number };
  if (format !== 1 && format !== 2)
    throw unusable('format', `The entry of operation ${id} has format ${format}. Update @orgchat/fleet.`);
  const { nextAttempt, ...rest } = stored;
  return {
    ...rest,
    deadline,
    ...(token !== null && { token }),
    ...(nextAttempt && nextMs !== null && { nextAttempt: { ...nextAttempt, at: toDate(nextMs) } }),
  };
}

/** An entry that cannot be read. The SDK reports its `reason`. */
class UnusableEntryError extends Error {
  readonly reason = 'journal-entry-unusable';
  readonly problem: JournalProblem['reason'];

  constructor(problem: JournalProblem['reason'], message: string) {
    super(message);
    this.name = 'UnusableEntryError';
    this.problem = problem;
  }
}

const unusable = (problem: JournalProblem['reason'], message: string) =>
  new UnusableEntryError(problem, message);

/** How many rows that cannot be used a listing reports. */
const maxProblems = 1_000;

/**
 * Collects the entries of rows, and what of them cannot be used. Rows that cannot be used do not count as entries of a
 * page: it would look like the last one.
 */
export function createListing(): { readonly listing: JournalListing; add(rows: readonly EntryRow[]): void } {
  const entries: JournalEntry[] = [];
  const problems: JournalProblem[] = [];
  return {
    listing: { entries, problems },
    add(rows) {
      for (const row of rows) {
        try {
          entries.push(toEntry(row));
        } catch (error) {
          const { problem: reason = 'foreign', message } = error as UnusableEntryError;
          const operationId = row.operation_id;
          if (problems.length < maxProblems)
            problems.push({ location: operationId, reason, message, operationId });
        }
      }
    },
  };
}

/** Returns how long a hold with this deadline lasts, in milliseconds: a duration, which no clock can get wrong. */
export function leaseMs(deadline: string): number {
  return Date.parse(deadline) - Date.now() + holdGraceMs;
}

/** Returns how long it is until the next attempt of an entry, in milliseconds; null if there is none. */
export function nextAttemptMs({ nextAttempt }: JournalEntry): number | null {
  if (!nextAttempt) return null;
  const ms = Date.parse(nextAttempt.at) - Date.now();
  return Number.isNaN(ms) ? null : ms;
}

/** Returns the time after so many milliseconds of a store, by the clock of this machine. ISO 8601. */
export function toDate(restMs: number): string {
  return new Date(Math.min(Date.now() + Math.ceil(Number(restMs)), latestDate)).toISOString();
}

/** The latest date, in the year 2762, as in the SDK: its ISO 8601 text still sorts correctly. */
const latestDate = 25e12;
