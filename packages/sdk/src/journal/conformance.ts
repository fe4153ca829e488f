import { isSettled, type Journal, type JournalEntry, type MaybePromise } from './journal.ts';

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
}

const target = 'https://example.com/api/v1#0123456789abcdef0123456789abcdef';
let made = 0;

function entryWith(changes: Partial<JournalEntry> = {}): JournalEntry {
  const operationId = crypto.randomUUID();
  made++;
  const now = new Date(Date.now() + made).toISOString();
  return {
    format: 1,
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
    ...changes,
  };
}

/** A deadline that no entry had before. */
const later = (): string => new Date(Date.now() + 3_600_000 + made++).toISOString();

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
  { failWrites }: ConformanceOptions = {},
): ConformanceCase[] {
  const cases: [string, (journal: Journal) => Promise<void>][] = [
    [
      'keeps an entry as it was given, byte for byte',
      async (journal) => {
        const entry = entryWith({ body: '{"a":"\\u0000 \\ud83d\\ude00 日本語 \\\\ \\"","b":1e2}' });
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
        same(await journal.add({ ...entry, body: '{}' }), false, 'second add');
        same(await journal.get(entry), entry, 'the first stays');
      },
    ],
    [
      'tells one of many simultaneous additions that it was first',
      async (journal) => {
        const entry = entryWith();
        const answers = await Promise.all(Array.from({ length: 20 }, () => journal.add(entry)));
        same(answers.filter(Boolean).length, 1, 'additions that succeeded');
      },
    ],
    [
      'keeps targets apart',
      async (journal) => {
        const entry = entryWith();
        const elsewhere = { ...entry, target: 'https://other.example/api/v1#ffff' };
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
        same(await journal.claim(entry, later()), 'held', 'claim while held');
        await journal.settle({ ...entry, state: 'unknown', attempts: 2 });
        same((await journal.get(entry))?.state, 'unknown', 'state after settle');
        same((await journal.get(entry))?.attempts, 2, 'attempts after settle');
        const deadline = later();
        same(
          await journal.claim(entry, deadline),
          { ...entry, state: 'unknown', attempts: 2, deadline },
          'claim after',
        );
        same(await journal.claim(entry, later()), 'held', 'second claim');
      },
    ],
    [
      'holds a settled entry from claim until it is settled again or removed',
      async (journal) => {
        const entry = entryWith();
        await journal.add(entry);
        await journal.settle({ ...entry, state: 'refused' });
        const deadline = later();
        const held = { ...entry, state: 'refused', deadline } as const;
        same(await journal.claim(entry, deadline), held, 'claim');
        same(await journal.claim(entry, later()), 'held', 'second claim');
        await journal.settle(held);
        same(await journal.claim(entry, deadline), held, 'claim after settle');
        same(await journal.remove(entry), true, 'remove');
        same(await journal.add(entry), true, 'add after remove');
        same(await journal.claim(entry, later()), 'held', 'claim of the new one');
      },
    ],
    [
      'gives an entry to one of many simultaneous claims',
      async (journal) => {
        const entry = entryWith();
        await journal.add(entry);
        await journal.settle({ ...entry, state: 'unknown' });
        const claims = await Promise.all(Array.from({ length: 20 }, () => journal.claim(entry, later())));
        same(claims.filter((claim) => claim !== 'held').length, 1, 'claims that succeeded');
      },
    ],
    [
      'knows nothing of what was never added or was removed',
      async (journal) => {
        const entry = entryWith();
        same(await journal.get(entry), undefined, 'get');
        same(await journal.claim(entry, later()), undefined, 'claim');
        same(await journal.remove(entry), false, 'remove');
        await journal.add(entry);
        same(await journal.remove(entry), true, 'remove after add');
        await journal.settle({ ...entry, state: 'applied' });
        same(await journal.get(entry), undefined, 'a settled entry that was removed stays removed');
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
          error: { code: 'X', status: 500, requestId: 'r' },
        };
        await journal.settle(settled);
        same((await journal.get(entry))?.result, settled.result, 'result');
        same((await journal.get(entry))?.error, settled.error, 'error');
      },
    ],
  ];
  if (failWrites) cases.push(...failingCases(failWrites));
  return cases.map(([name, check]) => ({ name, run: async () => check(await make()) }));
}

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
        same(await journal.claim(entry, later()), 'held', 'claim of what was added again');
      },
    ],
    [
      'lets go of an entry whose settlement fails, and keeps what it may have come to',
      async (journal) => {
        const entry = entryWith();
        await journal.add(entry);
        const unknown = { ...entry, state: 'unknown' } as const;
        await failing(journal, () => journal.settle(unknown), 'settle');
        const deadline = later();
        same(await journal.claim(entry, deadline), { ...entry, deadline }, 'claim');
        await journal.settle(unknown);
        same(await journal.get(entry), unknown, 'get after settle');
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
