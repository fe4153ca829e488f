import { isObject } from './assumed.ts';
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
  options: CallOptions = {},
): Promise<Reconciliation> {
  const given = typeof operation === 'string' ? operation : operation.operationId;
  const { operationId, kind, body, createdAt } = await entryOf(core, `${given}`);
  const change = kind === 'change' ? changeIn(body) : {};
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
    const [record, ...others] = alike.filter((one) => isSince(one[time]));
    if (record && others.length === 0) return found('applied', 'one like it was made since', record);
    if (alike.length > 0)
      return found('cannot-tell', 'several are like it, or one older by the clocks', alike[0]);
    if (limited && isSince(records.at(-1)?.[time])) return found('cannot-tell', 'too many were made since');
    return found('not-applied', 'none is like it');
  }

  /** One record, or undefined where it is gone. */
  async function one(query: Fields): Promise<Fields | undefined> {
    try {
      return (await read<{ record: Fields }>(query)).record;
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      // A 404 may also say that nothing can be read at all just now; then this throws as well.
      await read({ resource: query.resource, limit: 1 });
      return undefined;
    }
  }

  if (kind === 'keywords') return found('cannot-tell', 'keywords cannot be read');
  if (verb === 'create') return made({ resource }, data, 'createdAt');
  if (verb === 'enroll') {
    return made({ resource: 'friend-automations', accountId, userId }, { scenarioId }, 'enrolledAt');
  }
  const isDeletion = verb === 'delete';
  const record = await one(
    userId
      ? { resource: 'friends', accountId, userId }
      : { resource: isDeletion ? change.resource : resource, id },
  );
  if (!record) return found(isDeletion ? 'applied' : 'cannot-tell', 'it is gone');
  if (isDeletion || (record.revision === change.expectedRevision && record.label === change.expectedLabel)) {
    return found('not-applied', 'it is as this change found it, or at least there', record);
  }
  const isAsSent = holds(record, data);
  return found(
    isAsSent ? 'applied' : 'cannot-tell',
    `it changed, ${isAsSent ? 'as this' : 'not as this'} says`,
    record,
  );
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
