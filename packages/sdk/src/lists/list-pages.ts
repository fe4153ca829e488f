import { formatRequest } from '../errors/create-errors.ts';
import { AbortedError } from '../errors/no-usable-answer.ts';
import { endpoints, type OperationName } from '../generated/endpoints.ts';
import type { ApiResponse } from '../results/call-promise.ts';
import { rememberRequestId } from '../results/request-ids.ts';
import { createUnexpectedShapeError } from '../shapes/shape-errors.ts';
import { createDeletionWatch } from './deletion-watch.ts';
import { type ListPosition, positionAfter, startOfList } from './list-position.ts';
import { createSeenRecords, maxStalePages, type SeenRecords } from './seen-records.ts';

/** Where a page begins: an offset, or a cursor, which is undefined for the first page. */
type PageStart = number | string | undefined;

/** A list whose pages begin at an offset. It ends by what was received. */
interface OffsetPaging<P> {
  /** The `limit` that is sent if this many records are still wanted. */
  readonly sizeFor: (wanted: number) => number;
  /** What a page says about its list, as the server sent it. */
  readonly facts: (page: P) => { readonly total: unknown; readonly limited: unknown };
  /** Called if a page was empty while the server said that there is more: a record may be missing. */
  readonly onDoubt?: (() => void) | undefined;
}

/** A list whose pages begin at a cursor. It ends when there is none: an empty page with a next cursor is not the end. */
interface CursorPaging<P> {
  readonly nextCursor: (page: P) => string | undefined;
}

/** How the pages of a list are read. `N` is a page as an iteration returns it. */
export interface PageReader<P, T, N> {
  /** Names the list in errors. */
  readonly endpoint: OperationName;
  readonly resource: string;
  readonly paging: OffsetPaging<P> | CursorPaging<P>;
  readonly start: PageStart;
  readonly signal?: AbortSignal | undefined;
  readonly maxItems?: number | undefined;
  /** Fetches the page that is awaited. */
  fetchFirst(): Promise<ApiResponse<P>>;
  /** Fetches a page of an iteration, of which at most `wanted` records are needed. */
  fetch(from: PageStart, wanted: number): Promise<ApiResponse<P>>;
  records(page: P): readonly T[];
  /** The same page with other records, and where the next one begins. */
  toPage(page: P, records: readonly T[], next: PageStart): N;
}

/** A page that was read, and where it begins. */
interface ReadPage<P> {
  readonly answer: ApiResponse<P>;
  readonly from: PageStart;
}

/** Reads the pages of a list one after the other. */
interface Pager<P> {
  /** Reads the next page, of which at most `wanted` records are needed. */
  read(wanted: number): Promise<ReadPage<P>>;
  /** Returns where the page after it begins, from how many of its records no earlier page had; undefined after the last. */
  advance(page: ReadPage<P>, wanted: number, newCount: number): PageStart;
  /** Whether a page begins where records were read before, so that it may well repeat them. */
  mayRepeat(page: ReadPage<P>): boolean;
  /** Whether the next page is one that was read, so that the list has no end. */
  isCircle(): boolean;
}

function createCursorPager<P, T, N>(
  { start, fetch }: PageReader<P, T, N>,
  { nextCursor }: CursorPaging<P>,
): Pager<P> {
  let cursor = start;
  /** A short text per page. Whether pages have records proves nothing: empty ones with new cursors may lead to more. */
  const used = new Set<PageStart>();
  return {
    async read(wanted) {
      used.add(cursor);
      return { answer: await fetch(cursor, wanted), from: cursor };
    },
    advance({ answer }) {
      cursor = nextCursor(answer.data);
      return cursor;
    },
    mayRepeat: () => false,
    isCircle: () => used.has(cursor),
  };
}

