import type { ClientContext } from '../client-context.ts';
import { countEntries } from '../journal/count-entries.ts';
import { isListed } from '../journal/entries.ts';
import type { JournalEntry, JournalListOptions, JournalProblem } from '../journal/journal.ts';
import { defaultPageSize, readPages } from '../journal/read-pages.ts';
import { dateAfter } from '../timing/deadline.ts';
import type { ChatChange } from '../types.ts';
import { parseInput } from '../write/operation.ts';
import { maxListed, resolveListOptions } from './list-options.ts';
import type { ListOperationsOptions, OperationEntry, OperationStats } from './operations-api.ts';

/** By how much the clock of another machine may be ahead, in milliseconds. */
const clockDifferenceMs = 60_000;

/** Returns an operation as users see it. A change in the journal is what `changeChat` was given. */
export const toOperation = (entry: JournalEntry): OperationEntry => ({
  ...entry,
  change: entry.kind === 'change' ? (parseInput(entry) as unknown as ChatChange) : undefined,
});

/** Creates what reads the operations of a client in the journal, page by page. */
export function createOperationLists(client: ClientContext) {
  const { journal } = client;
  const pages = (options: JournalListOptions) => readPages(journal, client.target(), options);

  /** Lists operations, and emits what cannot be used, unless it is among `reported`. */
  async function list(
    given: ListOperationsOptions = {},
    reported = new Map<string, JournalProblem>(),
  ): Promise<OperationEntry[]> {
    const { limit, ...options } = resolveListOptions(given);
    // A page of few entries would be read very often for a state that few have.
    const pageSize = Math.min(options.state ? Math.max(limit, defaultPageSize) : limit, maxListed);
    const found: OperationEntry[] = [];
    for await (const { entries, problems } of pages({ ...options, limit: pageSize })) {
      for (const problem of problems) {
        if (reported.has(problem.location)) continue;
        if (reported.size < maxListed) reported.set(problem.location, problem);
        client.emit(() => ({ type: 'journal', problem }));
      }
      for (const entry of entries) {
        if (isListed(entry, options)) found.push(toOperation(entry));
        if (found.length === limit) return found;
      }
    }
    return found;
  }

  async function listProblems(): Promise<readonly JournalProblem[]> {
    const found: JournalProblem[] = [];
    for await (const { problems } of pages({ open: true })) {
      found.push(...problems);
      if (found.length >= maxListed) break;
    }
    return found.slice(0, maxListed);
  }

  async function stats(): Promise<OperationStats> {
    const counts = await countEntries(journal, client.target());
    const { oldestOpenAt } = counts;
    const ageMs = oldestOpenAt === undefined ? undefined : Math.max(0, Date.now() - Date.parse(oldestOpenAt));
    return { ...counts, oldestOpenMs: ageMs };
  }

  /**
   * Yields the open operations, page by page. Ends at those that begin in the meantime: they may begin faster than they
   * are read. Adds what cannot be used to `reported`.
   */
  async function* iterateOpen(reported: Map<string, JournalProblem>): AsyncGenerator<OperationEntry> {
    const end = dateAfter(clockDifferenceMs).toISOString();
    let isFirstPage = true;
    for (let after: OperationEntry | undefined; ; isFirstPage = false) {
      const page = await list({ open: true, limit: defaultPageSize, after }, reported);
      for (const entry of page) {
        if (!isFirstPage && entry.createdAt > end) return;
        yield entry;
      }
      after = page[defaultPageSize - 1];
      if (!after) return;
    }
  }

  return { list, listProblems, stats, iterateOpen };
}
