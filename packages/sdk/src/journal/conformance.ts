import {
  type Claim,
  compareEntries,
  type EntryKey,
  isSettled,
  type Journal,
  type JournalEntry,
  type MaybePromise,
} from './journal.ts';

/** One thing a journal must do; `run` rejects where it does not. */
export interface ConformanceCase {
  readonly name: string;
  run(): Promise<void>;
}

export interface ConformanceOptions {
  /**
   * Lets a journal's store fail as a full disk does, until what this returns is called: nothing new can be written; what
   * is there can be read and removed. With it there are cases for a store that fails.
   */
  readonly failWrites?: (journal: Journal) => MaybePromise<() => MaybePromise<void>>;
  /**
   * Says that a hold ends five seconds after its deadline, even if its process lives and does nothing. With it there are
   * cases for a holder that comes too late.
   */
  readonly holdsEnd?: boolean;
}

const target = 'https://example.com/api/v1#0123456789abcdef0123456789abcdef';
let made = 0;

function entryWith(changes: Partial<JournalEntry> = {}): JournalEntry {
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

/** A deadline that no entry had before. */
const later = (): string => new Date(Date.now() + 3_600_000 + made++).toISOString();

const isHeld = { isHeld: true };

/** What a claim came to, without the time that a holder has left. */
function outcomeOf(claim: Claim | undefined): JournalEntry | typeof isHeld | undefined {
  return claim && (claim.entry ?? isHeld);
}

/** A claim under a token that nobody used before. */
async function claimed(
  journal: Journal,
  key: EntryKey,
  deadline = later(),
  token: string = crypto.randomUUID(),
) {
  return outcomeOf(await journal.claim(key, { token, deadline }));
}

/** The same in any order of fields, which a store of columns or of its own JSON need not keep. */
function spelled(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort())
      : item,
  );
}

function same(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [spelled(actual), spelled(expected)];
  if (a !== b) throw new Error(`${what}: expected ${b}, got ${a}`);
}

/** Fails where a store that cannot write does not say so. */
async function rejects(write: () => MaybePromise<unknown>, what: string): Promise<void> {
  const answer = await (async () => write())().then(
    (value) => ({ value }),
    () => undefined,
  );
  if (answer) throw new Error(`${what}: expected it to reject, got ${spelled(answer.value)}`);
}