function createOffsetPager<P, T extends object, N>(
  { start, fetch, records }: PageReader<P, T, N>,
  { sizeFor, facts, onDoubt }: OffsetPaging<P>,
  seen: SeenRecords,
): Pager<P> {
  const watch = createDeletionWatch();
  let position: ListPosition = startOfList(Number(start));
  /** The largest offset up to which records were received. */
  let furthest = 0;
  return {
    async read(wanted) {
      for (let from = position.offset, replaced: ReadPage<P> | undefined; ; ) {
        const answer = await fetch(from, wanted);
        const { total } = facts(answer.data);
        const rows = records(answer.data);
        const hasMissed = replaced !== undefined && seen.hasOthers(rows, records(replaced.answer.data));
        const verdict = watch.judge({ offset: from, received: rows.length, total, hasMissed });
        if (verdict === 'use-replaced' && replaced) return replaced;
        if (typeof verdict === 'string') return { answer, from };
        replaced ??= { answer, from };
        // Behind a gap, so that it does not count as empty if the same page is empty when it is read again.
        if (rows.length > 0) position = { ...position, emptyPages: 0 };
        from = verdict.rereadFrom;
      }
    },
    advance({ answer, from }, wanted, newCount) {
      const offset = Number(from);
      const received = records(answer.data).length;
      const after = positionAfter(
        { ...position, offset, ignoresTotal: position.ignoresTotal || watch.ignoresTotal() },
        { requested: sizeFor(wanted), received, newCount, ...facts(answer.data) },
      );
      position = after;
      furthest = Math.max(furthest, offset + received);
      watch.use(after.offset, newCount);
      if (after.isInDoubt) onDoubt?.();
      return after.isEnd ? undefined : after.offset;
    },
    mayRepeat: ({ from }) => Number(from) < furthest,
    isCircle: () => false,
  };
}

/** The records of a page that no earlier page had, at most as many as are still wanted. */
interface NewRecords<P, T> {
  readonly answer: ApiResponse<P>;
  readonly records: readonly T[];
  /** Where the next page begins; undefined after the last. */
  readonly next: PageStart;
}

/** Reads page after page until the list ends or `maxItems` records were read. */
async function* readNewRecords<P, T extends object, N>(
  reader: PageReader<P, T, N>,
): AsyncGenerator<NewRecords<P, T>> {
  const { endpoint, resource, paging } = reader;
  const seen = createSeenRecords();
  const pager =
    'nextCursor' in paging ? createCursorPager(reader, paging) : createOffsetPager(reader, paging, seen);
  let wanted = reader.maxItems ?? Infinity;
  for (let isLast = false; !isLast && wanted > 0; ) {
    const page = await pager.read(wanted);
    const { answer, from } = page;
    const received = reader.records(answer.data);
    const fresh = seen.addPage(received, pager.mayRepeat(page));
    const records = fresh.slice(0, wanted);
    const next = pager.advance(page, wanted, fresh.length);
    // A server may send more than was asked for. The next page then begins with what is not passed on.
    const unused = fresh.length - records.length;
    const resumeAt = unused > 0 && 'sizeFor' in paging ? Number(from) + received.length - unused : next;
    yield { answer, records, next: resumeAt };
    wanted -= records.length;
    isLast = next === undefined;
    if (isLast || wanted <= 0) continue;
    const isCircle = pager.isCircle();
    if (isCircle || seen.isStuck()) {
      const problem = isCircle
        ? 'The cursor of the next page was sent before'
        : `${maxStalePages} pages in a row had no new record`;
      const why = `${problem}. Check whether the server ignores the offset or cursor.`;
      throw createUnexpectedShapeError(endpoint, resource, answer, why, 'no-new-records');
    }
  }
}

/** Throws if the signal of the list is aborted. */
function checkSignal<P, T, N>(
  { signal, endpoint, resource }: PageReader<P, T, N>,
  { status, requestId, attempts }: ApiResponse<P>,
): void {
  if (!signal?.aborted) return;
  const where = formatRequest({ ...endpoints[endpoint], subject: resource }, 'ABORTED');
  throw new AbortedError(`The signal aborted the call. ${where}`, {
    code: 'ABORTED',
    operation: endpoint,
    cause: signal.reason,
    status,
    requestId,
    attempts,
  });
}

/** Yields the records of a list, each once. */
export async function* readRecords<P, T extends object, N>(reader: PageReader<P, T, N>): AsyncGenerator<T> {
  for await (const { answer, records } of readNewRecords(reader)) {
    for (const record of records) {
      checkSignal(reader, answer);
      yield record;
    }
  }
}

/** Yields the pages of a list, each with the records that no earlier one had. */
export async function* readPages<P, T extends object, N>(reader: PageReader<P, T, N>): AsyncGenerator<N> {
  for await (const { answer, records, next } of readNewRecords(reader)) {
    checkSignal(reader, answer);
    const page = reader.toPage(answer.data, records, next);
    rememberRequestId(page, answer);
    yield page;
  }
}
