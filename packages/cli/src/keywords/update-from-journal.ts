import { isOpen, type OperationEntry, type OrgChatClient } from '@orgchat/sdk';
import { isObject } from '@orgchat/spec/is-object';
import { isUuid } from '../args/value-parsers.ts';
import type { Destination, SentRequest } from './import-record.ts';

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

const fields = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});

/** Whether a keyword request went to this site and group. */
function wasSentTo({ kind, path, body }: OperationEntry, { site, group }: Destination): boolean {
  if (kind !== 'keywords' || path !== `/sites/${encodeURIComponent(site)}/keywords`) return false;
  return fields(JSON.parse(body)).group === group;
}

/**
 * Updates the requests of an import from the journal: those that a dead process was sending, and those that were lost
 * outside of an import. If the journal of this key has no entry, a request that was started stays unknown: another
 * key may have sent it.
 */
export async function addJournalState(
  client: OrgChatClient,
  destination: Destination,
  requests: readonly SentRequest[],
): Promise<SentRequest[]> {
  // Reads only the entries it needs, because a journal may have very many.
  const found = await Promise.all(
    requests
      .filter(({ state, operationId }) => state === 'sending' && isUuid(operationId))
      .map(({ operationId }) => client.operations.get(operationId)),
  );
  const entries = new Map<string, OperationEntry>();
  for (const entry of [...(await client.operations.list({ open: true })), ...found]) {
    if (entry && wasSentTo(entry, destination)) entries.set(entry.operationId, entry);
  }
  const updated = requests.flatMap((request): SentRequest[] => {
    const entry = entries.get(request.operationId);
    entries.delete(request.operationId);
    if (request.state !== 'sending') return [request];
    if (entry?.state === 'refused' || entry?.state === 'abandoned') return [];
    if (entry?.state !== 'applied') return [{ ...request, state: 'unknown' }];
    const { added, skipped } = fields(entry.result);
    return [{ ...request, state: 'added', added: strings(added), skipped: strings(skipped) }];
  });
  const elsewhere = [...entries.values()].filter(isOpen).map(({ operationId, body }): SentRequest => {
    const keywords = strings(fields(JSON.parse(body)).keywords);
    return { operationId, keywords, state: 'unknown', added: [], skipped: [] };
  });
  return [...updated, ...elsewhere];
}
