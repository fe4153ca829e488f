/** Why a call ended before its answer. */
export interface Stop {
  readonly by: 'deadline' | 'signal';
  /** The reason of the caller's signal. */
  readonly reason?: unknown;
  /** When what was waited for would have been due. */
  readonly retryAt?: Date | undefined;
}

/** The largest delay a timer takes; a larger one would fire at once. */
const longestTimer = 2 ** 31 - 1;

export function delay(ms: number): number {
  return Math.min(Math.ceil(ms), longestTimer);
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
    if (this.signal?.aborted) return { by: 'signal', reason: this.signal.reason };
    return this.remaining() <= 0 ? { by: 'deadline' } : undefined;
  }

  /**
   * Waits; resolves to why the call ended, or to nothing once the time has come, never earlier, or `event` is over.
   */
  sleep(ms: number, event?: Promise<unknown>): Promise<Stop | undefined> {
    const until = performance.now() + ms;
    return new Promise((resolve) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const finish = (): void => {
        clearTimeout(timer);
        this.signal?.removeEventListener('abort', finish);
        resolve(this.stopped());
      };
      // A timer may fire a little early.
      const wait = (): void => {
        const rest = until - performance.now();
        if (rest <= 0) finish();
        else timer = setTimeout(wait, delay(rest));
      };
      event?.then(finish, finish);
      if (this.signal?.aborted) return finish();
      this.signal?.addEventListener('abort', finish, { once: true });
      wait();
    });
  }
}
