import type { ClientEvent } from '@orgchat/sdk';

/** How long the last attempt of a call took, and when it was sent and answered, by the clock of this machine. */
export interface LastAttempt {
  readonly attempt: number;
  readonly durationMs: number;
  /** The moment between sending and answer, in milliseconds since 1970. */
  readonly middle: number;
}

/**
 * Measures the last attempt of a call, without the waits and attempts before it. `now` returns milliseconds since 1970.
 */
export function createAttemptMeter(now: () => number = Date.now) {
  let last: LastAttempt | undefined;
  return {
    onEvent(event: ClientEvent): void {
      if (event.type !== 'attempt') return;
      const { attempt, durationMs } = event;
      last = { attempt, durationMs, middle: now() - durationMs / 2 };
    },
    last: (): LastAttempt | undefined => last,
  };
}
