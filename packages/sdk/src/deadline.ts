/** Why a call ended before its answer. */
export interface Stop {
  readonly code: 'ABORTED' | 'DEADLINE_EXCEEDED';
  /** The reason of the caller's signal. */
  readonly reason?: unknown;
  /** When what was waited for would have been due. */
  readonly retryAt?: Date | undefined;
}

/** A delay that fits a timer: more than the largest would fire at once. */
export function delay(ms: number): number {
  return Math.min(Math.ceil(ms), 2 ** 31 - 1);
}

/** The moment that many milliseconds from now, within what a Date can hold. */
export function after(ms: number): Date {
  return new Date(Math.min(Date.now() + Math.ceil(ms), 8.64e15));
}

/** How long a call may go on: one deadline, and the caller's signal. */
export class Patience {
  readonly signal: AbortSignal | undefined;
  readonly startedAt = performance.now();
  readonly endsAt: number;

  constructor(timeoutMs: number, signal: AbortSignal | undefined) {
    this.signal = signal;
    this.endsAt = this.startedAt + timeoutMs;
  }

  remaining(): number {
    return this.endsAt - performance.now();
  }

  /** Set once the call is over. */
  stopped(): Stop | undefined {
    const { signal } = this;
    if (signal?.aborted) return { code: 'ABORTED', reason: signal.reason };
    return this.remaining() <= 0 ? { code: 'DEADLINE_EXCEEDED' } : undefined;
  }

  /**
   * Waits; resolves to why the call ended, or to nothing once the time has come, never earlier, or `event` is over.
   */
  sleep(ms: number, event?: Promise<unknown>): Promise<Stop | undefined> {
    const { signal } = this;
    const until = performance.now() + ms;
    return new Promise((resolve) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const finish = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', finish);
        resolve(this.stopped());
      };
      // A timer may fire a little early.
      const wait = (): void => {
        const rest = until - performance.now();
        if (rest <= 0 || signal?.aborted) finish();
        else timer = setTimeout(wait, delay(rest));
      };
      signal?.addEventListener('abort', finish, { once: true });
      event?.then(finish, finish);
      wait();
    });
  }
}
