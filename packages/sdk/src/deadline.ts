import { onAbort } from './on-abort.ts';

/** Why a call ended before its answer. */
export interface Stop {
  readonly code: 'ABORTED' | 'DEADLINE_EXCEEDED' | 'OPERATION_IN_FLIGHT';
  /** The reason of the caller's signal. */
  readonly cause?: unknown;
  /** When what was waited for would have been due. */
  readonly retryAt?: Date | undefined;
  /** Set if the deadline would pass before the pacing has a free slot. */
  readonly waitingFor?: 'pacing';
  /** What the code alone does not say: a sentence for the message of the error. */
  readonly detail?: string;
}

/** As late as it gets, in the year 2762: later than any wait, and its ISO 8601 text sorts as those of other moments. */
const latest = 25e12;

/** The moment that many milliseconds from now, or the last one. */
export function after(ms: number, now = Date.now()): Date {
  return new Date(Math.min(now + Math.ceil(ms), latest));
}

/** How long a call may go on: one deadline, and the caller's signal. */
export interface Patience {
  readonly startedAt: number;
  /** When the deadline passes. It moves on while the call waits for a slot that the deadline does not cover. */
  readonly endsAt: number;
  /** The deadline covers everything, the waits for a slot included: it was given by the caller. */
  readonly coversPacing: boolean;
  /** Set once the call is over. */
  stopped(): Stop | undefined;
  /** Ends the call for another reason than its deadline or signal. A wait ends at once. */
  end(stop: Stop): void;
  /**
   * Waits, at most until the deadline; resolves to why the call ended, or to nothing once the time has come, never
   * earlier, or `event`, which never rejects, is over.
   */
  sleep(ms: number, event?: Promise<unknown>): Promise<Stop | undefined>;
  /** Waits for a slot of the pacing: the same, except that the deadline waits as well if it does not cover that. */
  sleepForPacing(ms: number): Promise<Stop | undefined>;
}

/** The largest delay of a timer is 2 ** 31 - 1; more would fire at once. */
const longestTimer = 2e9;

export function patienceFor(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  coversPacing = true,
): Patience {
  const startedAt = performance.now();
  let endsAt = startedAt + timeoutMs;
  let ended: Stop | undefined;
  let wake: (() => void) | undefined;
  const stopped = (): Stop | undefined => {
    if (ended) return ended;
    if (signal?.aborted) return { code: 'ABORTED', cause: signal.reason };
    return performance.now() < endsAt ? undefined : { code: 'DEADLINE_EXCEEDED' };
  };
  // What is no signal is to fail here, before anything is sent.
  signal?.removeEventListener('abort', stopped);

  function sleepUntil(until: number, event?: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      let early = 0;
      const finish = (): void => {
        clearTimeout(timer);
        stopListening?.();
        resolve();
      };
      const wait = (): void => {
        const rest = until - performance.now();
        if (rest <= 0 || signal?.aborted) finish();
        else timer = setTimeout(rest > longestTimer ? wait : fired, Math.min(rest, longestTimer));
      };
      // A timer may fire a little early. If it seems to be far too early, only one of the two clocks is a test's: then
      // the timer is believed, because it would never fire again on a clock that stands still.
      const fired = (): void => (until - performance.now() < 5 && early++ < 3 ? wait() : finish());
      const stopListening = signal && onAbort(signal, finish);
      event?.then(finish);
      wake = finish;
      wait();
    });
  }

  return {
    startedAt,
    get endsAt() {
      return endsAt;
    },
    coversPacing,
    stopped,
    end(stop) {
      ended = stop;
      wake?.();
    },
    async sleep(ms, event) {
      await sleepUntil(Math.min(performance.now() + ms, endsAt), event);
      return stopped();
    },
    async sleepForPacing(ms) {
      const from = performance.now();
      await sleepUntil(from + ms);
      if (!coversPacing) endsAt += Math.max(0, performance.now() - from);
      return stopped();
    },
  };
}
