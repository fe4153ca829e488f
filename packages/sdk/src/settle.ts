import type { Arrival } from './attempt.ts';
import { type Answered, eventFacts, type Pursuit } from './call.ts';
import type { Outcome } from './classify.ts';
import { type Circumstances, errorOf, requestId, unknownOutcome } from './errors/from-arrival.ts';
import type { CallFacts } from './events.ts';

/** Records what a call came to, tells it, and returns or throws it. */
export async function settle<T>(
  { core, request, operation, resume, patience }: Pursuit<T>,
  facts: CallFacts,
  arrival: Arrival<T>,
  outcome: Outcome,
  around: Circumstances & { readonly attempts: number },
): Promise<Answered<T>> {
  const { response, value, answer } = arrival;
  const { operationId, attempts } = around;
  let error = outcome === 'applied' ? undefined : errorOf(core, request, arrival, around);
  if (error && outcome === 'unknown') error = unknownOutcome(error, answer, resume);
  if (operation) {
    const { entry } = operation;
    try {
      await core.journal.settle({
        ...entry,
        // What was applied once stays applied, whatever a later question about it comes to.
        state: entry.state === 'applied' ? 'applied' : outcome,
        updatedAt: new Date().toISOString(),
        attempts: entry.attempts + attempts,
        error: error && { code: error.code, status: error.status, requestId: error.requestId },
        // A keyword write cannot be asked about again; what it answered is kept.
        result: entry.kind === 'keywords' ? (value ?? entry.result) : undefined,
      });
    } catch (cause) {
      // The answer stands; the entry stays pending and is asked about again by resumeAll().
      const problem = {
        where: entry.operationId,
        reason: 'write' as const,
        message: core.redactor.text(`${cause}`),
      };
      core.emit(() => ({ type: 'journal', problem }));
    }
  }
  const told = { outcome, attempts, errorCode: error?.code };
  core.emit(() => ({ ...facts, ...told, ...eventFacts(response, patience.startedAt), type: 'outcome' }));
  if (error || value === undefined) throw error;
  // Without a response it was answered from the journal.
  const { status = 201, headers = new Headers() } = response ?? {};
  return { data: value, status, headers, requestId: requestId(response), attempts, operationId };
}
