import type { Arrival } from './attempt.ts';
import { type Answered, eventFacts, type Pursuit } from './call.ts';
import type { Outcome } from './classify.ts';
import type { Core } from './core.ts';
import { type Circumstances, errorOf, requestId, unknownOutcome } from './errors/from-arrival.ts';
import type { OrgChatError } from './errors/index.ts';
import type { CallFacts } from './events.ts';
import type { JournalEntry } from './journal/journal.ts';

/** Records what a call came to, tells it, and returns or throws it. */
export async function settle<T>(
  { core, request, operation, resume, patience }: Pursuit<T>,
  facts: CallFacts,
  arrival: Arrival<T>,
  outcome: Outcome,
  around: Circumstances & { readonly attempts: number },
): Promise<Answered<T>> {
  const { response, value } = arrival;
  const { operationId, attempts } = around;
  let error: OrgChatError | undefined;
  if (outcome !== 'applied') error = errorOf(core, request, arrival, around);
  if (error && outcome === 'unknown') {
    const again = resume && operationId !== undefined ? () => resume(operationId) : undefined;
    error = unknownOutcome(error, arrival.answer, again);
  }
  if (operation) await record(core, settled(operation.entry, outcome, attempts, error, value));
  const { startedAt } = patience;
  const told = { outcome, attempts, errorCode: error?.code };
  core.emit(() => ({ ...facts, ...told, ...eventFacts(response, startedAt), type: 'outcome' }));
  if (error || value === undefined) throw error;
  // Without a response it was answered from the journal.
  const { status = 201, headers = new Headers() } = response ?? {};
  return { data: value, status, headers, requestId: requestId(response), attempts };
}

function settled(
  entry: JournalEntry,
  outcome: Outcome,
  attempts: number,
  error: OrgChatError | undefined,
  value: unknown,
): JournalEntry {
  return {
    ...entry,
    // What was applied once stays applied, whatever a later question about it comes to.
    state: entry.state === 'applied' ? 'applied' : outcome,
    updatedAt: new Date().toISOString(),
    attempts: entry.attempts + attempts,
    error: error && { code: error.code, status: error.status, requestId: error.requestId },
    ...(entry.kind === 'keywords' && value !== undefined && { result: value }),
  };
}

async function record(core: Core, entry: JournalEntry): Promise<void> {
  try {
    await core.journal.settle(entry);
  } catch (cause) {
    // The answer stands; the entry stays pending and is asked about again by resumeAll().
    const message = core.redactor.text(`an outcome could not be recorded: ${cause}`);
    core.emit(() => ({ type: 'journal', problem: { where: entry.operationId, reason: 'write', message } }));
  }
}
