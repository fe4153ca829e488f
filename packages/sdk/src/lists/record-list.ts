import { pageSize } from '../generated/limits.ts';
import type { CallOptions } from '../options/options.ts';
import type { ChatApi } from '../pipeline/chat-api.ts';
import { type ApiResponse, type Call, startCall } from '../results/call-promise.ts';
import type { ReadQuery } from '../types/read-query.ts';
import type { ListedPage, RecordPage } from '../types.ts';
import { createListPromise, type ListPromise } from './list-promise.ts';

interface PageOptions extends CallOptions {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly maxItems?: number | undefined;
}

type ListApi = Pick<ChatApi, 'read' | 'shapes'>;

async function readPage<T>(
  { read, shapes }: ListApi,
  query: ReadQuery,
  options: CallOptions | undefined,
  rows?: 'complete' | 'any',
): Promise<ApiResponse<RecordPage<T>>> {
  return shapes.toPage<T>(query.resource, await read(query, options), rows);
}

/** A list that is read by offset, newest first: await it for one page, or iterate it for all records. */
export interface RecordList<T> extends ListPromise<RecordPage<T>, T, ListedPage<T>> {}

/** How a list is read by the package itself. */
interface OwnReading {
  /** With `any`, rows that are only summaries do not reject. */
  readonly rows?: 'complete' | 'any';
  /** Called if a page was empty while the server said that there is more: a record may be missing. */
  readonly onDoubt?: () => void;
}

/** Creates a list with an offset. */
export function createOffsetList<T extends object>(
  api: ListApi,
  prepare: () => { readonly query: ReadQuery; readonly options: PageOptions | undefined },
  { rows, onDoubt }: OwnReading = {},
): RecordList<T> {
  return createListPromise<RecordPage<T>, T, ListedPage<T>>(() => {
    const { query, options } = prepare();
    const { limit, offset = 0, maxItems, ...call } = options ?? {};
    const mostRecords = Math.min(limit ?? pageSize, api.shapes.pageSize ?? pageSize);
    const sizeFor = (wanted: number): number => Math.min(mostRecords, wanted);
    const fetch = (from: number, size: number | undefined): Promise<ApiResponse<RecordPage<T>>> =>
      readPage<T>(api, { ...query, offset: from === 0 ? undefined : from, limit: size }, call, rows);
    return {
      endpoint: 'readChat',
      resource: query.resource,
      signal: call.signal,
      paging: { sizeFor, facts: ({ total, limited }) => ({ total, limited }), onDoubt },
      start: offset,
      maxItems,
      fetchFirst: () => fetch(offset, maxItems === undefined ? limit && sizeFor(limit) : sizeFor(maxItems)),
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
  api: ListApi,
  prepare: () => { readonly query: ReadQuery; readonly options: CallOptions | undefined },
): Call<RecordPage<T>> {
  return startCall(async () => {
    const { query, options } = prepare();
    return readPage<T>(api, query, options);
  });
}
