import { pageSize } from '../generated/limits.ts';
import type { CallOptions } from '../options/options.ts';
import type { ReadQuery } from '../pipeline/api-request.ts';
import { type ApiResponse, type Call, startCall } from '../pipeline/call-promise.ts';
import type { ChatApi } from '../pipeline/endpoints.ts';
import { requirePage } from '../pipeline/response-shapes.ts';
import type { ListedPage, RecordPage } from '../types.ts';
import { createListPromise, type ListPromise } from './list-promise.ts';

interface PageOptions extends CallOptions {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly maxItems?: number | undefined;
}

async function readPage<T>(
  api: Pick<ChatApi, 'read'>,
  query: ReadQuery,
  options?: CallOptions,
): Promise<ApiResponse<RecordPage<T>>> {
  return requirePage('readChat', query.resource, 'records', await api.read<RecordPage<T>>(query, options));
}

/**
 * A list that is read by offset, newest first: await it for one page, or iterate it for all records.
 *
 * @example
 * const tags: RecordList<Tag> = client.tags.list();
 * for await (const { name } of tags) console.log(name);
 */
export interface RecordList<T> extends ListPromise<RecordPage<T>, T, ListedPage<T>> {}

/** Creates a list with an offset. */
export function createOffsetList<T extends object>(
  api: Pick<ChatApi, 'read'>,
  prepare: () => { readonly query: ReadQuery; readonly options: PageOptions | undefined },
): RecordList<T> {
  return createListPromise<RecordPage<T>, T, ListedPage<T>>(() => {
    const { query, options } = prepare();
    const { limit, offset = 0, maxItems, ...call } = options ?? {};
    const sizeFor = (wanted: number): number => Math.min(limit ?? pageSize, wanted);
    const fetch = (from: number, size: number | undefined): Promise<ApiResponse<RecordPage<T>>> =>
      readPage<T>(api, { ...query, offset: from === 0 ? undefined : from, limit: size }, call);
    return {
      endpoint: 'readChat',
      resource: query.resource,
      signal: call.signal,
      paging: { sizeFor, facts: ({ total, limited }) => ({ total, limited }) },
      start: offset,
      maxItems,
      fetchFirst: () => fetch(offset, maxItems === undefined ? limit : sizeFor(maxItems)),
      fetch: (from, wanted) => fetch(Number(from), sizeFor(wanted)),
      records: (page) => page.records,
      toPage: (page, records, next) => ({
        ...page,
        records: [...records],
        nextOffset: next as number | undefined,
      }),
    };
  });
}

/** A list the API bounds without an offset: one page, so awaitable only. */
export function readBoundedList<T>(
  api: Pick<ChatApi, 'read'>,
  prepare: () => { readonly query: ReadQuery; readonly options: CallOptions | undefined },
): Call<RecordPage<T>> {
  return startCall(async () => {
    const { query, options } = prepare();
    return readPage<T>(api, query, options);
  });
}
