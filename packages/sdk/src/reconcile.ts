import { isObject } from './assumed.ts';
import type { Core } from './core.ts';
import { NotFoundError } from './errors/refused.ts';
import { inputIn } from './operation.ts';
import { canonicalJson } from './operation-id.ts';
import { entryOf } from './operations.ts';
import type { CallOptions } from './options.ts';
import type { Operations } from './resources/operations-of.ts';
import type { RecordPage } from './types.ts';

/** What the records say of a change whose outcome is not known. It is evidence, and it is what was read just now. */
export interface Reconciliation {
  readonly operationId: string;
  readonly verdict: 'applied' | 'not-applied' | 'cannot-tell';
  /** Why, in a few words. */
  readonly evidence: string;
  /** The record it rests on. */
  readonly record?: unknown;
}

type Fields = Record<string, unknown>;

/** How far the clocks of this machine and the server may be apart. */
const skewMs = 5 * 60_000;

export async function reconcile(
  core: Core,
  api: Operations,
  operation: string | { readonly operationId?: string | undefined },
  options?: CallOptions,
): Promise<Reconciliation> {
  const given = typeof operation === 'string' ? operation : operation.operationId;
  const entry = await entryOf(core, `${given}`);
  const { operationId, kind, createdAt } = entry;
  const change = inputIn(entry);
  const { action, id, accountId, userId, scenarioId, tagIds } = change;
  const data = isObject(change.data) ? change.data : { tagIds };
  const [verb, resource] = `${action}`.split(/-(.*)/);
  const found = (verdict: Reconciliation['verdict'], evidence: string, record?: unknown) => ({
    operationId,
    verdict,
    evidence,
    record,
  });
  const isSince = (moment: unknown): boolean => Date.parse(`${moment}`) > Date.parse(createdAt) - skewMs;
  const read = async <A extends object>(query: Fields) => (await api.read<A>(query, options)).data;

  /** Lists are newest first: what was made since is on the first page, or behind as many others made since. */
  async function made(query: Fields, data: Fields, time: string): Promise<Reconciliation> {
    const { records, limited } = await read<RecordPage<Fields>>(query);
    const alike = records.filter((record) => holds(record, data));
    const since = alike.filter((record) => isSince(record[time]));
    if (since.length === 1) return found('applied', 'one like it was made since', since[0]);
    if (alike.length > 0) return found('cannot-tell', 'several are like it, or an older one', alike[0]);
    if (limited && isSince(records.at(-1)?.[time])) return found('cannot-tell', 'too many were made since');
    return found('not-applied', 'none is like it');
  }

  if (kind === 'keywords') return found('cannot-tell', 'keywords cannot be read');
  if (verb === 'create') return made({ resource }, data, 'createdAt');
  if (verb === 'enroll') {
    return made({ resource: 'friend-automations', accountId, userId }, { scenarioId }, 'enrolledAt');
  }
  const isDeletion = verb === 'delete';
  const kindOfRecord = userId ? 'friends' : (change.resource ?? resource);
  let record: Fields;
  try {
    ({ record } = await read<{ record: Fields }>({ resource: kindOfRecord, id, accountId, userId }));
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    // A 404 may also say that nothing can be read at all just now; then this throws as well.
    await read({ resource: kindOfRecord, limit: 1 });
    return found(isDeletion ? 'applied' : 'cannot-tell', 'it is gone');
  }
  if (isDeletion) return found('not-applied', 'it is there', record);
  if (record.revision === change.expectedRevision && record.label === change.expectedLabel) {
    return found('not-applied', 'it did not change', record);
  }
  return holds(record, data)
    ? found('applied', 'it changed to this', record)
    : found('cannot-tell', 'it changed to something else', record);
}

/** Whether a record has the data, as the server keeps it: free text is trimmed, ids are in lower case. */
function holds(record: Fields, data: Fields): boolean {
  return Object.entries(data).every(([name, value]) => kept(record[name]) === kept(value));
}

function kept(value: unknown): string {
  return canonicalJson(value ?? null, (text) =>
    /^[\da-f-]{36}$/i.test(text) ? text.toLowerCase() : text.trim(),
  );
}
