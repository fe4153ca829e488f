import { compareEntries } from './entries.ts';
import type { Journal, JournalListing, JournalListOptions } from './journal.ts';

/** Entries per page where a whole journal is read. */
export const defaultPageSize = 200;

/**
 * Reads the entries of a target page by page, so that no more than one page is in memory. A problem is in the first page that
 * reports it alone. Ends if a journal answers with
 * a page that does not come after the one before.
 */
export async function* readPages(
  journal: Journal,
  target: string,
  options: JournalListOptions = {},
): AsyncGenerator<JournalListing> {
  const { limit = defaultPageSize } = options;
  const reported = new Set<string>();
  for (let { after } = options; ; ) {
    const page = await journal.list(target, { ...options, after, limit });
    const last = page.entries.at(-1);
    if (last && after && compareEntries(last, after) <= 0) return;
    const problems = page.problems.filter(({ location }) => !reported.has(location));
    for (const { location } of problems) reported.add(location);
    yield { ...page, problems };
    if (!last || page.entries.length !== limit) return;
    after = { createdAt: last.createdAt, operationId: last.operationId };
  }
}
