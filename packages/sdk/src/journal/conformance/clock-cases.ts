import type { MaybePromise } from '../journal.ts';
import { assertEqual, claimEntry, createEntry, isHeld, type JournalCase, newDeadline } from './assertions.ts';

/** How far apart the clocks of two machines are in these cases, in milliseconds. */
const apartMs = 600_000;

/**
 * What clocks may not change: a hold lasts as long as its holder said, whatever time it is there. `setClock` makes the
 * clock of this machine wrong by that many milliseconds, until the function it returns is called.
 */
export function createClockCases(
  setClock: (offsetMs: number) => MaybePromise<() => MaybePromise<void>>,
): readonly JournalCase[] {
  /** Runs work on a machine whose clock is wrong. */
  async function onMachine<T>(offsetMs: number, work: () => Promise<T>): Promise<T> {
    const restore = await setClock(offsetMs);
    try {
      return await work();
    } finally {
      await restore();
    }
  }
  return [-apartMs, apartMs].flatMap((offsetMs): JournalCase[] => {
    const than = offsetMs < 0 ? 'behind' : 'ahead';
    return [
      [
        `keeps an entry held whose holder has a clock ten minutes ${than}`,
        async (journal) => {
          const entry = await onMachine(offsetMs, async () => {
            const added = createEntry();
            await journal.add(added);
            return added;
          });
          assertEqual(await claimEntry(journal, entry), isHeld, 'claim by the right clock');
          const claim = await journal.claim(entry, { token: 'another', deadline: newDeadline() });
          const until = claim?.entry ? undefined : claim?.heldUntil;
          if (until !== undefined && !(Date.parse(until) > Date.now()))
            throw new Error(`held until: expected a time to come, got ${until}`);
          assertEqual(await journal.settle({ ...entry, state: 'applied' }), true, 'settle of the holder');
        },
      ],
      [
        `keeps an entry held from a machine whose clock is ten minutes ${than}`,
        async (journal) => {
          const entry = createEntry();
          await journal.add(entry);
          const claimed = await onMachine(offsetMs, () => claimEntry(journal, entry));
          assertEqual(claimed, isHeld, 'claim by the wrong clock');
          assertEqual(await journal.settle({ ...entry, state: 'applied' }), true, 'settle of the holder');
        },
      ],
    ];
  });
}
