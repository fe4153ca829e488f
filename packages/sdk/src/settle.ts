import type { Answered } from './call-promise.ts';
import type { Outcome } from './classify.ts';
import { errorOf } from './errors/from-arrival.ts';
import { OutcomeUnknownError } from './errors/unknown.ts';
import type { Tell } from './events.ts';
import type { Arrival, Pursuit } from './pursuit.ts';

/** Whether another call took the entry of this one, so that this one must not record anything. */
export function isTakenOver({ answer, code }: Arrival): boolean {
  return answer === 'stopped' && code === 'OPERATION_IN_FLIGHT';
}

/** Records what a call came to, tells it, and returns or throws it. */
export async function settle<T>(
  pursuit: Pursuit<T>,
  tell: Tell,
  arrival: Arrival<T>,
  outcome: Outcome,
  attempts: number,
  retryAt: Date | undefined,
): Promise<Answered<T>> {
  const { core, operation, patience } = pursuit;
  // Without an attempt it was answered from the journal.
  const { value, status, headers = new Headers(), requestId } = arrival;
  const entry = operation?.entry;
  const operationId = entry?.operationId;
  const error =
    outcome === 'applied'
      ? undefined
      : errorOf(pursuit, arrival, outcome, { operationId, attempts, retryAt });
  const reason = error instanceof OutcomeUnknownError ? error.reason : undefined;
  if (entry && !isTakenOver(arrival)) {
    const report = (message: string): void =>
      core.emit(() => ({
        type: 'journal',
        problem: { where: entry.operationId, reason: 'write', message },
      }));
    try {
      const settled = {
        format: 2 as const,
        // What was applied once stays applied, whatever a later question about it comes to.
        state: entry.state === 'applied' ? 'applied' : outcome,
        updatedAt: new Date().toISOString(),
        attempts: entry.attempts + attempts,
        error: error && { code: error.code, meaning: error.meaning, reason, status, requestId },
        // A keyword write cannot be asked about again; what it answered is kept.
        result: entry.kind === 'keywords' ? (value ?? entry.result) : undefined,
      };
      // Much cheaper than a spread, to which fields are added.
      const isRecorded = await core.journal.settle(Object.assign({}, entry, settled));
      // An entry that was removed stays removed: who removed it knows.
      if (!isRecorded && (await core.journal.get(entry)))
        report('The outcome was not recorded: another process has taken the operation over.');
    } catch (cause) {
      // The answer stands; the entry stays pending and is asked about again by resumeAll().
      report(core.redactor.text(`${cause}`));
    }
  }
  const durationMs = performance.now() - patience.startedAt;
  const { code: errorCode, meaning } = error ?? {};
  const told = { outcome, attempts, errorCode, meaning, errorReason: reason, status, requestId, durationMs };
  tell({ type: 'outcome', ...told });
  if (error || value === undefined) throw error;
  return { data: value, body: value, status: status ?? 201, headers, requestId, attempts, operationId };
}