/**
 * What makes a store a journal, as cases for any test runner. `make` gives an empty journal; the cases close nothing.
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
        const entry = entryWith({
          body: '{"a":"\\u0000 \\ud83d\\ude00 日本語 \\\\ \\"","b":1e2}',
          fingerprint: 'tags create ✨',
        });
        same(await journal.add(entry), true, 'add');
        same(await journal.get(entry), entry, 'get');
        same((await journal.list(target)).entries, [entry], 'list');
      },
    ],
    [
      'does not keep a second entry under a known key',
      async (journal) => {
        const entry = entryWith();
        await journal.add(entry);
        same(await journal.add({ ...entry, body: '{}', token: 'another' }), false, 'second add');
        same(await journal.get(entry), entry, 'the first stays');
        const applied = { ...entry, state: 'applied' } as const;
        await journal.settle(applied);
        same(await journal.add({ ...entry, token: 'another' }), false, 'add of what is settled');
        same(await journal.get(entry), applied, 'what is settled stays');
      },
    ],
    [
      'tells one of many simultaneous additions that it was first',
      async (journal) => {
        const entry = entryWith();
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => journal.add({ ...entry, token: crypto.randomUUID() })),
        );
        same(answers.filter(Boolean).length, 1, 'additions that succeeded');
      },
    ],
    [
      'keeps targets apart',
      async (journal) => {
        const entry = entryWith();
        const elsewhere = {
          ...entry,
          target: 'https://other.example/api/v1#ffff',
          token: 'elsewhere',
        };
        same(await journal.add(entry), true, 'here');
        same(await journal.add(elsewhere), true, 'there, under the same id');
        same((await journal.list(target)).entries, [entry], 'list of here');
        same(await journal.remove(elsewhere), true, 'remove there');
        same(await journal.get(entry), entry, 'here stays');
      },
    ],
    [
      'holds an entry from add to settle',
      async (journal) => {
        const entry = entryWith();
        await journal.add(entry);
        same(await claimed(journal, entry), isHeld, 'claim while held');
        same(await journal.settle({ ...entry, state: 'unknown', attempts: 2 }), true, 'settle');
        same((await journal.get(entry))?.state, 'unknown', 'state after settle');
        same((await journal.get(entry))?.attempts, 2, 'attempts after settle');
        const [deadline, token] = [later(), crypto.randomUUID()];
        const now = { ...entry, state: 'unknown', attempts: 2, deadline, token };
        same(await claimed(journal, entry, deadline, token), now, 'claim after');
        same(await claimed(journal, entry), isHeld, 'second claim');
      },
    ],
    [
      'holds a settled entry from claim until it is settled again or removed',
      async (journal) => {
        const entry = entryWith();
        await journal.add(entry);
        await journal.settle({ ...entry, state: 'refused' });
        const [deadline, token] = [later(), crypto.randomUUID()];
        const held = { ...entry, state: 'refused', deadline, token } as const;
        same(await claimed(journal, entry, deadline, token), held, 'claim');
        same(await claimed(journal, entry), isHeld, 'second claim');
        await journal.settle(held);
        same(
          await claimed(journal, entry, deadline, 'next'),
          { ...held, token: 'next' },
          'claim after settle',
        );
        same(await journal.remove(entry), true, 'remove');
        same(await journal.add(entry), true, 'add after remove');
        same(await claimed(journal, entry), isHeld, 'claim of the new one');
      },
    ],
    [
      'gives an entry to one of many simultaneous claims',
      async (journal) => {
        const entry = entryWith();
        await journal.add(entry);
        await journal.settle({ ...entry, state: 'unknown' });
        const claims = await Promise.all(Array.from({ length: 20 }, () => claimed(journal, entry)));
        same(claims.filter((claim) => claim !== isHeld).length, 1, 'claims that succeeded');
      },
    ],
    [
      'says until when an entry is held, if it knows',
      async (journal) => {
        const entry = entryWith();
        await journal.add(entry);
        const claim = await journal.claim(entry, { token: 'another', deadline: later() });
        const until = claim?.entry ? undefined : claim?.heldUntil;
        if (until !== undefined && !(Date.parse(until) >= Date.parse(entry.deadline)))
          throw new Error(`held until: expected ${entry.deadline} or later, got ${until}`);
      },
    ],
    [
      'lets nobody settle or remove an entry under a token that does not hold it any more',
      async (journal) => {
        const entry = entryWith();
        await journal.add(entry);
        await journal.settle({ ...entry, state: 'unknown' });
        const [deadline, token] = [later(), crypto.randomUUID()];
        await claimed(journal, entry, deadline, token);
        const theirs = { ...entry, state: 'unknown', deadline, token } as const;
        same(await journal.settle({ ...entry, state: 'refused' }), false, 'settle under the first token');
        same(await journal.remove(entry, entry.token), false, 'remove under the first token');
        same(await journal.get(entry), theirs, 'get');
        same(await claimed(journal, entry), isHeld, 'claim while held');
        same(await journal.settle({ ...theirs, state: 'applied' }), true, 'settle under the second token');
        same(await journal.settle({ ...entry, state: 'refused' }), false, 'settle after it was settled');
        same((await journal.get(entry))?.state, 'applied', 'state');
        same(await journal.remove(entry, token), true, 'remove under the second token');
        same(await journal.get(entry), undefined, 'get after remove');
      },
    ],
    [
      'answers a call that is repeated after a lost reply as the first time',
      async (journal) => {
        const entry = entryWith();
        await journal.add(entry);
        same(await journal.add(entry), true, 'add again');
        const unknown = { ...entry, state: 'unknown' } as const;
        await journal.settle(unknown);
        same(await journal.settle(unknown), true, 'settle again');
        same(await journal.get(entry), unknown, 'get');
        const [deadline, token] = [later(), crypto.randomUUID()];
        await claimed(journal, entry, deadline, token);
        same(await claimed(journal, entry, deadline, token), { ...unknown, deadline, token }, 'claim again');
        const renewed = later();
        const held = { ...unknown, deadline: renewed, token };
        same(await claimed(journal, entry, renewed, token), held, 'claim with a later deadline');
        same(await claimed(journal, entry), isHeld, 'claim under another token');
        same(await journal.settle({ ...held, state: 'applied' }), true, 'settle of what was claimed twice');
      },
    ],
    [
      'knows nothing of what was never added or was removed',
      async (journal) => {
        const entry = entryWith();
        same(await journal.get(entry), undefined, 'get');
        same(await claimed(journal, entry), undefined, 'claim');
        same(await journal.remove(entry), false, 'remove');
        await journal.add(entry);
        same(await journal.remove(entry), true, 'remove after add');
        same(await journal.settle({ ...entry, state: 'applied' }), false, 'settle after remove');
        same(await journal.get(entry), undefined, 'a settled entry that was removed stays removed');
      },
    ],
    [
      'lists open entries alone if it is asked to',
      async (journal) => {
        const [pending, unknown, applied] = [entryWith(), entryWith(), entryWith()];
        for (const entry of [pending, unknown, applied]) await journal.add(entry);
        await journal.settle({ ...unknown, state: 'unknown' });
        await journal.settle({ ...applied, state: 'applied' });
        const { entries } = await journal.list(target, { open: true });
        same(entries, [pending, { ...unknown, state: 'unknown' }], 'open entries');
      },
    ],
    [
      'lists in pages that neither repeat nor omit an entry',
      async (journal) => {
        const createdAt = new Date().toISOString();
        const entries = Array.from({ length: 7 }, (_, n) => entryWith(n < 4 ? { createdAt } : {}));
        for (const entry of entries) await journal.add(entry);
        const listed: string[] = [];
        let after: JournalEntry | undefined;
        do {
          const page = (await journal.list(target, { after, limit: 3 })).entries;
          if (page.length > 3) throw new Error(`page: expected at most 3 entries, got ${page.length}`);
          listed.push(...page.map(({ operationId }) => operationId));
          after = page[2];
          // What was removed is still a place in the list.
          if (after) await journal.remove(after);
        } while (after && listed.length < 20);
        same(
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
          entryWith(),
          entryWith(),
          entryWith({ kind: 'keywords', path: '/sites/s/keywords' }),
        ];
        for (const entry of [...entries].reverse()) await journal.add(entry);
        const [first] = entries;
        if (first) await journal.settle({ ...first, state: 'applied' });
        const ids = (await journal.list(target)).entries.map(({ operationId }) => operationId);
        same(
          ids,
          entries.map(({ operationId }) => operationId),
          'order',
        );
      },
    ],
    [
      'keeps why an operation failed and what a keyword write answered',
      async (journal) => {
        const entry = entryWith({ kind: 'keywords', path: '/sites/s/keywords', body: '{"keywords":["a"]}' });
        await journal.add(entry);
        const settled: JournalEntry = {
          ...entry,
          state: 'applied',
          result: { added: ['a'], skipped: [] },
          error: { code: 'X', meaning: 'uncertain', reason: 'HTTP_500', status: 500, requestId: 'r' },
        };
        await journal.settle(settled);
        same((await journal.get(entry))?.result, settled.result, 'result');
        same((await journal.get(entry))?.error, settled.error, 'error');
      },
    ],
  ];
  if (failWrites) cases.push(...failingCases(failWrites));
  if (holdsEnd) cases.push(...lateCases);
  return cases.map(([name, check]) => ({ name, run: async () => check(await make()) }));
}

/** A deadline that passed so long ago that no call can be at work under it. */
const longAgo = (): string => new Date(Date.now() - 3_600_000).toISOString();

