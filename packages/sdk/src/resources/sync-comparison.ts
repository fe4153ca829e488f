import { ConflictError } from '../errors/refused.ts';
import { labelFields } from '../generated/resources.ts';
import type { CallOptions } from '../options/options.ts';
import type { ChatApi } from '../pipeline/endpoints.ts';
import { mergeData } from '../shapes/contains-data.ts';
import { getDataLabel, groupByLabel, hasRecordData, toComparableLabel } from '../shapes/labels.ts';
import { createUndescribedError } from '../shapes/shape-errors.ts';
import type { ConfigurationResource, Guarded, ResourceRecords } from '../types.ts';
import { recordsSince } from './create-once.ts';
import { createAmbiguousError, isWithin } from './find.ts';
import type { PreparedSync, SyncRow } from './sync-options.ts';
import type { FoundRecord } from './upsert.ts';

type Record<R extends ConfigurationResource> = Guarded<ResourceRecords[R]>;

/** The records of a resource, all with their data. */
export interface ReadList<R extends ConfigurationResource> {
  readonly records: readonly Record<R>[];
  /** Whether records were created or deleted between two pages. */
  readonly isChanged: boolean;
  /** How many records were read by their id. */
  readonly readById: number;
}

/** Reads the list of a resource once, whole. */
export async function readList<R extends ConfigurationResource>(
  api: ChatApi,
  resource: R,
  call: CallOptions,
): Promise<ReadList<R>> {
  const totals = new Set<number | undefined>();
  let readById = 0;
  const records = await recordsSince(api, resource, () => false, call, {
    onReadById: () => void readById++,
    onTotal: (total) => void totals.add(total),
  });
  return { records, isChanged: totals.size > 1, readById };
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

/** Throws if more records are to be deleted than allowed. */
export function requireDeletable(resource: ConfigurationResource, count: number, maxDeletions: number): void {
  if (count <= maxDeletions) return;
  throw new ConflictError(
    `No row names ${count} ${resource}, and deleteOthers deletes at most ${maxDeletions}. Nothing was changed. Check the rows, or pass deleteOthers: { max: ${count} }.`,
    { code: 'TOO_MANY_DELETIONS', operation: 'readChat' },
  );
}

/** Returns what finds the records that would remain after a sync and have the id of a record in their data. */
export function createUserSearch<R extends ConfigurationResource>(
  records: readonly Record<R>[],
  { found, others }: RowComparison<R>,
): (deleted: Record<R>) => Record<R>[] {
  const removed = new Set(others);
  const dataOf = new Map(
    Array.from(found, ([{ data }, one]) => ['record' in one ? one.record : undefined, data]),
  );
  const texts = records
    .filter((record) => !removed.has(record))
    .map((record) => ({
      record,
      text: JSON.stringify(mergeData({ ...record }, { ...dataOf.get(record) })).toLowerCase(),
    }));
  return ({ id }) => texts.filter(({ text }) => text.includes(id.toLowerCase())).map(({ record }) => record);
}
