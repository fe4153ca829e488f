import { hasMore, pageOf, recordOf } from '../assumed.ts';
import { type Call, callOf, mapAnswer } from '../call-promise.ts';
import { dataFields } from '../generated/resources.ts';
import type { Derived } from '../operation.ts';
import type { CallOptions, WriteOptions } from '../options.ts';
import type { ChangeOutcome } from '../outcome.ts';
import { type Listing, listing } from '../pages.ts';
import type { RecordPage, RecordRef } from '../types.ts';
import { type EditOptions, edit } from './edit.ts';
import type { Operations } from './operations-of.ts';

/** Fields that come from the record that was read, not from the caller. */
export const guards: Derived = { expectedRevision: undefined, expectedLabel: undefined };

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

/** The id of what is named by it, or as it was read. */
export const idOf = (named: string | { readonly id: string }): string =>
  typeof named === 'string' ? named : named.id;

/** A list with an offset. */
export function offsetList<T extends object>(
  api: Operations,
  query: Query,
  { limit, offset = 0, maxItems, ...options }: Paging = {},
): Listing<RecordPage<T>, T> {
  return listing({
    start: offset,
    maxItems,
    fetch: (from, wanted) => {
      const size = wanted < Infinity ? Math.min(limit ?? 50, wanted) : limit;
      const page = api.read<RecordPage<T>>({ ...query, offset: from || undefined, limit: size }, options);
      return mapAnswer(page, (answer) => pageOf(answer, query.resource));
    },
    items: (page) => page.records,
    next: (page, from) => (hasMore(page, from) ? from + page.records.length : undefined),
  });
}

/** A list the API bounds without an offset: awaitable only. */
export function boundedList<T>(api: Operations, query: Query, options?: CallOptions): Call<RecordPage<T>> {
  return callOf(mapAnswer(api.read<RecordPage<T>>(query, options), (page) => pageOf(page, query.resource)));
}

/** The data of a record: its data fields without identity, guards and times. */
function dataOf<Data>(resource: keyof typeof dataFields, record: object): Data {
  const fields: readonly string[] = dataFields[resource].split(' ');
  const data = Object.fromEntries(Object.entries(record).filter(([name]) => fields.includes(name)));
  // The generated list and the generated type of the same resource name the same fields.
  return data as Data;
}

/** Reading, replacing and editing records that are guarded by a revision and a label. */
export function guarded<Ref, Record extends Guards, Data>(
  api: Operations,
  resource: keyof typeof dataFields,
  action: string,
  identify: (ref: Ref) => object,
) {
  const get = (ref: Ref, options?: CallOptions) =>
    mapAnswer(api.read<{ record: Record }>({ resource, ...identify(ref) }, options), (answer) =>
      recordOf(answer, resource),
    );
  return {
    get: (ref: Ref, options?: CallOptions): Call<Record> => callOf(get(ref, options)),
    update: (record: Ref & Guards, data: Data, options?: WriteOptions): Call<ChangeOutcome<Record>> =>
      callOf(api.change({ action, ...identify(record), data }, options, record)),
    edit: (
      ref: Ref,
      change: (data: Data, record: Record) => Data | Promise<Data>,
      options?: EditOptions,
    ): Call<ChangeOutcome<Record>> =>
      callOf(
        edit<Record, Data>(
          {
            read: async (call) => (await get(ref, call)).data,
            data: (record) => dataOf(resource, record),
            change,
            write: (record, data, call) =>
              api.change({ action, ...identify(ref), data }, call, record, { ...guards, data: undefined }),
          },
          options,
        ),
      ),
  };
}
