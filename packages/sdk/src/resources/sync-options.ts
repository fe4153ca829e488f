import {
  type BulkProgress,
  defaultConcurrency,
  requireConcurrency,
  requireRunOptions,
} from '../bulk/bulk.ts';
import type { BulkResult } from '../bulk/bulk-item.ts';
import { createInvalidInputError, requireKnown } from '../errors/refused.ts';
import { labelFields } from '../generated/resources.ts';
import { listOptions } from '../options/resolve-options.ts';
import { groupByLabel } from '../shapes/labels.ts';
import { listDataFields } from '../shapes/record-problems.ts';
import type {
  ConfigurationInputs,
  ConfigurationResource,
  DeletableResource,
  Guarded,
  ResourceRecords,
} from '../types.ts';
import { describeId, describeSource, describeType, isObject } from '../values.ts';
import { copyInput } from '../write/input.ts';
import { requireWithin, type Where } from './find.ts';
import { type LabelField, requireLabelField } from './upsert.ts';

/**
 * Options of `sync`.
 *
 * @example
 * const options: SyncOptions<'templates'> = { by: 'name', deleteOthers: { max: 25 } };
 * await client.templates.sync([{ name: 'Welcome', text: 'Hello!' }], { ...options, dryRun: true });
 */
export interface SyncOptions<R extends ConfigurationResource> {
  /** The field that names a record: `name`, for `autoReplies` `keyword`, for `broadcasts` `title`. */
  readonly by: LabelField<R>;
  /**
   * Only records with these fields are compared and deleted, such as those of one account; every row must have the same
   * values. Default: all.
   */
  readonly where?: Where<R> | undefined;
  /**
   * Deletes the records that no row names, after every row is done: at most 10, or at most `max`. If there are more, nothing
   * is changed. A resource with accounts needs `where: { accountId }`. Of broadcasts, only drafts are deleted. Default false.
   */
  readonly deleteOthers?:
    | ([R] extends [DeletableResource] ? boolean | { readonly max: number } : false)
    | undefined;
  /** Only reads, and says what would be done. Default false. */
  readonly dryRun?: boolean | undefined;
  /** How many changes are in progress at once. Default 8. The pacing of the client bounds the requests as always. */
  readonly concurrency?: number | undefined;
  /**
   * If aborted, no further change is started, a request that was sent is finished, and the sync resolves to what is done.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called when the list is compared, and after each change. Rows that need no change count as `done`, with `dryRun` all that
   * do not fail. Errors that it throws are ignored.
   */
  readonly onProgress?: ((progress: BulkProgress) => void) | undefined;
}

/** The options of one run of a sync. */
export type SyncRunOptions = Pick<SyncOptions<ConfigurationResource>, 'signal' | 'onProgress'>;

/** What a sync did with a row, or with a record that no row names. */
export interface SyncValue<R extends ConfigurationResource> {
  /**
   * `unchanged`: the record already had the data of the row, or another program wrote them in the meantime. `deleted`: it is
   * gone, perhaps because another program deleted it in the meantime.
   */
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'deleted';
  /** The record afterwards; of a deletion, as it was before. */
  readonly record: Guarded<ResourceRecords[R]>;
  /** The operation of the change; undefined if nothing was sent. */
  readonly operationId?: string | undefined;
}

/** What a sync with `dryRun` would do. */
export interface SyncPlan<R extends ConfigurationResource> {
  readonly outcome: 'created' | 'updated' | 'deleted';
  /** The record as it is now; undefined if it would be created. */
  readonly record: Guarded<ResourceRecords[R]> | undefined;
  /**
   * Of a deletion: the records that would remain and have its id in their data, as far as the sync read them, and the rows
   * of records that would be created with it. It reads only records of its resource.
   */
  readonly usedBy?: readonly SyncItem<R>[] | undefined;
}

/** What a result is about. */
export type SyncItem<R extends ConfigurationResource> = ConfigurationInputs[R] | Guarded<ResourceRecords[R]>;

/** The result of a row, whose `item` is the row, or of a deletion, whose `item` is the record. */
export type SyncResult<R extends ConfigurationResource> =
  | BulkResult<SyncItem<R>, SyncValue<R>>
  | {
      readonly item: SyncItem<R>;
      /** Of `dryRun`: nothing was done. */
      readonly status: 'planned';
      readonly value: SyncPlan<R>;
      readonly error?: undefined;
    };

/** What a sync did, and how to continue it. With `dryRun`, the counts are what it would do. */
export interface SyncOutcome<R extends ConfigurationResource> {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly deleted: number;
  readonly failed: number;
  readonly unknown: number;
  /** Not started: the signal aborted the sync, or a row is not done, so that nothing is deleted. */
  readonly skipped: number;
  /** Nothing is failed, unknown or skipped. */
  readonly isComplete: boolean;
  /** How many records were read by their id, because the list shows only a part of them. */
  readonly readById: number;
  /** One result per row, in the order of the rows; then one per deletion. */
  readonly results: readonly SyncResult<R>[];
  /**
   * Reads the list again and makes the changes that are not done; the results of the others stay. During a run, it returns
   * the promise of that run. Rejects as `sync()` does.
   *
   * @example
   * let outcome = await client.tags.sync([{ name: 'VIP', color: 'pink' }], { by: 'name' });
   * if (!outcome.isComplete) outcome = await outcome.resume();
   */
  resume(options?: Pick<SyncOptions<R>, 'signal' | 'onProgress'>): Promise<SyncOutcome<R>>;
}

