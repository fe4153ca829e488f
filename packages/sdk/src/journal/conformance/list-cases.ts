import { compareEntries } from '../entries.ts';
import type { JournalEntry } from '../journal.ts';
import { assertEqual, createEntry, type JournalCase, target } from './assertions.ts';

/** What a journal lists, and in what order. */
export const listCases: readonly JournalCase[] = [
  [
    'lists only open entries on request',
    async (journal) => {
      const [pending, unknown, applied] = [createEntry(), createEntry(), createEntry()];
      for (const entry of [pending, unknown, applied]) await journal.add(entry);
      await journal.settle({ ...unknown, state: 'unknown' });
      await journal.settle({ ...applied, state: 'applied' });
      const { entries } = await journal.list(target, { open: true });
      assertEqual(entries, [pending, { ...unknown, state: 'unknown' }], 'open entries');
    },
  ],
  [
    'keeps that the server knows an intent with other input, and counts such an entry as settled',
    async (journal) => {
      const entry = createEntry();
      await journal.add(entry);
      const error = { code: 'OUTCOME_UNKNOWN', reason: 'intent-known', status: 409, requestId: 'req-1' };
      const settled = { ...entry, state: 'unknown', error } as const;
      await journal.settle(settled);
      assertEqual(await journal.get(entry), settled, 'entry');
      assertEqual((await journal.list(target, { open: true })).entries, [], 'open entries');
      assertEqual((await journal.list(target)).entries, [settled], 'entries');
    },
  ],
  [
    'lists in pages that neither repeat nor omit an entry',
    async (journal) => {
      const createdAt = new Date().toISOString();
      const entries = Array.from({ length: 7 }, (_, n) => createEntry(n < 4 ? { createdAt } : {}));
      for (const entry of entries) await journal.add(entry);
      const listed: string[] = [];
      let after: JournalEntry | undefined;
      do {
        const page = (await journal.list(target, { after, limit: 3 })).entries;
        if (page.length > 3) throw new Error(`page: expected at most 3 entries, got ${page.length}`);
        listed.push(...page.map(({ operationId }) => operationId));
        after = page[2];
        // A removed entry is still a valid position in the list.
        if (after) await journal.remove(after);
      } while (after && listed.length < 20);
      assertEqual(
        listed,
        entries.sort(compareEntries).map(({ operationId }) => operationId),
        'ids of all pages',
      );
    },
  ],
  [
    'counts its entries by state, if it has `stats`',
    async (journal) => {
      if (!journal.stats) return;
      const [oldest, ...others] = Array.from({ length: 6 }, () => createEntry());
      const states = ['unknown', 'unknown', 'applied', 'refused', 'abandoned'] as const;
      for (const entry of [oldest, ...others]) if (entry) await journal.add(entry);
      for (const [n, entry] of others.entries()) {
        const error = n === 0 ? { code: 'OUTCOME_UNKNOWN', reason: 'intent-known' } : undefined;
        await journal.settle({ ...entry, state: states[n] ?? 'applied', error });
      }
      await journal.add(createEntry({ target: `${target}0` }));
      const expected = {
        ...{ pending: 1, unknown: 2, applied: 1, refused: 1, abandoned: 1 },
        ...{ open: 2, oldestOpenAt: oldest?.createdAt },
      };
      assertEqual({ ...(await journal.stats(target)) }, expected, 'stats');
    },
  ],
  [
    'lists oldest first, whatever the state',
    async (journal) => {
      const entries = [
        createEntry(),
        createEntry(),
        createEntry({ kind: 'keywords', path: '/sites/s/keywords' }),
      ];
      for (const entry of [...entries].reverse()) await journal.add(entry);
      const [first] = entries;
      if (first) await journal.settle({ ...first, state: 'applied' });
      const ids = (await journal.list(target)).entries.map(({ operationId }) => operationId);
      assertEqual(
        ids,
        entries.map(({ operationId }) => operationId),
        'order',
      );
    },
  ],
];
