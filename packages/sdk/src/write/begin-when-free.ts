import type { CallEnd, Deadline } from '../timing/deadline.ts';
import { isHeldElsewhere } from './operation.ts';

/** What a call has begun, or why it has ended before. */
export type Start<T> =
  | { readonly begun: T; readonly callEnd?: undefined }
  | { readonly callEnd: CallEnd; readonly begun?: undefined };

/**
 * Begins an operation, which writes to the journal, at most until the deadline. What begins after that is undone. A signal
 * does not end it: a journal write in progress is finished first.
 */
export async function beginInTime<T>(
  begin: () => Promise<T>,
  deadline: Deadline,
  undo: (begun: T) => unknown,
): Promise<Start<T>> {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  deadline.ignoresSignal = true;
  const beginning = begin();
  const callEnd = await deadline.sleep(Infinity, beginning.then(settle, settle));
  deadline.ignoresSignal = false;
  if (isSettled || !callEnd) return { begun: await beginning };
  beginning.then(undo).catch(() => undefined);
  const detail = 'The journal did not answer before the deadline, so nothing was sent.';
  return { callEnd: { ...callEnd, detail } };
}

/** The pauses between two looks, in milliseconds: each is twice as long as the one before. */
const shortestPauseMs = 10;
const longestPauseMs = 1_000;

/**
 * Begins an operation as soon as no other call holds it, for example the call of another process that was delivered the
 * same event. Throws what says that the operation is held once the deadline has passed; returns the end of the call if
 * its signal ends the wait.
 */
export async function beginWhenFree<T>(
  begin: () => Promise<Start<T>>,
  deadline: Deadline,
): Promise<Start<T>> {
  for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await begin();
    } catch (error) {
      if (!isHeldElsewhere(error)) throw error;
      const callEnd = await deadline.sleep(pauseMs);
      if (callEnd?.code === 'ABORTED') return { callEnd };
      if (callEnd) throw error;
    }
  }
}