const lateCases: [string, (journal: Journal) => Promise<void>][] = [
  [
    'gives an entry whose hold has ended to another claim, and refuses the holder that comes late',
    async (journal) => {
      const entry = entryWith({ deadline: longAgo() });
      await journal.add(entry);
      const [deadline, token] = [later(), crypto.randomUUID()];
      const theirs = { ...entry, deadline, token };
      same(await claimed(journal, entry, deadline, token), theirs, 'claim past the deadline');
      same(await journal.settle({ ...entry, state: 'refused' }), false, 'settle of the first holder');
      same(await journal.remove(entry, entry.token), false, 'remove of the first holder');
      same(await journal.get(entry), theirs, 'get');
    },
  ],
];

function failingCases(
  failWrites: NonNullable<ConformanceOptions['failWrites']>,
): [string, (journal: Journal) => Promise<void>][] {
  /** Lets one write fail. */
  async function failing(journal: Journal, write: () => MaybePromise<unknown>, what: string): Promise<void> {
    const end = await failWrites(journal);
    try {
      await rejects(write, what);
    } finally {
      await end();
    }
  }
  return [
    [
      'has kept nothing of an entry whose addition fails',
      async (journal) => {
        const entry = entryWith();
        await failing(journal, () => journal.add(entry), 'add');
        same(await journal.get(entry), undefined, 'get');
        same((await journal.list(target)).entries, [], 'list');
        same(await journal.add(entry), true, 'add again');
        same(await claimed(journal, entry), isHeld, 'claim of what was added again');
      },
    ],
    [
      'lets go of an entry whose settlement fails, and keeps what it may have come to',
      async (journal) => {
        const entry = entryWith();
        await journal.add(entry);
        const unknown = { ...entry, state: 'unknown' } as const;
        await failing(journal, () => journal.settle(unknown), 'settle');
        const [deadline, token] = [later(), crypto.randomUUID()];
        same(await claimed(journal, entry, deadline, token), { ...entry, deadline, token }, 'claim');
        await journal.settle({ ...unknown, token });
        same(await journal.get(entry), { ...unknown, token }, 'get after settle');
      },
    ],
    [
      'leaves nothing to be sent where the settlement of what was refused or never left fails',
      async (journal) => {
        for (const state of ['refused', 'abandoned'] as const) {
          const entry = entryWith();
          await journal.add(entry);
          const error = { code: 'FORBIDDEN', status: 403 };
          await failing(journal, () => journal.settle({ ...entry, state, error }), 'settle');
          const left = await journal.get(entry);
          if (left && !isSettled(left))
            throw new Error(`${state}: expected nothing to be sent, got ${spelled(left)}`);
        }
      },
    ],
  ];
}
