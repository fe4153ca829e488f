import { toComparableLabel } from '@orgchat/sdk/internal';
import { limits } from '@orgchat/spec/limits';
import type { Row } from '../output/output.ts';

export interface ListOptions {
  readonly limit?: number;
  readonly offset?: number;
  readonly all?: true;
  readonly search?: string;
  /** Whether to show a record. Whole pages are read for it, because matches may be anywhere. */
  readonly filter?: ((record: Row) => boolean | Promise<boolean>) | undefined;
}

/** One page of a list. `total` and `limited` are as the server sent them. */
export interface Page {
  readonly records: readonly Row[];
  /** Undefined if the server does not say. */
  readonly total?: number;
  readonly limited?: boolean;
}

/** A page of a list that is read page by page, from which the next one can be read. */
export interface ListedPage extends Page {
  readonly nextOffset: number | undefined;
}

/** Where a list begins, and how many records of it are read. */
export interface ListPart {
  readonly offset?: number | undefined;
  readonly maxItems?: number | undefined;
}

/** Reads a part of a list, page by page. */
export type ReadPages = (part: ListPart) => AsyncIterable<ListedPage>;

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

/** Yields the records of a list, each once. */
export async function* readRecords(
  read: ReadPages,
  { all, limit, offset, search, filter }: ListOptions,
  progress: ListProgress,
): AsyncGenerator<Row> {
  const maxRecords = all ? Number.POSITIVE_INFINITY : (limit ?? limits.pageSize);
  const matches = filter ?? createSearchFilter(search);
  // A search reads whole pages: matches may be anywhere.
  const maxItems = matches === undefined ? maxRecords : undefined;
  for await (const page of read({ offset, maxItems })) {
    progress.total = page.total;
    for (const record of page.records) {
      if (matches !== undefined && !(await matches(record))) continue;
      if (progress.shown >= maxRecords) {
        progress.more = true;
        return;
      }
      progress.shown++;
      yield record;
    }
    const { nextOffset } = page;
    progress.nextOffset = nextOffset ?? progress.nextOffset;
    progress.more = nextOffset === undefined ? false : hasMore(nextOffset, progress.total, page.limited);
    if (progress.shown >= maxRecords) return;
  }
}

/** Whether there are records from an offset on; `maybe` if the server does not say. */
function hasMore(offset: number, total: number | undefined, limited: boolean | undefined): boolean | 'maybe' {
  if (limited === true || (total !== undefined && total > offset)) return true;
  return total === offset ? false : 'maybe';
}

/** The fields that name records, the first of which a record has. What the API calls its label is only sent back. */
const nameFields = ['name', 'title', 'keyword', 'displayName'];

/** The name of a record; empty if it shows none. */
export function getName(record: Row): string {
  const field = nameFields.find((one) => typeof record[one] === 'string');
  return field === undefined ? '' : String(record[field]);
}

/** The API searches friends only; for the other resources the label is looked at here. */
function createSearchFilter(search: string | undefined): ((record: Row) => boolean) | undefined {
  if (search === undefined) return undefined;
  const needle = toComparableLabel(search).toLowerCase();
  return (record) => toComparableLabel(getName(record)).toLowerCase().includes(needle);
}

/** Whether the server has more records than a list without an offset returned. */
export const isTruncated = ({ records, total, limited }: Page): boolean =>
  limited === true || (total !== undefined && total > records.length);
