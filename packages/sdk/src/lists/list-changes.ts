import type { CallOptions } from '../options/options.ts';
import type { ChatApi } from '../pipeline/chat-api.ts';
import { timesDescend } from '../shapes/record-times.ts';
import type { ConfigurationResource, ResourceRecords } from '../types.ts';
import { createOffsetList } from './record-list.ts';

/*
 * A list is not read in one moment: what is deleted between two pages moves the rest to the front, and the next page begins
 * behind a record that no page showed. If that page is empty, nothing shows it. So before a program believes that a record
 * does not exist, the list is looked at again.
 */

/** How often a list is read at most, if it changes between two pages each time. */
export const maxListReads = 3;

/** What of a page decides whether the list changed. */
export interface WatchedPage {
  readonly total?: unknown;
  /** Those that no earlier page had. */
  readonly records: readonly { readonly id: string }[];
}

/** Finds out whether a list changed while it was read. */
export interface ListChanges {
  /** Called with each page, also with an empty one. */
  addPage(page: WatchedPage): void;
  /**
   * Returns whether the list has a record that no page showed. It reads what is newer than the list. If `total` does not
   * count the list, nothing else shows a deletion, so it reads the list whole.
   */
  hasMissed(): Promise<boolean>;
}

/** Creates what watches one reading of a list, which may end at the first known record. */
export function watchListChanges<R extends ConfigurationResource>(
  api: Pick<ChatApi, 'read' | 'shapes'>,
  resource: R,
  options: CallOptions | undefined,
  isKnown: (id: string) => boolean = () => false,
): ListChanges {
  const totals = new Set<unknown>();
  const ids = new Set<string>();
  let pages = 0;
  let filledPages = 0;
  return {
    addPage({ total, records }) {
      totals.add(total);
      for (const { id } of records) ids.add(id);
      pages++;
      if (records.length > 0) filledPages++;
    },
    async hasMissed() {
      const [total] = totals;
      const isCounted = totals.size === 1 && typeof total === 'number';
      // One page shows one moment, also if an empty one follows that counts no more.
      if (pages < 2 || (filledPages < 2 && isCounted && total === ids.size)) return false;
      const prepare = () => ({ query: { resource }, options });
      const list = createOffsetList<ResourceRecords[R]>(api, prepare, { rows: 'any' });
      for await (const { records } of list.pages()) {
        const isNewestFirst = api.shapes.isNewestFirst(resource) && timesDescend(records);
        for (const { id } of records) {
          if (!ids.has(id) && !isKnown(id)) return true;
          // As many may have been created as were deleted, which `total` does not show. What follows is older.
          if (isNewestFirst && (isCounted || isKnown(id))) return false;
        }
      }
      return false;
    },
  };
}
