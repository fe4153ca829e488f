import {
  createSeenRecords,
  type ListPosition,
  maxStalePages,
  positionAfter,
  startOfList,
} from '@orgchat/sdk/paging';
import type { Command } from 'commander';
import type { Context } from './context.ts';
import { limits } from './contract.ts';
import { exitCodes } from './exit-codes.ts';
import { Failure } from './failure.ts';
import { checkBaseUrl } from './failures.ts';
import type { Row } from './output/output.ts';
import { integer } from './parsers.ts';

export interface ListOptions {
  readonly limit?: number;
  readonly offset?: number;
  readonly all?: true;
  readonly search?: string;
}

export function addListOptions(command: Command): Command {
  return command
    .option('--limit <n>', `how many at most (default ${limits.pageSize})`, integer(1))
    .option('--offset <n>', 'how many of the newest to pass over', integer(0, limits.offset))
    .option('--all', 'all of them, page by page')
    .option('--search <text>', 'only those whose name has this in it');
}

/** One answer to the read of a list. What the server says about the list is as it came. */
export interface Page {
  readonly records: readonly Row[];
  readonly total: unknown;
  readonly limited: unknown;
}

/** Reads `limit` records from `offset`. */
export type ReadPage = (offset: number, limit: number) => Promise<Page>;

/** How far a list was read. */
export interface Progress {
  shown: number;
  total: number | undefined;
  /** Whether there are more records: `maybe` if the server does not say. */
  more: boolean | 'maybe';
  /** Where the next record begins. */
  nextOffset: number;
}

export const startOfReading = (): Progress => ({ shown: 0, total: undefined, more: false, nextOffset: 0 });

/**
 * Passes on the records of a list, each once, page by page. It ends by what was received, as the lists of the SDK do;
 * a list that makes no progress is an error.
 */
export async function* readRecords(
  read: ReadPage,
  options: ListOptions,
  progress: Progress,
): AsyncGenerator<Row> {
  const wanted = options.all ? Number.POSITIVE_INFINITY : (options.limit ?? limits.pageSize);
  const matches = matcher(options.search);
  const seen = createSeenRecords();
  const begin = options.offset ?? 0;
  let position: ListPosition | undefined = startOfList(begin);
  while (position !== undefined && progress.shown < wanted) {
    // A search looks at whole pages: what it wants may be anywhere.
    const requested =
      matches === undefined ? Math.min(limits.pageSize, wanted - progress.shown) : limits.pageSize;
    const { records, total, limited } = await read(position.offset, requested);
    progress.total = typeof total === 'number' ? total : undefined;
    const fresh = seen.addPage(records);
    for (const record of fresh) {
      if (matches?.(record) === false) continue;
      if (progress.shown >= wanted) {
        progress.more = true;
        progress.nextOffset = begin + progress.shown;
        return;
      }
      progress.shown++;
      yield record;
    }
    const facts = { requested, received: records.length, isNew: fresh.length, total, limited };
    const next: ListPosition | undefined = positionAfter(position, facts);
    if (next !== undefined && seen.isStuck()) throw stuck();
    position = next;
    progress.nextOffset = next?.offset ?? progress.nextOffset;
    progress.more = next === undefined ? false : saysMore(next, limited);
  }
}

/** Whether the server says that records follow; `maybe` if it says nothing. */
function saysMore({ offset, total }: ListPosition, limited: unknown): boolean | 'maybe' {
  if (limited === true || (total !== undefined && total > offset)) return true;
  return total === offset ? false : 'maybe';
}

const stuck = (): Failure =>
  new Failure(
    `The list does not end: ${maxStalePages} pages in a row had no record that was not on an earlier page.`,
    {
      code: 'UNEXPECTED_SHAPE',
      exit: exitCodes.failed,
      hint: 'The server seems to ignore the offset. Is it the right one? orgchat doctor',
    },
  );

/** The API searches friends only; for the other resources the label is looked at here. */
function matcher(search: string | undefined): ((record: Row) => boolean) | undefined {
  if (search === undefined) return undefined;
  const wanted = search.trim().toLowerCase();
  return (record) =>
    String(record.label ?? record.name ?? '')
      .toLowerCase()
      .includes(wanted);
}

/** Prints a list and says on stderr when it is not all there is. `what` is the plural noun of its records. */
export async function printList(
  context: Context,
  read: ReadPage,
  options: ListOptions,
  what: string,
  columns: readonly string[],
): Promise<void> {
  const progress = startOfReading();
  const { output } = context;
  // No record is asked for, so it is not an id that is wrong.
  context.notFoundHint = checkBaseUrl;
  await output.many(readRecords(read, options, progress), columns);
  const { shown, total, more, nextOffset } = progress;
  if (shown === 0 && output.format === 'table') output.note(`No ${what} found.`);
  if (more === false) return;
  const isSearch = options.search !== undefined;
  const of = !isSearch && total !== undefined && total > shown ? ` of ${total}` : '';
  const isPossible = more === 'maybe' ? ', and there may be more' : '';
  const next = isSearch ? '' : `, --offset ${nextOffset} the next`;
  output.note(`${shown}${of} ${what} shown${isPossible}; --all prints all${next}.`);
}

/** Whether the server has more records than a list that takes no offset. */
export const isCut = ({ records, total, limited }: Page): boolean =>
  limited === true || (typeof total === 'number' && total > records.length);

/**
 * Prints a list that the API bounds without an offset, and says on stderr if it is not all there is. `what` is the
 * plural noun of its records, `more` says how to see more of them, if there is a way.
 */
export async function printBoundedList(
  context: Context,
  page: Page,
  what: string,
  columns: readonly string[],
  more = 'the API returns no more of this list',
): Promise<void> {
  const { output } = context;
  const { records, total } = page;
  await output.many(records, columns);
  if (records.length === 0 && output.format === 'table') output.note(`No ${what} found.`);
  if (!isCut(page)) return;
  const of = typeof total === 'number' && total > records.length ? ` of ${total}` : '';
  output.note(`${records.length}${of} ${what} shown; ${more}.`);
}

/** A list of many pages takes longer than one call may: where no deadline was given, its calls get this one. */
export const patientMs = 300_000;
