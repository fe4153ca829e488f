import type { Command } from 'commander';
import type { Context } from './context.ts';
import { limits } from './contract.ts';
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

export interface Page {
  readonly records: readonly Row[];
  readonly total: number;
  readonly limited: boolean;
}

/** Reads `limit` records from `offset`. */
export type ReadPage = (offset: number, limit: number) => Promise<Page>;

/** How a list that was read to its end or its limit stands to what there is. */
export interface Progress {
  shown: number;
  total: number | undefined;
  more: boolean;
}

/**
 * Passes on what pages hold, one record after the other. Records made meanwhile push others onto the next page;
 * what the page before had is not given twice.
 */
export async function* readRecords(
  read: ReadPage,
  options: ListOptions,
  progress: Progress,
): AsyncGenerator<Row> {
  const wanted = options.all ? Number.POSITIVE_INFINITY : (options.limit ?? limits.pageSize);
  const matches = matcher(options.search);
  let offset = options.offset ?? 0;
  let before = new Set<unknown>();
  while (progress.shown < wanted) {
    // A search looks at whole pages: what it wants may be anywhere.
    const size = matches === undefined ? Math.min(limits.pageSize, wanted - progress.shown) : limits.pageSize;
    const page = await read(offset, size);
    progress.total = page.total;
    progress.more = page.limited;
    const names = new Set<unknown>();
    for (const record of page.records) {
      const name = record.id ?? `${String(record.accountId)}/${String(record.userId)}`;
      names.add(name);
      if (before.has(name) || matches?.(record) === false) continue;
      if (progress.shown >= wanted) {
        progress.more = true;
        return;
      }
      progress.shown++;
      yield record;
    }
    before = names;
    offset += page.records.length;
    if (!page.limited || page.records.length === 0) return;
  }
}

/** The API searches friends only; for the other resources the label is looked at here. */
function matcher(search: string | undefined): ((record: Row) => boolean) | undefined {
  if (search === undefined) return undefined;
  const wanted = search.trim().toLowerCase();
  return (record) =>
    String(record.label ?? record.name ?? '')
      .toLowerCase()
      .includes(wanted);
}

/** Prints a list and says on stderr when it is not all there is. */
export async function printList(
  context: Context,
  read: ReadPage,
  options: ListOptions,
  columns: readonly string[],
): Promise<void> {
  const progress: Progress = { shown: 0, total: undefined, more: false };
  // No record is asked for, so it is not an id that is wrong.
  context.notFoundHint = checkBaseUrl;
  await context.output.many(readRecords(read, options, progress), columns);
  if (progress.shown === 0 && context.output.format === 'table') context.output.note('There are none.');
  if (progress.more) {
    const of = options.search === undefined && progress.total !== undefined ? ` of ${progress.total}` : '';
    context.output.note(`${progress.shown}${of} shown; --all prints all, --offset the next.`);
  }
}

/**
 * Prints a list that the API bounds without an offset, and says on stderr if it is not all there is. `what` is the
 * plural noun of its records, `more` says how to see more of them, if there is a way.
 */
export async function printBoundedList(
  context: Context,
  { records, total, limited }: Page,
  what: string,
  columns: readonly string[],
  more = 'the API returns no more of this list',
): Promise<void> {
  const { output } = context;
  await output.many(records, columns);
  if (records.length === 0 && output.format === 'table') output.note(`No ${what} found.`);
  if (!limited) return;
  const of = total > records.length ? ` of ${total}` : '';
  output.note(`${records.length}${of} ${what} shown; ${more}.`);
}

/** A list of many pages takes longer than one call may: where no deadline was given, its calls get this one. */
export const patientMs = 300_000;
