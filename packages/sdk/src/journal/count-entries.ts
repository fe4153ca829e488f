import { isOpen } from './entries.ts';
import type { Journal, JournalStats } from './journal.ts';
import { readPages } from './read-pages.ts';

/** Counts the entries of a target: by the journal itself, or page by page. */
export async function countEntries(journal: Journal, target: string): Promise<JournalStats> {
  if (journal.stats) return journal.stats(target);
  const counts = { pending: 0, unknown: 0, applied: 0, refused: 0, abandoned: 0, open: 0 };
  let oldestOpenAt: string | undefined;
  for await (const { entries } of readPages(journal, target)) {
    for (const entry of entries) {
      counts[entry.state]++;
      if (!isOpen(entry)) continue;
      counts.open++;
      // The oldest come first.
      oldestOpenAt ??= entry.createdAt;
    }
  }
  return { ...counts, oldestOpenAt };
}
