import type { Outcome } from './classify.ts';
import type { Core } from './core.ts';
import type { OrgChatError } from './errors/index.ts';
import type { JournalEntry } from './journal/journal.ts';

/** Records what an operation came to. */
export async function settle(
  core: Core,
  entry: JournalEntry,
  outcome: Outcome,
  attempts: number,
  error: OrgChatError | undefined,
  value: unknown,
): Promise<void> {
  const { error: _before, ...kept } = entry;
  const settled: JournalEntry = {
    ...kept,
    // What was applied once stays applied, whatever a later question about it comes to.
    state: entry.state === 'applied' ? 'applied' : outcome,
    updatedAt: new Date().toISOString(),
    attempts: entry.attempts + attempts,
    ...(error && { error: errorFacts(error) }),
    ...(entry.kind === 'keywords' && outcome === 'applied' && { result: value }),
  };
  try {
    await core.journal.settle(settled);
  } catch (cause) {
    // The answer stands; the entry stays pending and is asked about again by resumeAll().
    const message = `the outcome could not be recorded: ${cause instanceof Error ? cause.message : 'unknown reason'}`;
    core.emitter.emit('journal', () => ({
      type: 'journal',
      problem: { where: entry.operationId, reason: 'write', message: core.redactor.text(message) },
    }));
  }
}

function errorFacts({ code, status, requestId }: OrgChatError): NonNullable<JournalEntry['error']> {
  return { code, ...(status !== undefined && { status }), ...(requestId !== undefined && { requestId }) };
}
