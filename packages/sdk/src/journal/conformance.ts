import {
  type Claim,
  compareEntries,
  type EntryKey,
  isSettled,
  type Journal,
  type JournalEntry,
  type MaybePromise,
} from './journal.ts';

/** One requirement of a journal. `run` rejects if the journal does not meet it. */
export interface ConformanceCase {
  readonly name: string;
  run(): Promise<void>;
}

export interface ConformanceOptions {
  /**
   * Makes the store of a journal fail like a full disk until the returned function is called: nothing new can be
   * written, existing entries can be read and removed. Adds the cases for a store that fails.
   */
  readonly failWrites?: (journal: Journal) => MaybePromise<() => MaybePromise<void>>;
  /**
   * Says that a hold ends five seconds after its deadline, even if its process is alive. Adds the cases for a holder
   * that comes too late.
   */
  readonly holdsEnd?: boolean;
}

const target = 'https://example.com/api/v1#0123456789abcdef0123456789abcdef';
let made = 0;

function createEntry(changes: Partial<JournalEntry> = {}): JournalEntry {
  const operationId = crypto.randomUUID();
  made++;
  const now = new Date(Date.now() + made).toISOString();
  return {
    format: 2,
    operationId,
    target,
    kind: 'change',
    path: '/chat/changes',
    body: `{"operationId":"${operationId}","change":{"action":"create-tags","data":{"name":"VIP ✨","color":"pink"}}}`,
    state: 'pending',
    createdAt: now,
    updatedAt: now,
    deadline: new Date(Date.now() + 60_000).toISOString(),
    attempts: 0,
    token: crypto.randomUUID(),
    ...changes,
  };
}

/** Returns a deadline that no entry had before. */
const newDeadline = (): string => new Date(Date.now() + 3_600_000 + made++).toISOString();

const isHeld = { isHeld: true };

/** Returns the result of a claim, without the remaining time of a holder. */
function toClaimResult(claim: Claim | undefined): JournalEntry | typeof isHeld | undefined {
  return claim && (claim.entry ?? isHeld);
}

/** Claims an entry under a new token. */
async function claimEntry(
  journal: Journal,
  key: EntryKey,
  deadline = newDeadline(),
  token: string = crypto.randomUUID(),
) {
  return toClaimResult(await journal.claim(key, { token, deadline }));
}

/** Serializes a value with sorted fields: a store need not keep their order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort())
      : item,
  );
}

function assertEqual(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [canonical(actual), canonical(expected)];
  if (a !== b) throw new Error(`${what}: expected ${b}, got ${a}`);
}

/** Throws unless a write rejects. */
async function assertRejects(write: () => MaybePromise<unknown>, what: string): Promise<void> {
  const answer = await (async () => write())().then(
    (value) => ({ value }),
    () => undefined,
  );
  if (answer) throw new Error(`${what}: expected it to reject, got ${canonical(answer.value)}`);
}

/**
 * Returns the requirements of a journal as cases for any test runner. `make` creates an empty journal; the cases do not
 * close it.
 *
 * @example
 * for (const { name, run } of journalConformance(() => myJournal())) test(name, run);
 */
