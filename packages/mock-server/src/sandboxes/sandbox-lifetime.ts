import { toIsoString } from '../primitives/clock.ts';

/** Runs a function once, after some milliseconds; returns a function that cancels it. */
export type StartTimer = (milliseconds: number, run: () => void) => () => void;

/** The time of the machine. A mock's own clock does not move it, so that a test that moves its clock keeps its sandbox. */
export interface MachineTime {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds that only grow. */
  readonly monotonicNow: () => number;
  readonly startTimer: StartTimer;
}

/** Ends a sandbox once no request came to it for a time. A request costs only a reading of the clock: the timer stays. */
export class SandboxLifetime {
  readonly ttlMs: number;
  readonly #time: MachineTime;
  readonly #end: () => void;
  #usedAt: number;
  #cancel: () => void = () => {};

  constructor(ttlMs: number, time: MachineTime, end: () => void) {
    this.ttlMs = ttlMs;
    this.#time = time;
    this.#end = end;
    this.#usedAt = time.monotonicNow();
    this.#wait();
  }

  /** Notes a request: the sandbox lives for the whole time again. */
  extend(): void {
    this.#usedAt = this.#time.monotonicNow();
  }

  cancel(): void {
    this.#cancel();
  }

  /** When the sandbox ends if no request comes, as an RFC 3339 date and time. */
  get expiresAt(): string {
    return toIsoString(Math.ceil(this.#time.now() + this.#leftMs));
  }

  get #leftMs(): number {
    return Math.max(0, this.#usedAt + this.ttlMs - this.#time.monotonicNow());
  }

  #wait(): void {
    const leftMs = Math.ceil(this.#leftMs);
    if (leftMs === 0) this.#end();
    else this.#cancel = this.#time.startTimer(leftMs, () => this.#wait());
  }
}
