import type { Outcome } from '../message.ts';
import type { Keeper } from './keeper.ts';

/**
 * Puts an outcome off until what it is about is written. If that fails, `refuse` makes the answer: one that shows
 * something unwritten would be a promise that a crash could break. A closed keeper rejects.
 */
export function durably(
  keeper: Keeper,
  run: () => Outcome | Promise<Outcome>,
  refuse: (outcome: Answer, error: unknown) => Outcome,
): Outcome | Promise<Outcome> {
  const held = (outcome: Outcome): Outcome =>
    outcome.kind === 'later'
      ? { ...outcome, resume: () => durably(keeper, outcome.resume, refuse) }
      : outcome;
  const outcome = run();
  const written = keeper.written();
  if (outcome instanceof Promise) return outcome.then(held);
  if (written === undefined) return held(outcome);
  return written.then(
    () => held(outcome),
    (error: unknown) => {
      if (keeper.isClosed) throw error;
      // What is still to come is written, or refused, when it comes; a reset answers nothing.
      return outcome.kind === 'answer' || outcome.kind === 'cut' ? refuse(outcome, error) : held(outcome);
    },
  );
}

type Answer = Extract<Outcome, { kind: 'answer' | 'cut' }>;
