import type { Outcome } from '../http/message.ts';
import type { StateWriter } from './state-writer.ts';

/**
 * Returns an outcome only after its changes were written. If writing fails, `refuse` makes the answer: an answer that
 * shows unwritten changes would be a promise that a crash could break. Rejects if the writer is closed.
 */
export function answerAfterWrite(
  stateWriter: StateWriter,
  run: () => Outcome | Promise<Outcome>,
  refuse: (outcome: Answer, error: unknown) => Outcome,
): Outcome | Promise<Outcome> {
  /** A delayed outcome also waits for its changes when it is resumed. */
  const wrapDelayed = (outcome: Outcome): Outcome =>
    outcome.kind === 'later'
      ? { ...outcome, resume: () => answerAfterWrite(stateWriter, outcome.resume, refuse) }
      : outcome;
  const outcome = run();
  const written = stateWriter.whenWritten();
  if (outcome instanceof Promise) return outcome.then(wrapDelayed);
  if (written === undefined) return wrapDelayed(outcome);
  return written.then(
    () => wrapDelayed(outcome),
    (error: unknown) => {
      if (stateWriter.isClosed) throw error;
      // A later outcome is written, or refused, when it is resumed; a reset answers nothing.
      return outcome.kind === 'answer' || outcome.kind === 'cut'
        ? refuse(outcome, error)
        : wrapDelayed(outcome);
    },
  );
}

type Answer = Extract<Outcome, { kind: 'answer' | 'cut' }>;
