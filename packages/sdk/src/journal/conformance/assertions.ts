import type { Claim, EntryKey, Journal, JournalEntry, MaybePromise } from '../journal.ts';

/* What the cases of the conformance suite use: entries, claims, and assertions that say what was expected. */

/** The name of a requirement, and a function that rejects if a journal does not meet it. */
export type JournalCase = readonly [name: string, check: (journal: Journal) => Promise<void>];

export const target = 'https://example.com/api/v1#0123456789abcdef0123456789abcdef';
let entryCount = 0;

export function createEntry(changes: Partial<JournalEntry> = {}): JournalEntry {
  const operationId = crypto.randomUUID();
  entryCount++;
  const now = new Date(Date.now() + entryCount).toISOString();
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
export const newDeadline = (): string => new Date(Date.now() + 3_600_000 + entryCount++).toISOString();

export const isHeld = { isHeld: true };

/** Returns the result of a claim, without the remaining time of a holder. */
function toClaimResult(claim: Claim | undefined): JournalEntry | typeof isHeld | undefined {
  return claim && (claim.entry ?? isHeld);
}

/** Claims an entry under a new token. */
export async function claimEntry(
  journal: Journal,
  key: EntryKey,
  deadline = newDeadline(),
  token: string = crypto.randomUUID(),
) {
  return toClaimResult(await journal.claim(key, { token, deadline }));
}

/** Serializes a value with sorted fields: a store need not keep their order. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

export function assertEqual(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [canonical(actual), canonical(expected)];
  if (a !== b) throw new Error(`${what}: expected ${b}, got ${a}`);
}

/** Throws unless a write rejects. */
export async function assertRejects(write: () => MaybePromise<unknown>, what: string): Promise<void> {
  const answer = await (async () => write())().then(
    (value) => ({ value }),
    () => undefined,
  );
  if (answer) throw new Error(`${what}: expected it to reject, got ${canonical(answer.value)}`);
}
