import {
  createOperationError,
  createUnknownOperationError,
  EarlierAttemptStaleError,
} from '../errors/create-errors.ts';
import { ConflictError, createInvalidInputError, InputConflictError } from '../errors/refused.ts';
import { isFree, wasStale } from '../journal/entries.ts';
import type { EntryKey, JournalEntry } from '../journal/journal.ts';
import type { WriteOptions } from '../options/options.ts';
import type { OperationHistory } from '../retry/classify.ts';
import type { CallJournal } from './call-journal.ts';
import { canonicalJson, deriveOperationId, parseOperationId } from './operation-id.ts';
import { runInOrder } from './run-in-order.ts';

/** What a write needs of its client to name its entry in the journal. */
interface JournaledClient {
  /** Returns what journal entries are bound to: the base URL and a digest of the key. */
  readonly target: () => string;
}

/** A write whose journal entry this call holds, and what is known of it before its next attempt. */
export interface Operation {
  readonly entry: JournalEntry;
  readonly history: OperationHistory;
}

/** How a write under a given id is compared with the one the journal has under that id. */
export interface Comparison {
  /** The fields of the change that its caller did not give. They are not compared. */
  readonly ignoredFields: readonly string[];
  /** Whether this is an attempt of an `edit()`: its data were made from the record as it was read. */
  readonly isEdit: boolean;
  /** A text that stands for the input, if the input was made from what was read. It is compared instead. */
  readonly fingerprint?: string | undefined;
}

/** Everything the caller gave has to be the same. */
export const compareEverything: Comparison = { ignoredFields: [], isEdit: false };

/** What the body of an entry asks for: the change, or all of a keyword write. */
export function parseInput({ kind, body }: JournalEntry): Record<string, unknown> {
  const sent = JSON.parse(body);
  return Object(kind === 'change' ? sent.change : sent);
}

/**
 * Whether two entries of one id are the same operation. A fingerprint says so by itself. Without equal ones, the inputs
 * are compared, unless they were made from what was read.
 */
function isSameOperation(known: JournalEntry, entry: JournalEntry, comparison: Comparison): boolean {
  if (known.path !== entry.path) return false;
  if (entry.fingerprint !== undefined && known.fingerprint === entry.fingerprint) return true;
  const { ignoredFields, fingerprint } = comparison;
  const [before, now] = [known, entry].map((one) => {
    const given = Object.entries(parseInput(one)).filter(([name]) => !ignoredFields.includes(name));
    return canonicalJson(Object.fromEntries(given));
  });
  return fingerprint === undefined && before === now;
}

/** The id of a write, and whether the caller gave it, so that the journal may know it. */
export interface OperationIdentity extends EntryKey {
  readonly isGiven: boolean;
}

export function resolveOperationId(
  client: JournaledClient,
  { operationId, intent }: WriteOptions = {},
): OperationIdentity {
  if (operationId && intent) throw createInvalidInputError('Pass either intent or operationId, not both.');
  const given = intent ? deriveOperationId(intent) : operationId;
  const isGiven = given !== undefined;
  const id = isGiven ? parseOperationId(given) : crypto.randomUUID();
  return { operationId: id, target: client.target(), isGiven };
}

/** Returns the journal entry of an operation. Throws `UNKNOWN_OPERATION` if there is none. */
export async function requireEntry(journal: CallJournal, key: EntryKey): Promise<JournalEntry> {
  const entry = await journal.get(key);
  if (entry) return entry;
  throw createUnknownOperationError(key.operationId);
}

/** Runs the calls of one operation in this process one after the other. */
export function withOperationLock<T>(
  { operationId, target }: EntryKey,
  work: (earlierCalls: Promise<unknown> | undefined) => Promise<T>,
): Promise<T> {
  return runInOrder(operationId + target, work);
}

/**
 * Takes hold of the entry of a write: adds `newEntry`, or claims the entry that the journal has under its id. After
 * this a crash loses nothing. Throws `INPUT_CONFLICT` if the journal's entry has other input.
 */
