import type { Versions } from '../errors/base.ts';
import type { ApiResponse } from '../results/call-promise.ts';
import type { ResponseShapes } from '../shapes/response-shapes.ts';
import type { ReadQuery } from '../types/read-query.ts';
import { isObject } from '../values.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Reads the record of a guarded change once. Returns both versions if they prove that the change was stale. */
export async function readStaleVersions(
  shapes: ResponseShapes,
  read: (query: ReadQuery) => Promise<ApiResponse<object>>,
  body: string,
): Promise<Versions | undefined> {
  const { change } = JSON.parse(body);
  // A create or an enrollment has no revision, so it cannot be stale.
  if (change.expectedRevision === undefined) return undefined;
  const query = toRecordQuery(change);
  const { data } = await read(query);
  return findStaleVersions(change, shapes.findRecord(query, data));
}

/** Returns the query that reads the record of a change; for a create, the query that lists the resource. */
export function toRecordQuery(change: Fields): ReadQuery {
  const { action, resource, id, accountId, userId } = change;
  if (userId !== undefined) return { resource: 'friends', accountId, userId };
  // A deletion alone names its resource beside its action.
  return { resource: String(resource ?? action).replace(/^(create|update)-/, ''), id };
}

/**
 * Compares what a guarded change expected and sent with the record as it was read afterwards. Returns both versions if
 * they prove that the change was stale: the record is not as expected, and not as the change would have made it.
 * Returns undefined if the record proves nothing.
 */
export function findStaleVersions(change: Fields, current: unknown): Versions | undefined {
  if (!isObject(current) || typeof current.revision !== 'string' || typeof current.label !== 'string') {
    return undefined;
  }
  const { id, accountId, userId, expectedRevision, expectedLabel, tagIds, data } = change;
  const isAsExpected = current.revision === expectedRevision && current.label === expectedLabel;
  const sent = tagIds === undefined ? data : { tagIds };
  if (isAsExpected || (sent !== undefined && mayBeEqual(sent, current))) return undefined;
  const expected = { id, accountId, userId, revision: expectedRevision, label: expectedLabel };
  return { expected, current, data: data ?? tagIds };
}

/** Whether a server may keep what was sent in this form: it may trim, fold letter case, reorder a set, or fill in. */
function mayBeEqual(sent: unknown, kept: unknown): boolean {
  if (isEmpty(sent) && isEmpty(kept)) return true;
  // A field that the record does not show is not comparable.
  if (kept === undefined) return true;
  if (Array.isArray(sent) && Array.isArray(kept)) return areEqualLists(sent, kept);
  if (isObject(sent) && isObject(kept)) {
    return Object.entries(sent).every(([name, value]) => mayBeEqual(value, kept[name]));
  }
  return normalizeScalar(sent) === normalizeScalar(kept);
}

function areEqualLists(sent: readonly unknown[], kept: readonly unknown[]): boolean {
  if ([...sent, ...kept].every((item) => typeof item !== 'object')) {
    const [one, other] = [new Set(sent.map(normalizeScalar)), new Set(kept.map(normalizeScalar))];
    return one.size === other.size && [...one].every((item) => other.has(item));
  }
  return sent.length === kept.length && sent.every((item, i) => mayBeEqual(item, kept[i]));
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

/** A scalar in the form in which two spellings of it are equal. */
function normalizeScalar(value: unknown): string {
  const text = String(value).trim().replace(/\s+/g, ' ').normalize('NFC').toLowerCase();
  // Two spellings of one date-time, such as with and without milliseconds.
  return /^\d{4}-\d\d-\d\dt/.test(text) ? String(Date.parse(text.toUpperCase()) || text) : text;
}
