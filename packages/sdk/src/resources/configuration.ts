import { type Call, callOf } from '../call-promise.ts';
import type { CallOptions, WriteOptions } from '../options.ts';
import type { ChangeOutcome } from '../outcome.ts';
import type { Listing } from '../pages.ts';
import type {
  ConfigurationData,
  ConfigurationResource,
  DeletionResult,
  RecordPage,
  RecordRef,
  ResourceRecords,
} from '../types.ts';
import type { EditOptions } from './edit.ts';
import { guarded, idOf, offsetList, requireRecord } from './guarded.ts';
import type { Operations } from './operations-of.ts';

export interface ListOptions extends CallOptions {
  /** Records a page, 1 to 50. */
  readonly limit?: number | undefined;
  /** How many records to pass over. */
  readonly offset?: number | undefined;
  /** Where iteration ends at the latest. */
  readonly maxItems?: number | undefined;
}

/** One configuration resource: tags, templates and so on. */
export interface Configuration<R extends ConfigurationResource> {
  /**
   * Lists records, newest first.
   *
   * @example
   * const { records, total } = await client.tags.list({ limit: 20 });
   * for await (const tag of client.tags.list()) console.log(tag.name);
   */
  list(options?: ListOptions): Listing<RecordPage<ResourceRecords[R]>, ResourceRecords[R]>;
  /** Reads one record by its id. */
  get(id: string, options?: CallOptions): Call<ResourceRecords[R]>;
  /**
   * Creates a record, once.
   *
   * @example
   * const vip = await client.tags.create({ name: 'VIP', color: 'pink' });
   * console.log(vip.result?.id, vip.replayed);
   */
  create(data: ConfigurationData[R], options?: WriteOptions): Call<ChangeOutcome<ResourceRecords[R]>>;
  /**
   * Replaces the data of a record as it was read; its revision and label travel along. Rejects with `StaleRevisionError`
   * if it changed in the meantime. It takes the `result` of a change as it is; without one it rejects with
   * `INVALID_INPUT`, and nothing is sent.
   *
   * @example
   * await client.tags.update(vip.result, { name: 'VIP+', color: 'pink' });
   */
  update(
    record: RecordRef | undefined,
    data: ConfigurationData[R],
    options?: WriteOptions,
  ): Call<ChangeOutcome<ResourceRecords[R]>>;
  /**
   * Reads a record, lets you change its data, and writes it; reads again where somebody was faster, each time as a
   * new operation, and gives up after `maxTries` with both versions in `StaleRevisionError.versions`.
   *
   * @example
   * await client.tags.edit(id, (data) => ({ ...data, color: 'blue' }));
   */
  edit(
    record: string | { readonly id: string } | undefined,
    change: (
      data: ConfigurationData[R],
      record: ResourceRecords[R],
    ) => ConfigurationData[R] | Promise<ConfigurationData[R]>,
    options?: EditOptions,
  ): Call<ChangeOutcome<ResourceRecords[R]>>;
}

/** A resource whose records can be deleted. */
export interface Deletable {
  /** Deletes a record as it was read. */
  delete(record: RecordRef | undefined, options?: WriteOptions): Call<ChangeOutcome<DeletionResult>>;
}

/** The methods of a resource; `delete` among them, for whoever has it. */
export function configuration<R extends ConfigurationResource>(
  api: Operations,
  resource: R,
): Configuration<R> & Deletable {
  return {
    ...guarded<string | { readonly id: string }, ResourceRecords[R], ConfigurationData[R]>(
      api,
      resource,
      `update-${resource}`,
      (named) => ({ id: idOf(named) }),
    ),
    list: (options) => offsetList(api, () => ({ query: { resource }, options })),
    create: (data, options) => callOf(() => api.change({ action: `create-${resource}`, data }, options)),
    delete: (given, options) =>
      callOf(() => {
        const record = requireRecord(given);
        return api.change({ action: 'delete-configuration', resource, id: idOf(record) }, options, record);
      }),
  };
}