export async function beginOperation(
  journal: CallJournal,
  newEntry: JournalEntry,
  isGiven: boolean,
  comparison: Comparison,
): Promise<Operation> {
  const known = isGiven ? await journal.get(newEntry) : undefined;
  if (known) {
    // Refused, not sent, or known to the server with other input: the id may be reused, except by edit(), whose next
    // attempt derives a new id.
    const isReusable = isFree(known);
    if (isReusable && comparison.isEdit && known.error && wasStale(known)) {
      throw new EarlierAttemptStaleError('This attempt was stale.', known.error);
    }
    if (!isReusable && !isSameOperation(known, newEntry, comparison)) {
      const why = 'was created with different input. Use another operationId or intent';
      throw createOperationError(InputConflictError, 'INPUT_CONFLICT', newEntry, why, 'refused');
    }
    const entry = await claimEntry(journal, newEntry);
    if (entry && !isReusable) return { entry, history: 'ambiguous' };
    if (entry) await releaseFreeEntry(journal, entry);
  } else if (await journal.add(newEntry, { isNew: !isGiven })) {
    return { entry: newEntry, history: isGiven ? 'given' : 'fresh' };
  }
  // Another call was faster, or the id is free now. A new id that the journal refused is looked up as well.
  return beginOperation(journal, newEntry, true, comparison);
}

/**
 * Releases an entry whose id may be reused. If several calls found it free, the first removes it. A later one has
 * claimed an entry in another state, so it lets go of that entry.
 */
async function releaseFreeEntry(journal: CallJournal, claimed: JournalEntry): Promise<void> {
  if (isFree(claimed)) await journal.remove(claimed, claimed.token);
  else await journal.settle(claimed);
}

/** By the error of an operation that another call holds: when its entry is free at the latest, if that is known. */
const holdEnds = new WeakMap<object, Date | undefined>();

/** Returns whether an error says that another call holds the operation. A server may use the same code. */
export const isHeldElsewhere = (error: unknown): boolean => holdEnds.has(Object(error));

/** Returns when an operation that another call holds is free at the latest, by the error that says so. */
export const getHoldEndOf = (error: object): Date | undefined => holdEnds.get(error);

/** Claims a known entry. Throws `OPERATION_IN_FLIGHT` with `retryAt` if another call holds it. */
export async function claimEntry(
  journal: CallJournal,
  until: EntryKey & Pick<JournalEntry, 'deadline' | 'kind' | 'path'>,
): Promise<JournalEntry | undefined> {
  const claim = await journal.claim(until, { token: crypto.randomUUID(), deadline: until.deadline });
  if (!claim || claim.entry) return claim?.entry;
  const { why, retryAt, holdEnd } = explainInFlight(claim.heldUntil);
  const error = createOperationError(ConflictError, 'OPERATION_IN_FLIGHT', until, why, 'abandoned', retryAt);
  holdEnds.set(error, holdEnd);
  throw error;
}

/** When to ask again about an operation that another call holds, in milliseconds. Most calls take less. */
const askAgainMs = 1_000;

/** Explains that another call holds an operation, until when at the latest, and when to ask again. */
export function explainInFlight(heldUntil: string | undefined): {
  readonly why: string;
  readonly retryAt: Date;
  readonly holdEnd?: Date;
} {
  const why = 'is in progress in another call';
  const soon = Date.now() + askAgainMs;
  if (heldUntil === undefined) return { why: `${why}. Try again in a moment`, retryAt: new Date(soon) };
  const holdEnd = new Date(heldUntil);
  return {
    why: `${why}, or was when its process ended. Try again in a moment; it is free at ${holdEnd.toISOString()} at the latest`,
    retryAt: new Date(Math.min(soon, Math.max(holdEnd.getTime(), Date.now()))),
    holdEnd,
  };
}
