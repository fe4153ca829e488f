import type { AdapterAction } from '../http/message.ts';
import type { StateWriter } from './state-writer.ts';

/**
 * Returns an action only after its changes were written. If writing fails, `refuse` makes the answer: an answer that
 * shows unwritten changes would be a promise that a crash could break. Rejects if the writer is closed.
 */
export function answerAfterWrite(
  stateWriter: StateWriter,
  run: () => AdapterAction | Promise<AdapterAction>,
  refuse: (action: Answer, error: unknown) => AdapterAction,
): AdapterAction | Promise<AdapterAction> {
  /** A delayed request also waits for its changes when it is resumed. */
  const wrapDelayed = (action: AdapterAction): AdapterAction =>
    action.kind === 'later'
      ? { ...action, resume: () => answerAfterWrite(stateWriter, action.resume, refuse) }
      : action;
  const action = run();
  if (action instanceof Promise)
    return action.then((done) => answerAfterWrite(stateWriter, () => done, refuse));
  const written = stateWriter.whenWritten();
  if (written === undefined) return wrapDelayed(action);
  return written.then(
    () => wrapDelayed(action),
    (error: unknown) => {
      if (stateWriter.isClosed) throw error;
      // A delayed request is written, or refused, when it is resumed; a reset answers nothing.
      return action.kind === 'answer' || action.kind === 'cut' ? refuse(action, error) : wrapDelayed(action);
    },
  );
}

type Answer = Extract<AdapterAction, { kind: 'answer' | 'cut' }>;
