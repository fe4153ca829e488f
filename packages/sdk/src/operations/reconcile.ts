import type { ClientContext } from '../client-context.ts';
import { intentKnown } from '../errors/create-errors.ts';
import { NotFoundError } from '../errors/refused.ts';
import { labelFields } from '../generated/resources.ts';
import { isIntentKnown, isSettled } from '../journal/entries.ts';
import { createOffsetList, readBoundedList } from '../lists/record-list.ts';
import type { CallOptions } from '../options/options.ts';
import type { ChatApi } from '../pipeline/chat-api.ts';
import { createJournalContext } from '../pipeline/endpoints.ts';
import { toRecordQuery } from '../pipeline/stale-evidence.ts';
import { useJournal } from '../pipeline/use-journal.ts';
import { createRowReader } from '../resources/find.ts';
import { containsData } from '../shapes/contains-data.ts';
import { getCreationTime, timesDescend } from '../shapes/record-times.ts';
import type { ConfigurationResource, ResourceRecords } from '../types.ts';
import { parseInput, requireEntry, resolveOperationId } from '../write/operation.ts';

/**
 * What a reconciliation found. The first three prove something. The others do not, because records do not say which
 * operation changed them.
 *
 * - `settled`: the journal has the outcome: the server's answer, or that nothing was sent.
 * - `unchanged-so-far`: the record is at the revision the change was made from. It was not applied when it was read;
 *   a request still on its way may apply it yet.
 * - `superseded`: of a deletion: the record exists and someone else changed it, so the deletion will be refused.
 * - `in-progress`: a call may be in progress until the `deadline` of its entry. Nothing was read.
 * - `matches`: the records are as the change would have made them; someone else may have done it.
 * - `intent-known`: the server knows the id or intent with other input: an earlier call with it, perhaps on another
 *   machine, was applied, is uncertain or is still running. The records do not show it.
 * - `differs`: the records are different: the change was not applied, or someone changed or deleted them since.
 * - `not-readable`: keywords, which this API does not show.
 */
export type Evidence =
  | 'settled'
  | 'unchanged-so-far'
  | 'superseded'
  | 'in-progress'
  | 'matches'
  | 'intent-known'
  | 'differs'
  | 'not-readable';

/** What is known of a write whose outcome is open. */
export interface Reconciliation {
  readonly operationId: string;
  /**
   * `applied` and `not-applied` are proven, as of `checkedAt`. A state that someone else could have caused proves
   * neither.
   */
  readonly verdict: 'applied' | 'not-applied' | 'inconclusive';
  readonly evidence: Evidence;
  /** When it was looked at; ISO 8601. */
  readonly checkedAt: string;
  /** The records it rests on: the one the change is about, or those made since that are as it would make one. */
  readonly records: readonly unknown[];
}

const proofs: readonly Evidence[] = ['settled', 'unchanged-so-far', 'superseded'];

type Fields = Record<string, unknown>;

/** How far the clocks of this machine and the server may be apart. */
const skewMs = 5 * 60_000;

export async function reconcile(
  client: ClientContext,
  api: ChatApi,
  operation: string | { readonly operationId?: string | undefined },
  options?: CallOptions,
): Promise<Reconciliation> {
  const named: { operationId?: string } = Object(operation);
  const key = resolveOperationId(client, { operationId: named.operationId ?? `${operation}` });
  const context = createJournalContext(client, options);
  const entry = await useJournal(
    context,
    key.operationId,
    (journal) => requireEntry(journal, key),
    'unknown',
  );
  const { operationId, kind, createdAt, state, deadline } = entry;
  const isKnown = isIntentKnown(entry);
  const change = parseInput(entry);
  const { resource, scenarioId, tagIds, data, expectedRevision } = change;
  const query = toRecordQuery(change);
  const intended: Fields = { scenarioId, tagIds, ...(data as Fields) };
  const checkedAt = new Date().toISOString();
  let records: Fields[] = [];

  async function findEvidence(): Promise<Evidence> {
    if (isSettled(entry) && !isKnown) return 'settled';
    if (kind === 'keywords') return 'not-readable';
    if (state === 'pending' && deadline > checkedAt) return 'in-progress';
    if (!expectedRevision) {
      records = await findRecordsCreatedSince();
      return records[0] ? 'matches' : 'differs';
    }
    try {
      records = [(await api.readRecord<Fields>(query, options)).data];
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      // A 404 may also say that nothing can be read at all just now; then this throws as well.
      await api.read({ resource: query.resource, limit: 1 }, options);
    }
    const [record] = records;
    if (record?.revision === expectedRevision) return 'unchanged-so-far';
    if (resource) return record ? 'superseded' : 'matches';
    return record && containsData(record, intended) ? 'matches' : 'differs';
  }

  const isOlder = (record: Fields): boolean => getCreationTime(record) < Date.parse(createdAt) - skewMs;

  /** What is older than the change ends the search, if the list shows that it begins with the newest record. */
  async function findRecordsCreatedSince(): Promise<Fields[]> {
    if (scenarioId) {
      const automations = { ...query, resource: 'friend-automations' };
      const { records: all } = await readBoundedList<Fields>(api, () => ({ query: automations, options }));
      return all.filter((record) => !isOlder(record) && containsData(record, intended));
    }
    const found: Fields[] = [];
    const configuration = query.resource as ConfigurationResource;
    const reader = createRowReader(api, configuration, options);
    const label = intended[labelFields[configuration]];
    const list = createOffsetList<ResourceRecords[ConfigurationResource]>(api, () => ({ query, options }), {
      rows: 'any',
    });
    for await (const { records: rows } of list.pages()) {
      for (const row of rows) {
        if (isOlder({ ...row })) continue;
        const record = await reader.complete(row, typeof label === 'string' ? label : undefined);
        if (record && containsData({ ...record }, intended)) found.push({ ...record });
      }
      const isNewestFirst = api.shapes.isNewestFirst(query.resource) && timesDescend(rows);
      if (isNewestFirst && rows.some((row) => isOlder({ ...row }))) break;
    }
    return found;
  }

  const found = await findEvidence();
  // The server knows the id with other input, so nothing proves that the intent had no effect.
  const evidence = isKnown && found !== 'matches' ? intentKnown : found;
  const verdict = state === 'applied' ? state : proofs.includes(evidence) ? 'not-applied' : 'inconclusive';
  return { operationId, verdict, evidence, checkedAt, records };
}
