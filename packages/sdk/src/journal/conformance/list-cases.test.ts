import { describeFlaws, type Flaw, listed } from '../../../test-support/journals/flawed-journal.ts';
import type { JournalEntry } from '../journal.ts';
import { listCases } from './list-cases.ts';

const flaws: readonly Flaw[] = [
  [
    'lists only open entries on request',
    'a list that does not know of it',
    (journal) => ({ list: (target) => journal.list(target) }),
    /^open entries: /,
  ],
  [
    'lists only open entries on request',
    'a list of what is pending alone',
    (journal) => ({
      list: (target) => listed(journal, target, (all) => all.filter(({ state }) => state === 'pending')),
    }),
    /^open entries: /,
  ],
  [
    'keeps that the server knows an intent with other input, and counts such an entry as settled',
    'a list that goes by the state alone',
    (journal) => ({
      list: (target, options) =>
        listed(journal, target, (all) =>
          all.filter(({ state }) => !options?.open || state === 'pending' || state === 'unknown'),
        ),
    }),
    /^open entries: /,
  ],
  [
    'keeps that the server knows an intent with other input, and counts such an entry as settled',
    'a store that does not keep the reason',
    (journal) => ({
      settle: ({ error, ...entry }) =>
        journal.settle({ ...entry, error: error && { ...error, reason: undefined } }),
    }),
    /^entry: /,
  ],
  [
    'lists in pages that neither repeat nor omit an entry',
    'a list that knows no limit',
    (journal) => ({ list: (target, options) => journal.list(target, { ...options, limit: undefined }) }),
    /^page: expected at most 3 entries, got 7$/,
  ],
  [
    'lists in pages that neither repeat nor omit an entry',
    'pages that go by the time alone',
    (journal) => ({
      list: (target, { after, limit } = {}) => ({
        ...listed(journal, target, (all) =>
          all.filter(({ createdAt }) => !after || createdAt > after.createdAt).slice(0, limit),
        ),
      }),
    }),
    /^ids of all pages: /,
  ],
  [
    'lists in pages that neither repeat nor omit an entry',
    'pages that begin at the entry they should follow',
    (journal) => ({
      list: (target, { after, limit } = {}) =>
        listed(journal, target, (all) =>
          all
            .slice(after ? all.findIndex((entry) => entry.operationId === after.operationId) : 0)
            .slice(0, limit),
        ),
    }),
    /^ids of all pages: /,
  ],
  [
    'counts its entries by state, if it has `stats`',
    'a count by the state alone',
    (journal) => ({
      stats(target) {
        const { entries } = journal.list(target);
        const count = (state: string): number => entries.filter((entry) => entry.state === state).length;
        const [pending, unknown] = [count('pending'), count('unknown')];
        return {
          ...{ pending, unknown, applied: count('applied'), refused: count('refused') },
          ...{ abandoned: count('abandoned'), open: pending + unknown, oldestOpenAt: entries[0]?.createdAt },
        };
      },
    }),
    /^stats: /,
  ],
  [
    'lists oldest first, whatever the state',
    'a list in the order of the additions',
    (journal) => {
      const added: JournalEntry[] = [];
      return {
        add: (entry) => {
          added.push(entry);
          return journal.add(entry);
        },
        list: () => ({ entries: added, problems: [] }),
      };
    },
    /^order: /,
  ],
  [
    'lists oldest first, whatever the state',
    'a list without what is settled',
    (journal) => ({
      list: (target) =>
        listed(journal, target, (all) =>
          all.filter(({ state }) => state === 'pending' || state === 'unknown'),
        ),
    }),
    /^order: /,
  ],
  [
    'lists oldest first, whatever the state',
    'a list of changes alone',
    (journal) => ({
      list: (target) => listed(journal, target, (all) => all.filter(({ kind }) => kind === 'change')),
    }),
    /^order: /,
  ],
];

describeFlaws(listCases, flaws);
