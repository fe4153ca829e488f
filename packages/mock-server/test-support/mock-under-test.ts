import type { Mock } from '../src/index.ts';
import type { Caller } from './caller.ts';

/** The mock that a test calls, through any adapter. */
export interface MockUnderTest {
  readonly mock: Mock;
  /** Calls with the write key of the demo. */
  readonly caller: Caller;
  /** Moves the clock forward without waiting. */
  readonly pass: (milliseconds: number) => void;
}
