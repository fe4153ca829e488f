import { createOffsetList, type RecordList } from '../lists/record-list.ts';
import type { CallOptions, ChangeOptions } from '../options/options.ts';
import type { Call } from '../results/call-promise.ts';
import { runHere } from '../results/call-site.ts';
import { getRequestId, rememberRequestId } from '../results/request-ids.ts';
import { requireId } from '../shapes/record-arguments.ts';
import type {
  ConfigurationInputs,
  ConfigurationResource,
  DeletableResource,
  DeletionResult,
  Guarded,
  RecordRef,
  ResourceRecords,
} from '../types.ts';
import { type ChangeCall, startChange } from '../write/require-result.ts';
import type { EditOptions } from './edit.ts';
import { type FindOptions, findRecord } from './find.ts';
import { createRecordMethods } from './record-methods.ts';
import { syncRecords } from './sync.ts';
import type { SyncOptions, SyncOutcome } from './sync-options.ts';
import { type UpsertOptions, upsertRecord } from './upsert.ts';
import type { UpsertApi, UpsertResult } from './upsert-writes.ts';

/**
 * Options of the lists of configuration resources (4.3).
 *
 * @example
 * const page: ListOptions = { limit: 20, offset: 40 };
 * console.log((await client.tags.list(page)).records.length);
 */
export interface ListOptions extends CallOptions {
  /** Records per page, 1 to 50. Default 50. */
  readonly limit?: number | undefined;
  /** Number of records to skip, up to 1,000,000. Default 0. */
  readonly offset?: number | undefined;
  /** Maximum number of records of an iteration. Default: all. */
  readonly maxItems?: number | undefined;
}

/** A resource of the configuration, such as tags or forms: its records are listed, created, changed and synced. */
export interface Configuration<R extends ConfigurationResource> {
  /**
   * Lists the records, newest first. A loop reads the next page when it needs it.
   *
   * @example
   * const { records, total } = await client.tags.list({ limit: 20 });
   * for await (const tag of client.tags.list()) console.log(tag.name);
   */
  list(options?: ListOptions): RecordList<ResourceRecords[R]>;
  /**
   * Reads one record by its id. Rejects with `NotFoundError` if it does not exist.
   *
   * @param id The id of the record, a UUID.
   * @example
   * const { name, color } = await client.tags.get(id);
   * console.log(name, color);
   */
  get(id: string, options?: CallOptions): Call<Guarded<ResourceRecords[R]>>;
  /**
   * Reads all records and returns the one with these fields, or undefined. Rejects with
   * `AMBIGUOUS_MATCH` (a `ConflictError`) if several have them: the API allows two records with one label. If the list
   * changed between two pages, it is read again before it shows that the record does not exist.
   *
   * @param criteria At least one field of the data, with its value. A record must have all of them.
   * @example
   * const vip = await client.tags.find({ name: 'VIP' });
   */
  find(
    criteria: Partial<ConfigurationInputs[R]>,
    options?: FindOptions<R>,
  ): Promise<Guarded<ResourceRecords[R]> | undefined>;
  /**
   * Creates a record, or updates the one with the same label. Labels are compared in any Unicode form (NFC, NFD). Nothing
   * is written if the record already has the data. An omitted field keeps its value. Rejects with `AMBIGUOUS_MATCH` if
   * several records have the label. Each call reads the whole list: for many records, use `sync`, which reads it once.
   *
   * Programs that upsert the same data at the same time create one record, also on different machines: they derive one
   * operation id from the organization, for which the first create of a client, or update with an intent, calls
   * `account()`. With other data on another machine, or against a program that creates the record by other means, two
   * records can be created, because the API allows it. In one process, upserts of one label with one key run one after the other, whatever their data.
   *
   * With an `intent`, an update is made once, however often this is repeated, also on other machines: what someone changed
   * since stays. That the intent created the record, only the journal knows: a call without that journal updates it once.
   * If the record already had the data, the intent is not used up. A record that was deleted since is created again.
   *
   * @param data The fields of the record. The one that `by` names is required.
   * @example
   * const { outcome, record } = await client.tags.upsert({ name: 'VIP', color: 'pink' }, { by: 'name' });
   */
  upsert(data: ConfigurationInputs[R], options: UpsertOptions<R>): Promise<UpsertResult<ResourceRecords[R]>>;
  /**
   * Makes the records equal to rows: creates, updates and, with `deleteOthers`, deletes. It reads the list once and compares
   * as `upsert` does, so a sync that changes nothing costs one request per page; each change costs one more. Resolves to a
   * result per row and per deletion, also if the `signal` aborts it. Rejects only before the first change: if an argument
   * is wrong, if the list cannot be read, or with `TOO_MANY_DELETIONS` (a `ConflictError`).
   *
   * A row whose label several records have is `failed` with `AMBIGUOUS_MATCH`. Records are deleted after every row is done,
   * under the revision that the list showed: one that was changed in the meantime is `failed` with `StaleRevisionError`.
   * If this is killed, call it again. Syncs of the same rows at the same time double nothing, also on different machines.
   *
   * @param rows The data of each record that is to exist.
   * @example
   * const rows = [{ name: 'VIP', color: 'pink' }, { name: 'Gold', color: 'orange' }] as const;
   * const { created, updated, unchanged, deleted } = await client.tags.sync(rows, { by: 'name', deleteOthers: { max: 50 } });
   */
  sync(rows: Iterable<ConfigurationInputs[R]>, options: SyncOptions<R>): Promise<SyncOutcome<R>>;
  /**
   * Creates a record from its fields. If an answer is lost, the same request is sent again, and the server applies it once.
   *
   * @param data All fields of the new record: `TagInput` for `tags`, `FormInput` for `forms` and so on.
   * @example
   * const vip = await client.tags.create({ name: 'VIP', color: 'pink' });
   * console.log(vip.result?.id, vip.replayed);
   */
  create(data: ConfigurationInputs[R], options?: ChangeOptions): ChangeCall<ResourceRecords[R]>;
  /**
   * Replaces the data of a record as it was read; its revision and label are sent with the update. Rejects with
   * `StaleRevisionError` if it changed in the meantime. It accepts the `result` of a change as it is; without one it
   * rejects with `INVALID_INPUT`, and nothing is sent.
   *
   * @param record The record as it was read, or the `result` of a change.
   * @param data All fields of the record, changed or not.
   * @example
   * const { result } = await client.tags.create({ name: 'VIP', color: 'pink' });
   * await client.tags.update(result, { name: 'VIP+', color: 'pink' });
   */
  update(
    record: RecordRef | ResourceRecords[R] | undefined,
    data: ConfigurationInputs[R],
    options?: ChangeOptions,
  ): ChangeCall<ResourceRecords[R]>;
  /**
   * Reads a record, lets you change its data, and writes it. If someone else was faster, it reads again and makes a new
   * attempt, each as a new operation. It gives up after `maxAttempts` with both versions in
   * `StaleRevisionError.versions`.
   *
   * @param record The record, or its id.
   * @param change Gets the data and the whole record, and returns the data to write. Called once for each attempt.
   * @example
   * await client.tags.edit(id, (data) => ({ ...data, color: 'blue' }));
   */
  edit(
    record: string | { readonly id: string } | undefined,
    change: (
      data: ConfigurationInputs[R],
      record: Guarded<ResourceRecords[R]>,
    ) => ConfigurationInputs[R] | Promise<ConfigurationInputs[R]>,
    options?: EditOptions,
  ): ChangeCall<ResourceRecords[R]>;
}

