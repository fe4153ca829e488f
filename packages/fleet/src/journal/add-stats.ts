import type { JournalStats, OperationState } from '@orgchat/sdk';

/** The states of an entry. */
export const operationStates = [
  'pending',
  'unknown',
  'applied',
  'refused',
  'abandoned',
] as const satisfies readonly OperationState[];

/** The counts of no entries. */
export const noStats: JournalStats = {
  ...{ pending: 0, unknown: 0, applied: 0, refused: 0, abandoned: 0 },
  ...{ open: 0, oldestOpenAt: undefined },
};

/** Adds the counts of a page, as an engine returns them, to those of the pages before. */
export function addStats(sum: JournalStats, page: Readonly<Record<string, unknown>>): JournalStats {
  const oldest = page.oldest_open_at;
  const counts = Object.fromEntries(
    ([...operationStates, 'open'] as const).map((name) => [name, sum[name] + Number(page[name])]),
  ) as unknown as JournalStats;
  return { ...counts, oldestOpenAt: sum.oldestOpenAt ?? (oldest ? String(oldest) : undefined) };
}
