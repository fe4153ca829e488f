import {
  createSeenRecords,
  type ListPosition,
  maxStalePages,
  positionAfter,
  startOfList,
} from '@orgchat/sdk/paging';
import { limits } from '@orgchat/spec/limits';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import type { Row } from '../output/output.ts';

export interface ListOptions {
  readonly limit?: number;
  readonly offset?: number;
  readonly all?: true;
  readonly search?: string;
}

/** One page of a list. `total` and `limited` are as the server sent them. */
export interface Page {
  readonly records: readonly Row[];
  readonly total: unknown;
  readonly limited: unknown;
}

/** Reads `limit` records from `offset`. */
export type ReadPage = (offset: number, limit: number) => Promise<Page>;

/** How far a list was read. */
export interface ListProgress {
  shown: number;
  total: number | undefined;
  /** Whether there are more records: `maybe` if the server does not say. */
  more: boolean | 'maybe';
  /** Offset of the next record. */
  nextOffset: number;
}

export const createListProgress = (): ListProgress => ({
  shown: 0,
  total: undefined,
  more: false,
  nextOffset: 0,
});

/**
 * Yields the records of a list, each once, page by page. The list ends by what was received, as in the SDK. A list
 * that makes no progress is an error.
 */
export async function* readRecords(
  read: ReadPage,
  options: ListOptions,
  progress: ListProgress,
): AsyncGenerator<Row> {
  const maxRecords = options.all ? Number.POSITIVE_INFINITY : (options.limit ?? limits.pageSize);
  const matches = createSearchFilter(options.search);
  const seen = createSeenRecords();
  const begin = options.offset ?? 0;
  let position: ListPosition | undefined = startOfList(begin);
  while (position !== undefined && progress.shown < maxRecords) {
    // A search reads whole pages: matches may be anywhere.
    const requested =
      matches === undefined ? Math.min(limits.pageSize, maxRecords - progress.shown) : limits.pageSize;
    const { records, total, limited } = await read(position.offset, requested);
    progress.total = typeof total === 'number' ? total : undefined;
    const fresh = seen.addPage(records);
    for (const record of fresh) {
      if (matches?.(record) === false) continue;
      if (progress.shown >= maxRecords) {
        progress.more = true;
        progress.nextOffset = begin + progress.shown;
        return;
      }
      progress.shown++;
      yield record;
    }
    const facts = { requested, received: records.length, newCount: fresh.length, total, limited };
    const next: ListPosition | undefined = positionAfter(position, facts);
    if (next !== undefined && seen.isStuck()) throw endlessListError();
    position = next;
    progress.nextOffset = next?.offset ?? progress.nextOffset;
    progress.more = next === undefined ? false : hasMore(next, limited);
  }
}

/** Whether there are more records; `maybe` if the server does not say. */
function hasMore({ offset, total }: ListPosition, limited: unknown): boolean | 'maybe' {
  if (limited === true || (total !== undefined && total > offset)) return true;
  return total === offset ? false : 'maybe';
}

const endlessListError = (): CliError =>
  new CliError(`The list does not end: ${maxStalePages} pages in a row contained no new record.`, {
    code: 'UNEXPECTED_SHAPE',
    exit: exitCodes.failed,
    hint: 'The server seems to ignore the offset. Check that it is the right server: orgchat doctor',
  });

/** The API searches friends only; for the other resources the label is looked at here. */
function createSearchFilter(search: string | undefined): ((record: Row) => boolean) | undefined {
  if (search === undefined) return undefined;
  const needle = search.trim().toLowerCase();
  return (record) =>
    String(record.label ?? record.name ?? '')
      .toLowerCase()
      .includes(needle);
}

/** Whether the server has more records than a list without an offset returned. */
export const isTruncated = ({ records, total, limited }: Page): boolean =>
  limited === true || (typeof total === 'number' && total > records.length);
