import type { Mock } from '../../src/index.ts';
import type { Caller } from '../../test-support/caller.ts';

/** What a suite runs against: a mock behind some served. */
export interface Subject {
  readonly mock: Mock;
  /** Calls with the write key of the demo. */
  readonly caller: Caller;
  /** Lets time pass on the clock, at once. */
  readonly pass: (milliseconds: number) => void;
}
