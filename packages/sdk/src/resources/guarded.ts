import { hasMore, pageOf, recordOf } from '../assumed.ts';
import { type Answered, type Call, callOf, mapAnswer } from '../call-promise.ts';
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
  (named as { readonly id?: string }).id ?? (named as string);

function readPage<T>(
  api: Pick<Operations, 'read'>,
  query: Query,
  options?: CallOptions,
): Promise<Answered<RecordPage<T>>> {
  return mapAnswer(api.read<RecordPage<T>>(query, options), (answer) => pageOf(answer, query.resource));
}

/** A list with an offset. */
export function offsetList<T extends object>(
  api: Pick<Operations, 'read'>,
  query: Query,
  { limit, offset = 0, maxItems, ...options }: Paging = {},
): Listing<RecordPage<T>, T> {
  return listing(
    offset,
    maxItems,
    (from, wanted) => {
      const size = wanted < Infinity ? Math.min(limit ?? 50, wanted) : limit;
      return readPage<T>(api, { ...query, offset: from === 0 ? undefined : from, limit: size }, options);
    },
    (page, from) => [page.records, hasMore(page, from) ? from + page.records.length : undefined],
  );
}

/** A list the API bounds without an offset: awaitable only. */
export function boundedList<T>(api: Operations, query: Query, options?: CallOptions): Call<RecordPage<T>> {
  return callOf(readPage(api, query, options));
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
  const replace = (ref: Ref, data: Data, options?: WriteOptions, from?: Guards, derived?: Derived) =>
    api.change<Record>({ action, ...identify(ref), data }, options, from, derived);
  return {
    get: (ref: Ref, options?: CallOptions): Call<Record> => callOf(get(ref, options)),
    update: (record: Ref & Guards, data: Data, options?: WriteOptions): Call<ChangeOutcome<Record>> =>
      callOf(replace(record, data, options, record)),
    edit: (
      ref: Ref,
      change: (data: Data, record: Record) => Data | Promise<Data>,
      options?: EditOptions,
    ): Call<ChangeOutcome<Record>> =>
      callOf(
        edit(
          async (call) => (await get(ref, call)).data,
          (record) => change(dataOf(resource, record), record),
          (record, data, call) => replace(ref, data, call, record, { ...guards, data: undefined }),
          options,
        ),
      ),
  };
}
