import { describe, expect, test } from 'vitest';
import type { JournalCase } from '../../src/journal/conformance/assertions.ts';
import type {
  Claim,
  EntryKey,
  Hold,
  Journal,
  JournalEntry,
  JournalListing,
  JournalListOptions,
} from '../../src/journal/journal.ts';
import { memoryJournal } from '../../src/journal/memory.ts';

/* Journals with one flaw each. They show that a case of the conformance suite fails if a journal breaks its rule. */

/** A journal that answers at once, so that a flaw can be built on top of it. */
export interface SynchronousJournal extends Journal {
  add(entry: JournalEntry): boolean;
  get(key: EntryKey): JournalEntry | undefined;
  claim(key: EntryKey, hold: Hold): Claim | undefined;
  settle(entry: JournalEntry): boolean;
  list(target: string, options?: JournalListOptions): JournalListing;
  remove(key: EntryKey, token?: string): boolean;
}

export const createSoundJournal = (): SynchronousJournal => memoryJournal() as SynchronousJournal;

/** The rule that is broken, how, the flawed methods of a sound journal, and the error of the case. */
export type Flaw = readonly [
  rule: string,
  flaw: string,
  createMethods: (journal: SynchronousJournal) => Partial<Journal>,
  error: RegExp,
];

export const changed = (
  entry: JournalEntry | undefined,
  change: Partial<JournalEntry>,
): JournalEntry | undefined => entry && { ...entry, ...change };

/** Lists the entries of a target as `select` returns them. */
export const listed = (
  journal: SynchronousJournal,
  target: string,
  select: (entries: readonly JournalEntry[]) => readonly JournalEntry[],
): JournalListing => ({ entries: select(journal.list(target).entries), problems: [] });

/** Tests that each flaw fails the case of its rule, and that each case has a flaw. */
export function describeFlaws(cases: readonly JournalCase[], flaws: readonly Flaw[]): void {
  const checks = new Map(cases);

  describe('the conformance suite', () => {
    test.each(flaws)('"%s" is broken by %s', async (rule, _flaw, createMethods, error) => {
      const check = checks.get(rule);
      if (check === undefined) throw new Error(`there is no case "${rule}"`);
      const journal = createSoundJournal();
      await expect(check({ ...journal, ...createMethods(journal) })).rejects.toThrow(error);
      // Without the flaw it passes.
      await check(memoryJournal());
    });

    test('has a flaw for each of its cases', () => {
      expect([...new Set(flaws.map(([rule]) => rule))].sort()).toEqual([...checks.keys()].sort());
    });
  });
}