export function journalConformance(
  make: () => Journal | Promise<Journal>,
  { failWrites, holdsEnd = false }: ConformanceOptions = {},
): ConformanceCase[] {
  const cases: [string, (journal: Journal) => Promise<void>][] = [
    [
      'keeps an entry as it was given, byte for byte',
      async (journal) => {
        const entry = createEntry({
          body: '{"a":"\\u0000 \\ud83d\\ude00 日本語 \\\\ \\"","b":1e2}',
          fingerprint: 'tags create ✨',
        });
        assertEqual(await journal.add(entry), true, 'add');
        assertEqual(await journal.get(entry), entry, 'get');
        assertEqual((await journal.list(target)).entries, [entry], 'list');
      },
    ],
    [
      'does not keep a second entry under a known key',
      async (journal) => {
        const entry = createEntry();
        await journal.add(entry);
        assertEqual(await journal.add({ ...entry, body: '{}', token: 'another' }), false, 'second add');
        assertEqual(await journal.get(entry), entry, 'the first stays');
        const applied = { ...entry, state: 'applied' } as const;
        await journal.settle(applied);
        assertEqual(await journal.add({ ...entry, token: 'another' }), false, 'add of what is settled');
        assertEqual(await journal.get(entry), applied, 'what is settled stays');
      },
    ],
    [
      'lets one of many simultaneous additions succeed',
      async (journal) => {
        const entry = createEntry();
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => journal.add({ ...entry, token: crypto.randomUUID() })),
        );
        assertEqual(answers.filter(Boolean).length, 1, 'additions that succeeded');
      },
    ],
    [
      'keeps targets apart',
      async (journal) => {
        const entry = createEntry();
        const elsewhere = {
          ...entry,
          target: 'https://other.example/api/v1#ffff',
          token: 'elsewhere',
        };
        assertEqual(await journal.add(entry), true, 'here');
        assertEqual(await journal.add(elsewhere), true, 'there, under the same id');
        assertEqual((await journal.list(target)).entries, [entry], 'list of here');
        assertEqual(await journal.remove(elsewhere), true, 'remove there');
        assertEqual(await journal.get(entry), entry, 'here stays');
      },
    ],
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
        assertEqual(
          await journal.settle({ ...entry, state: 'refused' }),
          false,
          'settle after it was settled',
        );
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
    [
      'knows nothing of what was never added or was removed',
      async (journal) => {
        const entry = createEntry();
        assertEqual(await journal.get(entry), undefined, 'get');
        assertEqual(await claimEntry(journal, entry), undefined, 'claim');
        assertEqual(await journal.remove(entry), false, 'remove');
        await journal.add(entry);
        assertEqual(await journal.remove(entry), true, 'remove after add');
        assertEqual(await journal.settle({ ...entry, state: 'applied' }), false, 'settle after remove');
        assertEqual(await journal.get(entry), undefined, 'a settled entry that was removed stays removed');
      },
    ],
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
    [
      'keeps why an operation failed and what a keyword write answered',
      async (journal) => {
        const entry = createEntry({
          kind: 'keywords',
          path: '/sites/s/keywords',
          body: '{"keywords":["a"]}',
        });
        await journal.add(entry);
        const settled: JournalEntry = {
          ...entry,
          state: 'applied',
          result: { added: ['a'], skipped: [] },
          error: { code: 'X', meaning: 'uncertain', reason: 'HTTP_500', status: 500, requestId: 'r' },
        };
        await journal.settle(settled);
        assertEqual((await journal.get(entry))?.result, settled.result, 'result');
        assertEqual((await journal.get(entry))?.error, settled.error, 'error');
      },
    ],
  ];
  if (failWrites) cases.push(...failingCases(failWrites));
  if (holdsEnd) cases.push(...lateCases);
  return cases.map(([name, check]) => ({ name, run: async () => check(await make()) }));
}

/** Returns a deadline that passed long ago. */
const pastDeadline = (): string => new Date(Date.now() - 3_600_000).toISOString();

const lateCases: [string, (journal: Journal) => Promise<void>][] = [
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

function failingCases(
  failWrites: NonNullable<ConformanceOptions['failWrites']>,
): [string, (journal: Journal) => Promise<void>][] {
  /** Makes one write fail. */
  async function failing(journal: Journal, write: () => MaybePromise<unknown>, what: string): Promise<void> {
    const end = await failWrites(journal);
    try {
      await assertRejects(write, what);
    } finally {
      await end();
    }
  }
  return [
    [
      'keeps nothing of an entry whose addition fails',
      async (journal) => {
        const entry = createEntry();
        await failing(journal, () => journal.add(entry), 'add');
        assertEqual(await journal.get(entry), undefined, 'get');
        assertEqual((await journal.list(target)).entries, [], 'list');
        assertEqual(await journal.add(entry), true, 'add again');
        assertEqual(await claimEntry(journal, entry), isHeld, 'claim of what was added again');
      },
    ],
    [
      'releases an entry whose settlement fails, and keeps it open',
      async (journal) => {
        const entry = createEntry();
        await journal.add(entry);
        const unknown = { ...entry, state: 'unknown' } as const;
        await failing(journal, () => journal.settle(unknown), 'settle');
        const [deadline, token] = [newDeadline(), crypto.randomUUID()];
        assertEqual(
          await claimEntry(journal, entry, deadline, token),
          { ...entry, deadline, token },
          'claim',
        );
        await journal.settle({ ...unknown, token });
        assertEqual(await journal.get(entry), { ...unknown, token }, 'get after settle');
      },
    ],
    [
      'leaves nothing to send if settling a refused or unsent entry fails',
      async (journal) => {
        for (const state of ['refused', 'abandoned'] as const) {
          const entry = createEntry();
          await journal.add(entry);
          const error = { code: 'FORBIDDEN', status: 403 };
          await failing(journal, () => journal.settle({ ...entry, state, error }), 'settle');
          const left = await journal.get(entry);
          if (left && !isSettled(left))
            throw new Error(`${state}: expected nothing to be sent, got ${canonical(left)}`);
        }
      },
    ],
  ];
}