/** A row of a sync. */
export interface SyncRow<R extends ConfigurationResource> {
  /** As it was given. */
  readonly item: ConfigurationInputs[R];
  /** As it is sent. */
  readonly data: ConfigurationInputs[R];
  readonly label: string;
}

/** A sync whose arguments can be used. */
export interface PreparedSync<R extends ConfigurationResource> {
  readonly rows: readonly SyncRow<R>[];
  readonly by: LabelField<R>;
  readonly where: Where<R> | undefined;
  /** The most records that may be deleted; undefined if none is. */
  readonly maxDeletions: number | undefined;
  readonly dryRun: boolean;
  readonly concurrency: number;
}

const runOptions = { signal: true, onProgress: true } as const;
export const syncRunOptionNames = listOptions<SyncRunOptions>(runOptions);
const optionNames = listOptions<SyncOptions<ConfigurationResource>>({
  by: true,
  where: true,
  deleteOthers: true,
  dryRun: true,
  concurrency: true,
  ...runOptions,
});
const defaultMaxDeletions = 10;

/** Throws `INVALID_INPUT` or `INVALID_OPTIONS` for arguments that cannot be used. */
export function prepareSync<R extends ConfigurationResource>(
  resource: R,
  given: Iterable<ConfigurationInputs[R]>,
  options: SyncOptions<R>,
): PreparedSync<R> {
  requireKnown(options, optionNames, 'sync()');
  const { by, deleteOthers, dryRun = false, concurrency = defaultConcurrency } = { ...options };
  requireLabelField(resource, by);
  requireConcurrency(concurrency);
  requireRunOptions({ ...options });
  if (typeof dryRun !== 'boolean')
    throw createInvalidInputError(`dryRun must be true or false; got ${describeType(dryRun)}.`);
  const rows = readRows(resource, given);
  const where = copyInput(options.where);
  requireWithin(
    resource,
    where,
    rows.map(({ data }) => data),
    nameRow,
  );
  requireOneRowPerLabel(resource, rows, by);
  const maxDeletions = resolveMaxDeletions(resource, where, deleteOthers);
  if (maxDeletions !== undefined && rows.length === 0) {
    throw createInvalidInputError(
      'deleteOthers requires at least one row: without rows, every record would be deleted.',
    );
  }
  return { rows, by, where, maxDeletions, dryRun, concurrency };
}

const nameRow = (index: number): string => `rows[${index}]`;

function readRows<R extends ConfigurationResource>(
  resource: R,
  given: Iterable<ConfigurationInputs[R]>,
): SyncRow<R>[] {
  const iterable: unknown = Object(given)[Symbol.iterator];
  if (typeof given === 'string' || typeof iterable !== 'function')
    throw createInvalidInputError(
      `sync() requires an iterable of rows, such as an array; got ${describeSource(given)}.`,
    );
  const names = listDataFields(resource);
  const field = labelFields[resource];
  return Array.from(given, (item: ConfigurationInputs[R], index) => {
    const refuse = (why: string): never => {
      throw createInvalidInputError(`${nameRow(index)} ${why}.`);
    };
    if (!isObject(item))
      return refuse(`must be an object with the data of a record; got ${describeType(item)}`);
    const data = copyInput(item);
    const unknown = Object.keys(data).find((name) => !names.includes(name));
    if (unknown !== undefined)
      refuse(
        `has the field ${describeId(unknown)}, which ${resource} do not have. Fields: ${names.join(', ')}`,
      );
    const { [field]: label }: Readonly<Record<string, unknown>> = { ...(data as object) };
    if (typeof label !== 'string' || label.trim() === '')
      return refuse(`must have a ${field} that is a text and not empty`);
    return { item, data, label };
  });
}

/** Whether the records of a resource belong to accounts. */
const hasAccounts = (resource: ConfigurationResource): boolean =>
  listDataFields(resource).includes('accountId');

function requireOneRowPerLabel<R extends ConfigurationResource>(
  resource: R,
  rows: readonly SyncRow<R>[],
  by: string,
): void {
  const indexes = groupByLabel(rows.keys(), (index) => rows[index]?.label ?? '');
  const doubled = [...indexes.values()].find(({ length }) => length > 1);
  if (doubled === undefined) return;
  const advice = hasAccounts(resource) ? ', or sync each account on its own, with where: { accountId }' : '';
  throw createInvalidInputError(
    `${doubled.map(nameRow).join(' and ')} have the same ${by}, so they would be one record. Remove all but one${advice}.`,
  );
}

function resolveMaxDeletions<R extends ConfigurationResource>(
  resource: R,
  where: Where<R> | undefined,
  deleteOthers: unknown = false,
): number | undefined {
  if (deleteOthers === false) return undefined;
  if (resource === 'rich-menus')
    throw createInvalidInputError('deleteOthers cannot be used for rich-menus: this API cannot delete them.');
  const { max }: { readonly max?: unknown } = Object(deleteOthers);
  if (deleteOthers !== true && (!Number.isSafeInteger(max) || Number(max) < 1))
    throw createInvalidInputError(
      `deleteOthers must be true, false, or { max } with an integer, 1 or greater; got ${isObject(deleteOthers) ? `{ max: ${typeof max === 'number' ? max : describeId(max)} }` : describeType(deleteOthers)}.`,
    );
  if (deleteOthers !== true) requireKnown(Object(deleteOthers), ['max'], 'deleteOthers');
  const { accountId }: { readonly accountId?: unknown } = { ...where };
  if (accountId === undefined && hasAccounts(resource))
    throw createInvalidInputError(
      `deleteOthers requires where: { accountId } for ${resource}: otherwise, the records of all accounts would be deleted.`,
    );
  return deleteOthers === true ? defaultMaxDeletions : Number(max);
}
