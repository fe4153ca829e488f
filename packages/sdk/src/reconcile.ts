import { hasMore, isObject } from './assumed.ts';
import { changeIn } from './bare.ts';
import type { Core } from './core.ts';
import { NotFoundError } from './errors/refused.ts';
import { canonicalJson } from './operation-id.ts';
import { entryOf } from './operations.ts';
import type { CallOptions } from './options.ts';
import type { Operations } from './resources/operations-of.ts';
import type { RecordPage } from './types.ts';

/** What the records say of a change whose outcome is not known. It is evidence, and it is what was read just now. */
export interface Reconciliation {
  readonly operationId: string;
  readonly verdict: 'applied' | 'not-applied' | 'cannot-tell';
  /** Why, in a sentence. */
  readonly evidence: string;
  /** The record it rests on. */
  readonly record?: unknown;
}

type Fields = Record<string, unknown>;

/** How far the clocks of this machine and the server may be apart. */
const skewMs = 5 * 60_000;
/** How many records are looked through for one that was created. */
const longestSearch = 1000;

export async function reconcile(
  core: Core,
  api: Operations,
  operation: string | { readonly operationId?: string | undefined },
  options: CallOptions,
): Promise<Reconciliation> {
  const { operationId, kind, body, createdAt } = await entryOf(
    core,
    typeof operation === 'string' ? operation : String(operation.operationId),
  );
  const found = (verdict: Reconciliation['verdict'], evidence: string, record?: unknown): Reconciliation => ({
    operationId,
    verdict,
    evidence,
    record,
  });
  const isSince = (moment: unknown): boolean => Date.parse(String(moment)) >= Date.parse(createdAt) - skewMs;
  const page = async (query: Fields): Promise<RecordPage<Fields>> =>
    (await api.read<RecordPage<Fields>>(query, options)).data;

  /** One record, or undefined where it is gone. */
  async function one(query: Fields): Promise<Fields | undefined> {
    try {
      return (await api.read<{ record: Fields }>(query, options)).data.record;
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      // A 404 may also say that nothing can be read at all just now; then this throws as well.
      await page({ resource: query.resource, limit: 1 });
      return undefined;
    }
  }

  async function created(resource: string): Promise<Reconciliation> {
    const alike: Fields[] = [];
    let offset = 0;
    let isComplete = false;
    while (offset < longestSearch && !isComplete) {
      const part = await page({ resource, offset });
      alike.push(...part.records.filter((record) => holds(record, data)));
      isComplete = part.records.length === 0 || !hasMore(part, offset);
      offset += part.records.length;
    }
    const [record, ...others] = alike.filter((one) => isSince(one.createdAt));
    if (others.length > 0) return found('cannot-tell', 'several like it were created since');
    if (record) return found('applied', 'one like it was created since', record);
    if (alike.length > 0) return found('cannot-tell', 'one like it is older by the clocks', alike[0]);
    if (!isComplete) return found('cannot-tell', 'none of the latest is like it');
    return found('not-applied', 'none is like it');
  }

  async function enrolled(): Promise<Reconciliation> {
    const { records, limited } = await page({ resource: 'friend-automations', ...friend });
    const all = records.filter(({ scenarioId }) => scenarioId === change.scenarioId);
    const record = all.find(({ enrolledAt }) => isSince(enrolledAt));
    if (record) return found('applied', 'entered since', record);
    if (all.length > 0 || limited) return found('cannot-tell', 'other enrolments may hide it');
    return found('not-applied', 'not entered');
  }

  const change = kind === 'change' ? changeIn(body) : {};
  const { action, id, accountId, userId, expectedRevision, expectedLabel, tagIds } = change;
  const data = isObject(change.data) ? change.data : { tagIds };
  const friend = { accountId, userId };
  const [verb, resource = ''] = String(action).split(/-(.*)/);
  if (verb === 'create') return created(resource);
  if (verb === 'enroll') return enrolled();
  if (kind === 'keywords') return found('cannot-tell', 'keywords cannot be read');
  const isDeletion = verb === 'delete';
  const record = await one(
    userId ? { resource: 'friends', ...friend } : { resource: isDeletion ? change.resource : resource, id },
  );
  if (!record) return found(isDeletion ? 'applied' : 'cannot-tell', 'it is gone');
  if (isDeletion) return found('not-applied', 'it is still there', record);
  if (record.revision === expectedRevision && record.label === expectedLabel) {
    return found('not-applied', 'it has the revision this change was made from', record);
  }
  if (holds(record, data)) return found('applied', 'it has a new revision and holds this data', record);
  return found('cannot-tell', 'it was changed to something else', record);
}

/** Whether a record has the data, as the server keeps it: free text is trimmed, ids are in lower case. */
function holds(record: Fields, data: Fields): boolean {
  return Object.entries(data).every(([name, value]) => kept(record[name]) === kept(value));
}

function kept(value: unknown): string {
  const asKept = (_name: string, item: unknown): unknown => {
    if (typeof item !== 'string') return item;
    return /^[\da-f-]{36}$/i.test(item) ? item.toLowerCase() : item.trim();
  };
  return canonicalJson(JSON.parse(JSON.stringify(value ?? null), asKept));
}
