import { describe, expect, test } from 'vitest';
import { createSoundJournal } from '../../../test-support/journals/flawed-journal.ts';
import type { Journal } from '../journal.ts';
import { memoryJournal } from '../memory.ts';
import { journalConformance } from './journal-conformance.ts';

const run = (rule: string, make: () => Journal | Promise<Journal>): Promise<void> => {
  const found = journalConformance(make).find(({ name }) => name === rule);
  if (found === undefined) throw new Error(`there is no case "${rule}"`);
  return found.run();
};

describe('the conformance suite', () => {
  test('has more than five cases', () => {
    expect(journalConformance(memoryJournal).length).toBeGreaterThan(5);
  });

  const late = 'gives an entry whose hold has ended to another claim, and refuses the late holder';

  /** A journal in memory whose holds end. */
  function leased({ isFenced }: { readonly isFenced: boolean }): Journal {
    const journal = createSoundJournal();
    return {
      ...journal,
      claim(key, hold) {
        const now = journal.get(key);
        if (now && Date.parse(now.deadline) < Date.now()) journal.settle(now);
        return journal.claim(key, hold);
      },
      settle: (entry) => journal.settle(isFenced ? entry : { ...entry, token: journal.get(entry)?.token }),
    };
  }

  test.each<[string, () => Journal, RegExp]>([
    ['holds that never end', memoryJournal, /^claim past the deadline: expected .*, got \{"isHeld":true\}$/],
    ['a late holder that settles', () => leased({ isFenced: false }), /^settle of the first holder: /],
    [
      'a late holder that removes',
      () => {
        const journal = leased({ isFenced: true });
        return { ...journal, remove: (key) => journal.remove(key) };
      },
      /^remove of the first holder: /,
    ],
  ])('with holdsEnd, fails for %s', async (_flaw, make, says) => {
    const isLate = ({ name }: { readonly name: string }) => name === late;
    await expect(journalConformance(make, { holdsEnd: true }).find(isLate)?.run()).rejects.toThrow(says);
    await journalConformance(() => leased({ isFenced: true }), { holdsEnd: true })
      .find(isLate)
      ?.run();
    expect(journalConformance(make).some(isLate)).toBe(false);
  });

  test('accepts a store that returns fields in another order', async () => {
    const reversed = <T>(value: T): T => {
      if (Array.isArray(value)) return value.map(reversed) as T;
      if (Object(value) !== value) return value;
      const fields = Object.entries(value as object).map(([name, field]) => [name, reversed(field)]);
      return Object.assign(Object.create(null), Object.fromEntries(fields.reverse())) as T;
    };
    const make = (): Journal => {
      const journal = createSoundJournal();
      return {
        ...journal,
        get: (key) => reversed(journal.get(key)),
        claim: (key, hold) => reversed(journal.claim(key, hold)),
        list: (target, options) => reversed(journal.list(target, options)),
      };
    };
    for (const { run } of journalConformance(make)) await run();
  });

  test('waits for a journal that is opened', async () => {
    await run('keeps targets apart', async () => memoryJournal());
    await expect(run('keeps targets apart', () => Promise.reject(new Error('no disk')))).rejects.toThrow(
      'no disk',
    );
  });
});
