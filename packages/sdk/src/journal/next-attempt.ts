import type { JournalEntry, NextAttempt } from './journal.ts';

const firstMs = 1_000;
const hourMs = 3_600_000;
/** The longest wait in the first hour, and after it. */
const [longestEarlyMs, longestMs] = [300_000, 6 * hourMs];
/** How often an operation is sent again in the first hour, if it is always sent as soon as it may be. */
const repeatsInFirstHour = 20;
/** How much the times of a machine and a store may differ by rounding, in milliseconds. */
const slackMs = 1_000;

/**
 * Returns how long to wait before an operation is sent again, in milliseconds: 1 s, then twice as long each time, up to
 * five minutes in its first hour and six hours later. In 30 days that is fewer than 150 times.
 */
export function nextAttemptDelay(repeats: number, ageMs: number): number {
  const isEarly = ageMs < hourMs || repeats <= repeatsInFirstHour;
  if (isEarly) return Math.min(firstMs * 2 ** (repeats - 1), longestEarlyMs);
  return Math.min(longestEarlyMs * 2 ** (repeats - repeatsInFirstHour), longestMs);
}

/** Returns the next attempt of an operation that was just sent again without a final outcome. */
export function createNextAttempt(
  { nextAttempt, createdAt }: Pick<JournalEntry, 'nextAttempt' | 'createdAt'>,
  now = Date.now(),
): NextAttempt {
  const repeats = (nextAttempt?.repeats ?? 0) + 1;
  const delayMs = nextAttemptDelay(repeats, now - Date.parse(createdAt));
  return { at: new Date(now + delayMs).toISOString(), repeats };
}

/**
 * Returns whether `resumeAll()` may send an operation again. A wait that is longer than any that began with this many
 * repeats says that the clock was wrong, so nothing waits for it.
 */
export function isDue({ nextAttempt }: Pick<JournalEntry, 'nextAttempt'>, now = Date.now()): boolean {
  if (!nextAttempt) return true;
  const restMs = Date.parse(nextAttempt.at) - now;
  return !(restMs > 0 && restMs <= nextAttemptDelay(nextAttempt.repeats, Infinity) + slackMs);
}
