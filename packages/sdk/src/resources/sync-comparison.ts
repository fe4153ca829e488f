import { ConflictError } from '../errors/refused.ts';
import { labelFields } from '../generated/resources.ts';
import { type ListChanges, watchListChanges } from '../lists/list-changes.ts';
import type { CallOptions } from '../options/options.ts';
import type { ChatApi } from '../pipeline/chat-api.ts';
import { mergeData } from '../shapes/contains-data.ts';
import { getDataLabel, groupByLabel, hasRecordData, toComparableLabel } from '../shapes/labels.ts';
import { createUndescribedError } from '../shapes/shape-errors.ts';
import type { ConfigurationResource, Guarded, ResourceRecords } from '../types.ts';
import { recordsSince } from './create-once.ts';
import { createAmbiguousError, isWithin } from './find.ts';
import type { PreparedSync, SyncItem, SyncRow } from './sync-options.ts';
import type { FoundRecord } from './upsert-writes.ts';

type Record<R extends ConfigurationResource> = Guarded<ResourceRecords[R]>;

/** The records of a resource, all with their data. */
export interface ReadList<R extends ConfigurationResource> extends Pick<ListChanges, 'hasMissed'> {
  readonly records: readonly Record<R>[];
}

/** Reads the list of a resource once, whole. */
export async function readList<R extends ConfigurationResource>(
  api: ChatApi,
  resource: R,
  call: CallOptions,
  onReadById: () => void,
): Promise<ReadList<R>> {
  const { addPage, hasMissed } = watchListChanges(api, resource, call);
  const options = { onReadById, onPage: addPage };
  return { records: await recordsSince(api, resource, () => false, call, options), hasMissed };
}

/** What a list has of the rows of a sync. */
export interface RowComparison<R extends ConfigurationResource> {
  /** The record with the label of each row, or the error if there are several. */
  readonly found: ReadonlyMap<SyncRow<R>, FoundRecord<R> | ConflictError>;
  /** The records that may be deleted, because no row names them. */
  readonly others: readonly Record<R>[];
}

/** Finds the record of each row by its label, and compares them. */
export function compareRows<R extends ConfigurationResource>(
  resource: R,
  { rows, where, maxDeletions }: PreparedSync<R>,
  records: readonly Record<R>[],
): RowComparison<R> {
  const compared = records.filter((record) => isWithin(resource, where, record));
  const byLabel = groupByLabel(compared, (record) => getDataLabel(resource, record));
  const find = ({ label, data }: SyncRow<R>): FoundRecord<R> | ConflictError => {
    const matches = byLabel.get(toComparableLabel(label)) ?? [];
    if (matches.length > 1) return createAmbiguousError(resource, [labelFields[resource]], matches);
    const [record] = matches;
    return { record, hasData: record !== undefined && hasRecordData(resource, record, data) };
  };
  const found = new Map(rows.map((row) => [row, find(row)]));
  const labels = groupByLabel(rows, ({ label }) => label);
  const isOther = (record: Record<R>): boolean =>
    !labels.has(toComparableLabel(getDataLabel(resource, record))) && isDraft(resource, record);
  return { found, others: maxDeletions === undefined ? [] : compared.filter(isOther) };
}

/** Whether a record is not a broadcast, or one that is a draft. Throws if the server does not say what it is. */
function isDraft(resource: ConfigurationResource, record: object): boolean {
  if (resource !== 'broadcasts') return true;
  const { status }: { readonly status?: unknown } = record;
  if (typeof status === 'string') return status === 'draft';
  const why =
    'A broadcast has no status, so that deleteOthers cannot know whether it is a draft. Nothing was changed.';
  throw createUndescribedError(resource, {}, why, 'shapes.resources.broadcasts.record.rename.status');
}

/** Throws if more records are to be deleted than allowed. `deleted` is how many the sync deleted before. */
export function requireDeletable(
  resource: ConfigurationResource,
  count: number,
  deleted: number,
  maxDeletions: number,
): void {
  if (count + deleted <= maxDeletions) return;
  const [before, state, pass] =
    deleted > 0
      ? [` this sync deleted ${deleted} before,`, 'Nothing else', 'call sync() again with']
      : ['', 'Nothing', 'pass'];
  throw new ConflictError(
    `No row names ${count} ${resource},${before} and deleteOthers deletes at most ${maxDeletions}. ${state} was changed. Check the rows, or ${pass} deleteOthers: { max: ${count} }.`,
    { code: 'TOO_MANY_DELETIONS', operation: 'readChat' },
  );
}

/**
 * Returns what finds the records that would remain after a sync and have the id of a record in their data. A record that
 * would be created is the row.
 */
export function createUserSearch<R extends ConfigurationResource>(
  records: readonly Record<R>[],
  { found, others }: RowComparison<R>,
): (deleted: Record<R>) => SyncItem<R>[] {
  const removed = new Set(others);
  const pairs = [...found].flatMap(([row, one]) => (one instanceof ConflictError ? [] : { row, ...one }));
  const dataOf = new Map(pairs.map(({ row, record }) => [record, row.data]));
  const remaining = records
    .filter((record) => !removed.has(record))
    .map((item): [SyncItem<R>, object] => [item, mergeData({ ...item }, { ...dataOf.get(item) })]);
  const created = pairs
    .filter(({ record }) => record === undefined)
    .map(({ row }): [SyncItem<R>, object] => [row.item, row.data]);
  const texts = [...remaining, ...created].map(([item, data]) => ({
    item,
    text: JSON.stringify(data).toLowerCase(),
  }));
  return ({ id }) => texts.filter(({ text }) => text.includes(id.toLowerCase())).map(({ item }) => item);
}
