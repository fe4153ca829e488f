/** Minimum number of records of a list that are remembered. This bounds the memory that a long list needs. */
export const rememberedRecords = 10_000;

/** After this many pages in a row without a new record, a list makes no progress. */
export const maxStalePages = 3;

/** The last records of a list, so that each is passed on once. */
export interface SeenRecords {
  /** Returns the records of a page that were not on the last pages. `mayRepeat` says that it may well have none. */
  addPage<T extends object>(records: readonly T[], mayRepeat?: boolean): T[];
  /** Whether one of the records is neither on the last pages nor on the other page, which was not added. */
  hasOthers(records: readonly object[], other: readonly object[]): boolean;
  /** Whether the last pages had nothing new, so that reading on would never end. */
  isStuck(): boolean;
}

/** The fields that name a record, as text; undefined for a record without any. A friend is named by two fields. */
function getIdentity(record: object): string | undefined {
  const { id, accountId, userId } = record as Readonly<Record<string, unknown>>;
  if (typeof id === 'string' || typeof id === 'number') return JSON.stringify(id);
  return typeof userId === 'string' ? JSON.stringify([accountId, userId]) : undefined;
}

const getKey = (record: object): string => getIdentity(record) ?? JSON.stringify(record);

/**
 * Remembers the last records of a list. A record that was created in the meantime pushes the others back, so that the
 * next page begins with what the previous one ended with.
 */
export function createSeenRecords(): SeenRecords {
  let recent = new Set<string>();
  let earlier = recent;
  let stalePages = 0;
  const remember = (key: string): void => {
    if (recent.size >= rememberedRecords) {
      earlier = recent;
      recent = new Set();
    }
    recent.add(key);
  };
  const isKnown = (key: string): boolean => recent.has(key) || earlier.has(key);
  return {
    hasOthers(records, other) {
      const others = new Set(other.map(getKey));
      return records.map(getKey).some((key) => !isKnown(key) && !others.has(key));
    },
    addPage(records, mayRepeat = false) {
      const onThisPage: string[] = [];
      const fresh = records.filter((record) => {
        const identity = getIdentity(record);
        const key = getKey(record);
        if (isKnown(key)) return false;
        // Without an identity, two equal records of one page are still two records.
        if (identity === undefined) onThisPage.push(key);
        else remember(key);
        return true;
      });
      for (const key of onThisPage) remember(key);
      // An empty page repeats nothing: list-position.ts decides about it, and about a cursor its pager.
      if (fresh.length > 0) stalePages = 0;
      else if (records.length > 0 && !mayRepeat) stalePages++;
      return fresh;
    },
    isStuck: () => stalePages >= maxStalePages,
  };
}
