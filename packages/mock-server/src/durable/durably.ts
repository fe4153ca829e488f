import type { Outcome } from '../message.ts';
import type { Keeper } from './keeper.ts';

/** Puts an outcome off until what it is about is written. */
export function durably(keeper: Keeper, run: () => Outcome | Promise<Outcome>): Outcome | Promise<Outcome> {
  const held = (outcome: Outcome): Outcome =>
    outcome.kind === 'later' ? { ...outcome, resume: () => durably(keeper, outcome.resume) } : outcome;
  const outcome = run();
  const written = keeper.written();
  if (outcome instanceof Promise) return outcome.then(held);
  return written === undefined ? held(outcome) : written.then(() => held(outcome));
}