/** What a resource of the configuration has besides, if its records can be deleted. */
export interface Deletable {
  /**
   * Deletes a record as it was read. Rejects with `StaleRevisionError` if it changed in the meantime.
   *
   * @param record The record as it was read.
   * @example
   * const old = await client.tags.get(id);
   * await client.tags.delete(old);
   */
  delete(
    record: RecordRef | ResourceRecords[DeletableResource] | undefined,
    options?: ChangeOptions,
  ): ChangeCall<DeletionResult>;
}

/** Creates the methods of a resource, `delete` included. */
export function createConfiguration<R extends ConfigurationResource>(
  api: UpsertApi,
  resource: R,
): Configuration<R> & Deletable {
  const { guarded, ...methods } = createRecordMethods<
    string | { readonly id: string },
    Guarded<ResourceRecords[R]>,
    ConfigurationInputs[R]
  >(api, resource, `update-${resource}`, (named) => ({ id: requireId(named) }));
  return {
    ...methods,
    list: (given) => {
      const options = { ...given };
      return createOffsetList(api, () => ({ query: { resource }, options }));
    },
    find: (criteria, options) => runHere(() => findRecord(api, resource, criteria, options)),
    upsert: (data, options) =>
      runHere(async () => {
        const result = await upsertRecord(api, resource, data, options);
        rememberRequestId(result, { requestId: getRequestId(result.record) });
        return result;
      }),
    sync: (rows, options) => runHere(() => syncRecords(api, resource, rows, options)),
    create: (data, options) => startChange(() => api.change({ action: `create-${resource}`, data }, options)),
    delete: (given, options) =>
      startChange(() =>
        guarded(given, undefined, options, (record, _, call) =>
          api.change({ action: 'delete-configuration', resource, id: requireId(record) }, call, { record }),
        ),
      ),
  };
}
