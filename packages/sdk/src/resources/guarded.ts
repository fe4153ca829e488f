import { hasMore, pageOf, recordOf } from '../assumed.ts';
import { type Call, callOf, mapAnswer } from '../call-promise.ts';
import type { CallOptions, WriteOptions } from '../options.ts';
import type { ChangeOutcome } from '../outcome.ts';
import { type Listing, listing } from '../pages.ts';
import type { RecordPage, RecordRef } from '../types.ts';
import { type EditOptions, edit } from './edit.ts';
import type { Operations } from './operations-of.ts';

/** Fields that come from the record that was read, not from the caller. */
export const guards = ['expectedRevision', 'expectedLabel'];

type Guards = Omit<RecordRef, 'id'>;

interface Query {
  readonly resource: string;
  readonly [field: string]: unknown;
}

interface Paging extends CallOptions {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly maxItems?: number | undefined;
}

/** A list with an offset. */
export function offsetList<T extends object>(
  api: Operations,
  query: Query,
  { limit, offset = 0, maxItems, ...options }: Paging,
): Listing<RecordPage<T>, T> {
  return listing({
    start: offset,
    maxItems,
    fetch: (from, wanted) => {
      const size = wanted === undefined ? limit : Math.min(limit ?? 50, wanted);
      const page = api.read<RecordPage<T>>({ ...query, offset: from || undefined, limit: size }, options);
      return mapAnswer(page, (answer) => pageOf(answer, query.resource));
    },
    items: (page) => page.records,
    next: (page, from) => (hasMore(page, from) ? from + page.records.length : undefined),
  });
}

/** A list the API bounds without an offset: awaitable only. */
export function boundedList<T>(api: Operations, query: Query, options: CallOptions): Call<RecordPage<T>> {
  return callOf(mapAnswer(api.read<RecordPage<T>>(query, options), (page) => pageOf(page, query.resource)));
}

/** What names a record, and how its data is taken out of it. */
export interface Kind<Ref, Record, Data> {
  readonly resource: string;
  readonly update: string;
  readonly identify: (ref: Ref) => object;
  readonly data: (record: Record) => Data;
}

/** Reading, replacing and editing records that are guarded by a revision and a label. */
export function guarded<Ref, Record extends Ref & Guards, Data>(
  api: Operations,
  { resource, update: action, identify, data }: Kind<Ref, Record, Data>,
) {
  const get = (ref: Ref, options: CallOptions = {}) =>
    mapAnswer(api.read<{ record: Record }>({ resource, ...identify(ref) }, options), (answer) =>
      recordOf(answer, resource),
    );
  const update = (record: Ref & Guards, to: Data, options: WriteOptions = {}, derived = guards) =>
    api.change<Record>({ action, ...identify(record), data: to }, options, derived, record);
  return {
    get: (ref: Ref, options?: CallOptions): Call<Record> => callOf(get(ref, options)),
    update: (record: Ref & Guards, to: Data, options?: WriteOptions): Call<ChangeOutcome<Record>> =>
      callOf(update(record, to, options)),
    edit: (
      ref: Ref,
      change: (data: Data, record: Record) => Data | Promise<Data>,
      options?: EditOptions,
    ): Call<ChangeOutcome<Record>> => {
      const read = async (call: CallOptions) => (await get(ref, call)).data;
      const write = (current: Record, to: Data, call: WriteOptions) =>
        update(current, to, call, [...guards, 'data']);
      return callOf(edit({ read, write, data, change }, options));
    },
  };
}
