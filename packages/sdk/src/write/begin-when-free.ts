import type { Deadline } from '../timing/deadline.ts';
import { CallEndedError } from './call-journal.ts';
import { isHeldElsewhere } from './operation.ts';

/** The pauses between two looks, in milliseconds: each is twice as long as the one before. */
const shortestPauseMs = 10;
const longestPauseMs = 1_000;

/**
 * Begins an operation as soon as no other call holds it, for example the call of another process that was delivered the
 * same event. Throws what says that the operation is held once the deadline has passed.
 */
export async function beginWhenFree<T>(begin: () => Promise<T>, deadline: Deadline): Promise<T> {
  for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await begin();
    } catch (error) {
      if (!isHeldElsewhere(error)) throw error;
      const callEnd = await deadline.sleep(pauseMs);
      if (callEnd?.code === 'ABORTED') throw new CallEndedError(callEnd);
      if (callEnd) throw error;
    }
  }
}
