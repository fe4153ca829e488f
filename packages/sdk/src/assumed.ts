/*
 * The contract does not show the records of reads, nor the `result` of changes. What this package assumes of them
 * stands in this file: a list is `{ records, total, limited }`, one record `{ record }`, and a record that can be
 * changed has `revision` and `label`. Where an answer differs, resource objects say so; the bare operations and the
 * `result` of a change hand on what the server sent.
 */
import { ServerError } from './errors/failed.ts';
import { invalidInput } from './errors/refused.ts';

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Hands on a part of an answer, and refuses one that is not as assumed. */
function assume<T>(part: T, isAsAssumed: boolean, resource: string): T {
  if (isAsAssumed) return part;
  throw new ServerError(`unexpected answer on ${resource}`, { code: 'UNEXPECTED_SHAPE' });
}

/** The page in the answer to reading a list. */
export function pageOf<P extends { readonly records: readonly unknown[] }>(answer: P, resource: string): P {
  return assume(answer, Array.isArray(answer.records), resource);
}

/** Whether records exist past those of a page that began at `offset`. */
export function hasMore(
  page: { records: readonly unknown[]; total: number; limited: boolean },
  offset: number,
) {
  return page.limited || offset + page.records.length < page.total;
}

/** The record in the answer to reading one. */
export function recordOf<T>({ record }: { readonly record: T }, resource: string): T {
  return assume(record, isObject(record), resource);
}

/** The guards of a change, out of the record it is made from. */
export function guardsOf(record: { readonly revision: string; readonly label: string }): {
  expectedRevision: string;
  expectedLabel: string;
} {
  const { revision, label } = record;
  if (typeof revision === 'string' && typeof label === 'string') {
    return { expectedRevision: revision, expectedLabel: label };
  }
  throw invalidInput('pass the record as read');
}
