import type { Trace } from './journal/journal.ts';
import type { Caller } from './steps/authenticate.ts';
import type { Command } from './steps/validate.ts';
import type { World } from './world.ts';

/** A request that passed every check of its caller and its body, ready to be applied. */
export interface Exchange {
  readonly world: World;
  readonly caller: Caller;
  readonly trace: Trace;
}

/** The command of an operation. */
export type CommandOf<O extends Command['operation']> = Extract<Command, { operation: O }>;

/** What applying comes to: a success, or an outcome that a fault made unknown. */
export type Applied =
  | { readonly status: number; readonly body: string }
  | { readonly lost: 'reset' | 500 | 502 };
