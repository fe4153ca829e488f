import type { Mock } from '../src/index.ts';
import type { Caller } from './caller.ts';

/** The mock that a test calls, through any adapter. */
export interface MockUnderTest {
  readonly mock: Mock;
  /** Calls with the write key of the demo. */
  readonly caller: Caller;
  /** Lets time pass on the clock, at once. */
  readonly pass: (milliseconds: number) => void;
}
