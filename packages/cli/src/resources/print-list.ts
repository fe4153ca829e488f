import { limits } from '@orgchat/spec/limits';
import type { Command } from 'commander';
import { integer } from '../args/value-parsers.ts';
import type { Context } from '../context.ts';
import { explaining } from '../error-conversion/error-hints.ts';
import { checkBaseUrl } from '../error-conversion/to-cli-error.ts';
import {
  createListProgress,
  isTruncated,
  type ListOptions,
  type Page,
  type ReadPages,
  readRecords,
} from './read-list.ts';

export function addListOptions(command: Command): Command {
  return command
    .option('--limit <n>', `maximum number of records (default ${limits.pageSize})`, integer(1))
    .option('--offset <n>', 'number of records to skip', integer(0, limits.offset))
    .option('--all', 'fetch all pages')
    .option('--search <text>', 'only records whose name contains this text');
}

/** Prints a list, and a note on stderr if there are more records. `what` is the plural noun of its records. */
export async function printList(
  context: Context,
  read: ReadPages,
  options: ListOptions,
  what: string,
  columns: readonly string[],
): Promise<void> {
  const progress = createListProgress();
  const { output } = context;
  // No record is requested, so a 404 is not about an id.
  await explaining({ notFound: checkBaseUrl }, () =>
    output.many(readRecords(read, options, progress), columns),
  );
  const { shown, total, more, nextOffset } = progress;
  if (shown === 0 && output.format === 'table') output.note(`No ${what} found.`);
  if (more === false) return;
  const isSearch = (options.search ?? options.filter) !== undefined;
  const of = !isSearch && total !== undefined && total > shown ? ` of ${total}` : '';
  const isPossible = more === 'maybe' ? '; there may be more' : '';
  const next = isSearch ? '' : `, or --offset ${nextOffset} for the next page`;
  output.note(`Showing ${shown}${of} ${what}${isPossible}. Use --all to show all${next}.`);
}

/**
 * Prints a list that the API limits without an offset, and a note on stderr if there are more records. `what` is the
 * plural noun of its records; `more` says how to see more of them, if possible.
 */
export async function printBoundedList(
  context: Context,
  page: Page,
  what: string,
  columns: readonly string[],
  more = 'The API does not return more of this list.',
): Promise<void> {
  const { output } = context;
  const { records, total } = page;
  await output.many(records, columns);
  if (records.length === 0 && output.format === 'table') output.note(`No ${what} found.`);
  if (!isTruncated(page)) return;
  const of = typeof total === 'number' && total > records.length ? ` of ${total}` : '';
  output.note(`Showing ${records.length}${of} ${what}. ${more}`);
}
