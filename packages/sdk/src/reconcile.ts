import type { Core } from './core.ts';
import { NotFoundError } from './errors/refused.ts';
import { isSettled } from './journal/journal.ts';
import { inputIn } from './operation.ts';
import { canonicalJson } from './operation-id.ts';
import { entryOf } from './operations.ts';
import type { CallOptions } from './options.ts';
import { boundedList, offsetList } from './resources/guarded.ts';
import type { Operations } from './resources/operations-of.ts';

/**
 * What a reconciliation rests on. The first three prove something; the others leave it open, because records do not
 * say which operation made them so.
 *
 * - `settled`: the journal has the outcome: the server's answer, or that nothing was sent.
 * - `unchanged-so-far`: the record is at the revision the change was made from. It was not applied when it was read;
 *   a request still on its way may apply it yet.
 * - `overtaken`: of a deletion: the record is there, changed by somebody else, so it never will be applied.
 * - `under-way`: a call may be at work on it, until the `deadline` in its entry. Nothing was read.
 * - `as-intended`: the records are as the change would have them; somebody else may have made them so.
 * - `otherwise`: they are not; it was not applied, or somebody changed or deleted them since.
 * - `not-readable`: keywords, which this API does not show.
 */
export type Evidence =
  | 'settled'
  | 'unchanged-so-far'
  | 'overtaken'
  | 'under-way'
  | 'as-intended'
  | 'otherwise'
  | 'not-readable';

/** What is known of a write whose outcome is open. */
export interface Reconciliation {
  readonly operationId: string;
  /** `applied` and `not-applied` are proven, as of `asOf`; whatever a rival could have brought about is not. */
  readonly verdict: 'applied' | 'not-applied' | 'cannot-tell';
  readonly evidence: Evidence;
  /** When it was looked at; ISO 8601. */
  readonly asOf: string;
  /** The records it rests on: the one the change is about, or those made since that are as it would make one. */
  readonly records: readonly unknown[];
}

const proofs: readonly Evidence[] = ['settled', 'unchanged-so-far', 'overtaken'];

type Fields = Record<string, unknown>;

/** How far the clocks of this machine and the server may be apart. */
const skewMs = 5 * 60_000;

export async function reconcile(
  core: Core,
  api: Operations,
  operation: string | { readonly operationId?: string | undefined },
  options?: CallOptions,
): Promise<Reconciliation> {
  const named: { operationId?: string } = Object(operation);
  const entry = await entryOf(core, named.operationId ?? `${operation}`);
  const { operationId, kind, createdAt, state, deadline } = entry;
  const { action, resource, id, accountId, userId, scenarioId, tagIds, data, expectedRevision } =
    inputIn(entry);
  // A deletion alone names its resource beside its action.
  const kindOfRecord = userId ? 'friends' : `${resource ?? action}`.replace(/^(create|update)-/, '');
  const query = { resource: kindOfRecord, id, accountId, userId };
  const intended: Fields = { scenarioId, tagIds, ...(data as Fields) };
  const asOf = new Date().toISOString();
  let records: Fields[] = [];

  async function look(): Promise<Evidence> {
    if (isSettled(entry)) return 'settled';
    if (kind === 'keywords') return 'not-readable';
    if (state === 'pending' && deadline > asOf) return 'under-way';
    if (!expectedRevision) {
      records = await madeSince();
      return records[0] ? 'as-intended' : 'otherwise';
    }
    try {
      records = [(await api.read<{ record: Fields }>(query, options)).data.record];
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      // A 404 may also say that nothing can be read at all just now; then this throws as well.
      await api.read({ resource: kindOfRecord, limit: 1 }, options);
    }
    const [record] = records;
    if (record?.revision === expectedRevision) return 'unchanged-so-far';
    if (resource) return record ? 'overtaken' : 'as-intended';
    return record && holds(record, intended) ? 'as-intended' : 'otherwise';
  }

  /** Lists are newest first; so what is older than the change ends the search. */
  async function madeSince(): Promise<Fields[]> {
    const found: Fields[] = [];
    const list = scenarioId
      ? (
          await boundedList<Fields>(api, () => ({
            query: { ...query, resource: 'friend-automations' },
            options,
          }))
        ).records
      : offsetList<Fields>(api, () => ({ query, options }));
    for await (const record of list) {
      if (Date.parse(`${record.createdAt ?? record.enrolledAt}`) < Date.parse(createdAt) - skewMs) break;
      if (holds(record, intended)) found.push(record);
    }
    return found;
  }

  const evidence = await look();
  const verdict = state === 'applied' ? state : proofs.includes(evidence) ? 'not-applied' : 'cannot-tell';
  return { operationId, verdict, evidence, asOf, records };
}

/** Whether a record has the data that are given, as the server keeps them: text is trimmed. */
export function holds(record: Fields, data: Fields): boolean {
  const kept = (value: unknown): string => canonicalJson(value ?? null, (text) => text.trim());
  return Object.entries(data).every(
    ([name, value]) => value === undefined || kept(record[name]) === kept(value),
  );
}
