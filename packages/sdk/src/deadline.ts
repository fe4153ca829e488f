/** Why a call ended before its answer. */
export interface Stop {
  readonly code: 'ABORTED' | 'DEADLINE_EXCEEDED';
  /** The reason of the caller's signal. */
  readonly cause?: unknown;
  /** When what was waited for would have been due. */
  readonly retryAt?: Date | undefined;
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
  readonly endsAt: number;
  /** Set once the call is over. */
  stopped(): Stop | undefined;
  /**
   * Waits, at most until the deadline; resolves to why the call ended, or to nothing once the time has come, never
   * earlier, or `event`, which never rejects, is over.
   */
  sleep(ms: number, event?: Promise<unknown>): Promise<Stop | undefined>;
}

export function patienceFor(timeoutMs: number, signal: AbortSignal | undefined): Patience {
  const startedAt = performance.now();
  const endsAt = startedAt + timeoutMs;
  const stopped = (): Stop | undefined => {
    if (signal?.aborted) return { code: 'ABORTED', cause: signal.reason };
    return performance.now() < endsAt ? undefined : { code: 'DEADLINE_EXCEEDED' };
  };
  // What is no signal is to fail here, before anything is sent.
  signal?.removeEventListener('abort', stopped);
  return {
    startedAt,
    endsAt,
    stopped,
    sleep(ms, event) {
      const until = Math.min(performance.now() + ms, endsAt);
      return new Promise((resolve) => {
        let timer: ReturnType<typeof setTimeout> | undefined;
        const finish = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', finish);
          resolve(stopped());
        };
        // A timer may fire a little early.
        const wait = (): void => {
          const rest = until - performance.now();
          if (rest <= 0 || signal?.aborted) finish();
          // More than the largest delay of a timer, 2 ** 31 - 1, would fire at once.
          else timer = setTimeout(wait, Math.min(rest, 2e9));
        };
        signal?.addEventListener('abort', finish);
        event?.then(finish);
        wait();
      });
    },
  };
}
