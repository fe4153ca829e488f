import { checkedPage, checkedRecord, isObject } from '../assumed.ts';
import { type Answered, type Call, callOf } from '../call-promise.ts';
import { invalidInput } from '../errors/refused.ts';
import { dataFields } from '../generated/resources.ts';
import type { Derived } from '../operation.ts';
import type { CallOptions, WriteOptions } from '../options.ts';
import type { ChangeOutcome } from '../outcome.ts';
import { type Listing, listing } from '../pages.ts';
import { defaultPageSize, type ListPosition, positionAfter, startOfList } from '../paging.ts';
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

/** Where records are read. */
const readPath = '/chat/read';

/** The id that a record, or the id itself, names. */
export function idOf(named: string | { readonly id: string }): string {
  const id: unknown = isObject(named) ? named.id : named;
  if (typeof id === 'string') return id;
  const found = isObject(named) ? 'an object without one' : named === null ? 'null' : typeof named;
  throw invalidInput(`Expected an id, or a record with an id; got ${found}.`);
}

/** Refuses what an optional `result` may leave: no record at all. */
export function requireRecord<Record>(record: Record | undefined): Record {
  if (record !== undefined) return record;
  throw invalidInput(
    'Expected a record as it was read; got undefined. If it is the result of a change, the answer to that change had none: read the record with get().',
  );
}

async function readPage<T>(
  api: Pick<Operations, 'read'>,
  query: Query,
  options?: CallOptions,
): Promise<Answered<RecordPage<T>>> {
  return checkedPage(readPath, query.resource, 'records', await api.read<RecordPage<T>>(query, options));
}

/** A list with an offset. */
export function offsetList<T extends object>(
  api: Pick<Operations, 'read'>,
  prepare: () => { readonly query: Query; readonly options: Paging | undefined },
): Listing<RecordPage<T>, T> {
  return listing<RecordPage<T>, T, ListPosition>(() => {
    const { query, options } = prepare();
    const { limit, offset = 0, maxItems, ...call } = options ?? {};
    const sizeFor = (wanted: number): number => Math.min(limit ?? defaultPageSize, wanted);
    const fetch = (from: number, size: number | undefined): Promise<Answered<RecordPage<T>>> =>
      readPage<T>(api, { ...query, offset: from === 0 ? undefined : from, limit: size }, call);
    return {
      path: readPath,
      resource: query.resource,
      signal: call.signal,
      start: startOfList(offset),
      maxItems,
      fetchFirst: () => fetch(offset, maxItems === undefined ? limit : sizeFor(maxItems)),
      fetch: (from, wanted) => fetch(from.offset, sizeFor(wanted)),
      records: (page) => page.records,
      next: ({ records, total, limited }, from, wanted, isNew) =>
        positionAfter(from, {
          requested: sizeFor(wanted),
          received: records.length,
          isNew,
          total,
          limited,
        }),
    };
  });
}

/** A list the API bounds without an offset: one page, so awaitable only. */
export function boundedList<T>(
  api: Pick<Operations, 'read'>,
  prepare: () => { readonly query: Query; readonly options: CallOptions | undefined },
): Call<RecordPage<T>> {
  return callOf(async () => {
    const { query, options } = prepare();
    return readPage<T>(api, query, options);
  });
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
  const get = async (ref: Ref, options?: CallOptions): Promise<Answered<Record>> => {
    const answer = await api.read<{ record: Record }>({ resource, ...identify(ref) }, options);
    return checkedRecord(readPath, resource, answer);
  };
  const replace = async (ref: Ref, data: Data, options?: WriteOptions, from?: Guards, derived?: Derived) =>
    api.change<Record>({ action, ...identify(ref), data }, options, from, derived);
  return {
    get: (ref: Ref, options?: CallOptions): Call<Record> => callOf(() => get(ref, options)),
    update: (
      given: (Ref & Guards) | undefined,
      data: Data,
      options?: WriteOptions,
    ): Call<ChangeOutcome<Record>> =>
      callOf(() => {
        const record = requireRecord(given);
        return replace(record, data, options, record);
      }),
    edit: (
      given: Ref | undefined,
      change: (data: Data, record: Record) => Data | Promise<Data>,
      options?: EditOptions,
    ): Call<ChangeOutcome<Record>> =>
      callOf(() => {
        const ref = requireRecord(given);
        return edit(
          async (call) => (await get(ref, call)).data,
          (record) => change(dataOf(resource, record), record),
          (record, data, call) => replace(ref, data, call, record, { ...guards, data: undefined }),
          options,
        );
      }),
  };
}
