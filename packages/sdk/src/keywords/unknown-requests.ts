import type { ClientContext } from '../client-context.ts';
import { emitUnwritten } from '../events/emitter.ts';
import { dateAfter } from '../timing/deadline.ts';
import type { ImportLedger } from './import-ledger.ts';
import { type KeywordRequest, toAnsweredRequest } from './keyword-requests.ts';

/**
 * Updates unknown requests from the journal: another process may have settled one, and `operations.forget()` may have
 * removed one. `recorded` has the ids that the journal had; of the others it knows nothing.
 */
export async function updateUnknownRequests(
  { journal, target }: ClientContext,
  ledger: ImportLedger,
  recorded: ReadonlySet<string>,
): Promise<void> {
  const withoutEffect: string[] = [];
  for (const request of ledger.requests) {
    const { operationId, state } = request;
    if (state !== 'unknown' || !recorded.has(operationId)) continue;
    const entry = await journal.get({ operationId, target: target() });
    if (entry?.state === 'applied') ledger.record(toAnsweredRequest(request, entry.result));
    else if (!entry || entry.state === 'refused' || entry.state === 'abandoned')
      withoutEffect.push(operationId);
  }
  ledger.removeUnknown(withoutEffect);
}

/**
 * Ends unknown requests whose keywords all have an answer from another request now. If their ids derive from an intent,
 * they get that answer, so that a later run with the intent finds it. Otherwise they are removed from the journal.
 */
export async function endSupersededRequests(
  client: ClientContext,
  ledger: ImportLedger,
  hasIntent: boolean,
): Promise<void> {
  for (const request of ledger.takeSuperseded()) {
    try {
      await (hasIntent ? settleAsAnswered(client, ledger, request) : removeEntry(client, request));
    } catch (cause) {
      emitUnwritten(client, request.operationId, cause);
    }
  }
}

async function removeEntry(
  { journal, target }: ClientContext,
  { operationId }: KeywordRequest,
): Promise<void> {
  await journal.remove({ operationId, target: target() });
}

async function settleAsAnswered(
  { journal, target, callOptions }: ClientContext,
  ledger: ImportLedger,
  { operationId, keywords }: KeywordRequest,
): Promise<void> {
  const deadline = dateAfter(callOptions.timeoutMs).toISOString();
  const claim = await journal.claim(
    { operationId, target: target() },
    { token: crypto.randomUUID(), deadline },
  );
  // Without an entry in the claim, another process is sending it and settles it.
  if (!claim?.entry) return;
  const isAdded = (keyword: string): boolean => ledger.getStatus(keyword) === 'added';
  const result = {
    added: keywords.filter(isAdded),
    skipped: keywords.filter((keyword) => !isAdded(keyword)),
  };
  const updatedAt = new Date().toISOString();
  await journal.settle({ ...claim.entry, state: 'applied', error: undefined, result, updatedAt });
}
