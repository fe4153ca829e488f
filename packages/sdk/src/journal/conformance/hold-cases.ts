import { assertEqual, claimEntry, createEntry, isHeld, type JournalCase, newDeadline } from './assertions.ts';

/** Who may settle and remove an entry: only the call that holds it. */
export const holdCases: readonly JournalCase[] = [
  [
    'holds an entry from add to settle',
    async (journal) => {
      const entry = createEntry();
      await journal.add(entry);
      assertEqual(await claimEntry(journal, entry), isHeld, 'claim while held');
      assertEqual(await journal.settle({ ...entry, state: 'unknown', attempts: 2 }), true, 'settle');
      assertEqual((await journal.get(entry))?.state, 'unknown', 'state after settle');
      assertEqual((await journal.get(entry))?.attempts, 2, 'attempts after settle');
      const [deadline, token] = [newDeadline(), crypto.randomUUID()];
      const now = { ...entry, state: 'unknown', attempts: 2, deadline, token };
      assertEqual(await claimEntry(journal, entry, deadline, token), now, 'claim after');
      assertEqual(await claimEntry(journal, entry), isHeld, 'second claim');
    },
  ],
  [
    'holds a settled entry from claim until it is settled again or removed',
    async (journal) => {
      const entry = createEntry();
      await journal.add(entry);
      await journal.settle({ ...entry, state: 'refused' });
      const [deadline, token] = [newDeadline(), crypto.randomUUID()];
      const held = { ...entry, state: 'refused', deadline, token } as const;
      assertEqual(await claimEntry(journal, entry, deadline, token), held, 'claim');
      assertEqual(await claimEntry(journal, entry), isHeld, 'second claim');
      await journal.settle(held);
      assertEqual(
        await claimEntry(journal, entry, deadline, 'next'),
        { ...held, token: 'next' },
        'claim after settle',
      );
      assertEqual(await journal.remove(entry), true, 'remove');
      assertEqual(await journal.add(entry), true, 'add after remove');
      assertEqual(await claimEntry(journal, entry), isHeld, 'claim of the new one');
    },
  ],
  [
    'gives an entry to one of many simultaneous claims',
    async (journal) => {
      const entry = createEntry();
      await journal.add(entry);
      await journal.settle({ ...entry, state: 'unknown' });
      const claims = await Promise.all(Array.from({ length: 20 }, () => claimEntry(journal, entry)));
      assertEqual(claims.filter((claim) => claim !== isHeld).length, 1, 'claims that succeeded');
    },
  ],
  [
    'says until when an entry is held, if it knows',
    async (journal) => {
      const entry = createEntry();
      await journal.add(entry);
      const claim = await journal.claim(entry, { token: 'another', deadline: newDeadline() });
      const until = claim?.entry ? undefined : claim?.heldUntil;
      if (until !== undefined && !(Date.parse(until) >= Date.parse(entry.deadline)))
        throw new Error(`held until: expected ${entry.deadline} or later, got ${until}`);
    },
  ],
  [
    'refuses to settle or remove an entry under a token that no longer holds it',
    async (journal) => {
      const entry = createEntry();
      await journal.add(entry);
      await journal.settle({ ...entry, state: 'unknown' });
      const [deadline, token] = [newDeadline(), crypto.randomUUID()];
      await claimEntry(journal, entry, deadline, token);
      const theirs = { ...entry, state: 'unknown', deadline, token } as const;
      assertEqual(
        await journal.settle({ ...entry, state: 'refused' }),
        false,
        'settle under the first token',
      );
      assertEqual(await journal.remove(entry, entry.token), false, 'remove under the first token');
      assertEqual(await journal.get(entry), theirs, 'get');
      assertEqual(await claimEntry(journal, entry), isHeld, 'claim while held');
      assertEqual(
        await journal.settle({ ...theirs, state: 'applied' }),
        true,
        'settle under the second token',
      );
      assertEqual(await journal.settle({ ...entry, state: 'refused' }), false, 'settle after it was settled');
      assertEqual((await journal.get(entry))?.state, 'applied', 'state');
      assertEqual(await journal.remove(entry, token), true, 'remove under the second token');
      assertEqual(await journal.get(entry), undefined, 'get after remove');
    },
  ],
  [
    'answers a call that is repeated after a lost reply as the first time',
    async (journal) => {
      const entry = createEntry();
      await journal.add(entry);
      assertEqual(await journal.add(entry), true, 'add again');
      const unknown = { ...entry, state: 'unknown' } as const;
      await journal.settle(unknown);
      assertEqual(await journal.settle(unknown), true, 'settle again');
      assertEqual(await journal.get(entry), unknown, 'get');
      const [deadline, token] = [newDeadline(), crypto.randomUUID()];
      await claimEntry(journal, entry, deadline, token);
      assertEqual(
        await claimEntry(journal, entry, deadline, token),
        { ...unknown, deadline, token },
        'claim again',
      );
      const renewed = newDeadline();
      const held = { ...unknown, deadline: renewed, token };
      assertEqual(await claimEntry(journal, entry, renewed, token), held, 'claim with a later deadline');
      assertEqual(await claimEntry(journal, entry), isHeld, 'claim under another token');
      assertEqual(
        await journal.settle({ ...held, state: 'applied' }),
        true,
        'settle of what was claimed twice',
      );
    },
  ],
];

/** Returns a deadline that passed long ago. */
const pastDeadline = (): string => new Date(Date.now() - 3_600_000).toISOString();

/** What follows if a hold ends although its process is alive. */
export const expiredHoldCases: readonly JournalCase[] = [
  [
    'gives an entry whose hold has ended to another claim, and refuses the late holder',
    async (journal) => {
      const entry = createEntry({ deadline: pastDeadline() });
      await journal.add(entry);
      const [deadline, token] = [newDeadline(), crypto.randomUUID()];
      const theirs = { ...entry, deadline, token };
      assertEqual(await claimEntry(journal, entry, deadline, token), theirs, 'claim past the deadline');
      assertEqual(await journal.settle({ ...entry, state: 'refused' }), false, 'settle of the first holder');
      assertEqual(await journal.remove(entry, entry.token), false, 'remove of the first holder');
      assertEqual(await journal.get(entry), theirs, 'get');
    },
  ],
];
