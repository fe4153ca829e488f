import { onAbort } from './on-abort.ts';

/** Why a call ended without an answer. */
export interface CallEnd {
  readonly code: 'ABORTED' | 'DEADLINE_EXCEEDED' | 'OPERATION_IN_FLIGHT' | 'PACING_FAILED';
  /** The reason of the caller's signal. */
  readonly cause?: unknown;
  /** When the awaited event would have been due. */
  readonly retryAt?: Date | undefined;
  /** Set if the deadline would pass before the pacing has a free slot. */
  readonly waitingFor?: 'pacing';
  /** A sentence for the message of the error, instead of the one for its code. */
  readonly detail?: string;
}

/** The latest date, in the year 2762: later than any wait, and its ISO 8601 text still sorts correctly. */
const latest = 25e12;

/** Returns the date that many milliseconds from now, or the latest date. */
export function dateAfter(ms: number, now = Date.now()): Date {
  return new Date(Math.min(now + Math.ceil(ms), latest));
}

/** How far away `retryAt` may be, in milliseconds: programs turn it into a wait of their own. */
const longestRetry = 32 * 24 * 3_600_000;

/** Returns the `retryAt` that many milliseconds from now, at most 32 days away and never in the past. */
export function retryAfter(ms: number, now = Date.now()): Date {
  return dateAfter(Math.max(0, Math.min(ms, longestRetry)), now);
}

/** Why a call ends that would get no slot of a pacing before its deadline. */
export function createNoSlotEnd(
  pacing: string,
  perMinute: number,
  waitMs: number,
  startedAt: number,
): CallEnd {
  const retryAt = retryAfter(waitMs);
  const enough = Math.ceil(performance.now() + waitMs - startedAt);
  const detail = `The ${pacing} of ${perMinute} requests per minute has no free slot before ${retryAt.toISOString()}. Raise timeoutMs above ${enough}, omit it, or raise pacing.perMinute.`;
  return { code: 'DEADLINE_EXCEEDED', retryAt, waitingFor: 'pacing', detail };
}

/** The end of a call: one deadline, and the signal of the caller. */
export interface Deadline {
  readonly startedAt: number;
  /** When the deadline passes, by performance.now(). It moves while the call waits for a slot it does not cover. */
  readonly endsAt: number;
  /** Whether the deadline covers the waits for the rate limit too: the caller gave it. */
  readonly coversPacing: boolean;
  /** Whether the signal of the caller does not end the call at the moment. */
  ignoresSignal: boolean;
  /** Returns why the call has ended; undefined if it has not. */
  checkEnd(): CallEnd | undefined;
  /** Ends the call for a reason other than its deadline or signal, and any wait at once. */
  end(callEnd: CallEnd): void;
  /**
   * Waits until the time has passed or `event` is settled, at most until the deadline. Resolves to why the call
   * ended, or to undefined. `event` must not reject.
   */
  sleep(ms: number, event?: Promise<unknown>): Promise<CallEnd | undefined>;
  /**
   * Waits until `event` is settled, which must not reject, at most until the deadline, and for `leastMs` even after it.
   * Nothing else ends this wait: no signal, and not `end()`.
   */
  finish(event: Promise<unknown>, leastMs?: number): Promise<undefined>;
  /** Waits for a slot of the rate limit, or `event`. A deadline that does not cover this wait is postponed by it. */
  sleepForPacing(ms: number, event?: Promise<unknown>): Promise<CallEnd | undefined>;
}

/** The largest delay of a timer is 2 ** 31 - 1; more would fire at once. */
const longestTimer = 2e9;

/** Throws a TypeError, before anything is sent, if JavaScript passed something that cannot be listened to. */
export function requireAbortSignal(signal: AbortSignal): void {
  // Removing a listener that was never added changes nothing.
  signal.removeEventListener('abort', () => undefined);
}

export function createDeadline(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  coversPacing = true,
): Deadline {
  const startedAt = performance.now();
  let endsAt = startedAt + timeoutMs;
  let ended: CallEnd | undefined;
  const waits = new Set<() => void>();
  const isAborted = (): boolean => !deadline.ignoresSignal && signal?.aborted === true;
  const checkEnd = (): CallEnd | undefined => {
    if (ended) return ended;
    if (isAborted()) return { code: 'ABORTED', cause: signal?.reason };
    if (performance.now() < endsAt) return undefined;
    const detail = `The deadline of ${timeoutMs} ms passed. To wait longer, raise timeoutMs.`;
    return { code: 'DEADLINE_EXCEEDED', detail };
  };
  if (signal) requireAbortSignal(signal);

  function sleepUntil(until: number, event?: Promise<unknown>, mayEnd = true): Promise<undefined> {
    return new Promise((resolve) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      let earlyCount = 0;
      const finish = (): void => {
        clearTimeout(timer);
        stopListening?.();
        waits.delete(finish);
        resolve(undefined);
      };
      const wait = (): void => {
        const rest = until - performance.now();
        if (rest <= 0 || (mayEnd && isAborted())) finish();
        else timer = setTimeout(rest > longestTimer ? wait : fired, Math.min(rest, longestTimer));
      };
      // A timer may fire a little early. If it fires far too early, a test has replaced only one of the two clocks.
      // Then the timer counts, because a frozen clock would never let it fire again.
      const fired = (): void => (until - performance.now() < 5 && earlyCount++ < 3 ? wait() : finish());
      const stopListening = mayEnd && signal ? onAbort(signal, () => isAborted() && finish()) : undefined;
      event?.then(finish);
      if (mayEnd) waits.add(finish);
      wait();
    });
  }

  const deadline: Deadline = {
    startedAt,
    get endsAt() {
      return endsAt;
    },
    coversPacing,
    ignoresSignal: false,
    checkEnd,
    end(callEnd) {
      ended = callEnd;
      for (const finish of waits) finish();
    },
    async sleep(ms, event) {
      await sleepUntil(Math.min(performance.now() + ms, endsAt), event);
      return checkEnd();
    },
    finish: (event, leastMs = 0) => sleepUntil(Math.max(performance.now() + leastMs, endsAt), event, false),
    async sleepForPacing(ms, event) {
      const from = performance.now();
      await sleepUntil(from + ms, event);
      if (!coversPacing) endsAt += Math.max(0, performance.now() - from);
      return checkEnd();
    },
  };
  return deadline;
}
