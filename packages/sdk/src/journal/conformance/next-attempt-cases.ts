import type { Journal, JournalEntry, MaybePromise, NextAttempt } from '../journal.ts';
import { assertEqual, claimEntry, createEntry, type JournalCase, newDeadline, target } from './assertions.ts';

/** How much the time of a next attempt may differ after a journal has stored it, in milliseconds. */
const toleranceMs = 10_000;

/** Returns a next attempt after so many milliseconds, by the clock of this machine. */
const nextAttemptIn = (ms: number, repeats = 3): NextAttempt => ({
  at: new Date(Date.now() + ms).toISOString(),
  repeats,
});

/** Checks that an entry has a next attempt after about so many milliseconds, by the clock of this machine. */
function assertNextAttempt(entry: JournalEntry | undefined, ms: number, what: string): void {
  const { at = '', repeats } = entry?.nextAttempt ?? {};
  assertEqual(repeats, 3, `${what}: repeats`);
  const differenceMs = Date.parse(at) - (Date.now() + ms);
  if (!(Math.abs(differenceMs) <= toleranceMs))
    throw new Error(`${what}: expected the next attempt in ${ms} ms, got ${at}`);
}

async function addUnknown(journal: Journal, nextAttempt: NextAttempt): Promise<JournalEntry> {
  const entry = createEntry();
  await journal.add(entry);
  const unknown = { ...entry, state: 'unknown', nextAttempt } as const;
  assertEqual(await journal.settle(unknown), true, 'settle');
  return unknown;
}

/** When an operation is sent again: what a call has decided is seen by all others. */
export const nextAttemptCases: readonly JournalCase[] = [
  [
    'keeps when an operation is sent again at the earliest, and how often it was',
    async (journal) => {
      const minuteMs = 60_000;
      const entry = await addUnknown(journal, nextAttemptIn(minuteMs));
      assertNextAttempt(await journal.get(entry), minuteMs, 'get');
      assertNextAttempt((await journal.list(target, { open: true })).entries[0], minuteMs, 'list');
      const hold = { token: 'next', deadline: newDeadline() };
      const { entry: claimed } = (await journal.claim(entry, hold)) ?? {};
      assertNextAttempt(claimed, minuteMs, 'claim');
      if (!claimed) return;
      // A call that was too early lets go of it as it was.
      await journal.settle(claimed);
      assertNextAttempt(await journal.get(entry), minuteMs, 'get after it was settled unchanged');
    },
  ],
  [
    'replaces the next attempt of an operation with every settlement',
    async (journal) => {
      const entry = await addUnknown(journal, nextAttemptIn(60_000));
      for (const nextAttempt of [nextAttemptIn(21_600_000), undefined]) {
        await claimEntry(journal, entry, newDeadline(), 'again');
        await journal.settle({ ...entry, token: 'again', nextAttempt });
        const found = await journal.get(entry);
        if (nextAttempt) assertNextAttempt(found, 21_600_000, 'get');
        else assertEqual(found?.nextAttempt, undefined, 'next attempt');
      }
    },
  ],
];

/**
 * The same for a store with a clock of its own. `setClock` makes the clock of this machine wrong by that many milliseconds,
 * until the function it returns is called.
 */
export function createOwnClockCases(
  setClock: (offsetMs: number) => MaybePromise<() => MaybePromise<void>>,
): readonly JournalCase[] {
  return [-600_000, 600_000].map((offsetMs): JournalCase => {
    const than = offsetMs < 0 ? 'behind' : 'ahead';
    return [
      `keeps when an operation is sent again, as a machine decided whose clock is ten minutes ${than}`,
      async (journal) => {
        const restore = await setClock(offsetMs);
        let entry: JournalEntry;
        try {
          entry = await addUnknown(journal, nextAttemptIn(60_000));
          assertNextAttempt(await journal.get(entry), 60_000, 'get by the wrong clock');
        } finally {
          await restore();
        }
        assertNextAttempt(await journal.get(entry), 60_000, 'get by the right clock');
      },
    ];
  });
}
