import type { History } from './classify.ts';
import type { Core } from './core.ts';
import type { Stop } from './deadline.ts';
import {
  ConflictError,
  InputConflictError,
  invalidInput,
  operationRefused,
  SpentTryError,
} from './errors/refused.ts';
import { type EntryKey, isSettled, type JournalEntry, wasStale } from './journal/journal.ts';
import { canonicalJson, deriveOperationId, operationIdOf } from './operation-id.ts';
import type { WriteOptions } from './options.ts';

/** A write that is held in the journal, and what is known of it before its next attempt. */
export interface Operation {
  readonly entry: JournalEntry;
  readonly history: History;
}

/** Names the fields of a change that its caller did not give: they play no part when a known one is recognized. */
export type Derived = Readonly<Record<string, undefined>>;

/** What the body of an entry asks for: the change, or all of a keyword write. */
export function inputIn({ kind, body }: JournalEntry): Record<string, unknown> {
  const sent = JSON.parse(body);
  return Object(kind === 'change' ? sent.change : sent);
}

/** The id of a write, and whether it may be known already. */
export interface Identity extends EntryKey {
  readonly isGiven: boolean;
}

export async function identify(core: Core, { operationId, intent }: WriteOptions = {}): Promise<Identity> {
  if (operationId && intent) throw invalidInput('give intent, not operationId');
  const given = intent ? deriveOperationId(intent) : operationId;
  const isGiven = given !== undefined;
  const id = isGiven ? operationIdOf(given) : crypto.randomUUID();
  return { operationId: id, target: core.target(), isGiven };
}

/** Calls of this process under the same id, one after the other. */
const lines = new Map<string, Promise<unknown>>();

export async function inTurn<T>(
  { operationId, target }: EntryKey,
  work: (before: Promise<unknown> | undefined) => Promise<T>,
): Promise<T> {
  const name = operationId + target;
  const mine = work(lines.get(name));
  const leave = (): void => {
    if (lines.get(name) === over) lines.delete(name);
  };
  // Who waits may leave before those ahead are through.
  const over = Promise.allSettled([mine, lines.get(name)]).then(leave);
  lines.set(name, over);
  return mine;
}

/**
 * Holds the entry of a write: `begun` as it is, or what the journal knows by its id. After this a crash loses
 * nothing. What the caller gave must be the same for a known one.
 */
export async function openOperation(
  core: Core,
  begun: JournalEntry,
  isGiven: boolean,
  derived: Derived | undefined,
): Promise<Operation> {
  const { journal } = core;
  const given = (entry: JournalEntry): string => canonicalJson({ ...inputIn(entry), ...derived });
  const known = isGiven ? await journal.get(begun) : undefined;
  if (known) {
    // Nothing came of it, so the id is free; unless an edit had another try since, from which its data may stem.
    const isFree = isSettled(known) && known.state !== 'applied';
    if (isFree && derived && 'data' in derived && known.error && wasStale(known)) {
      throw new SpentTryError('an earlier run of this intent found this try stale', known.error);
    }
    if (!isFree && (known.path !== begun.path || given(known) !== given(begun))) {
      const why = 'has another input';
      throw operationRefused(InputConflictError, 'INPUT_CONFLICT', begun.operationId, why);
    }
    const entry = await hold(journal, begun);
    if (entry && !isFree) return { entry, history: 'ambiguous' };
    // Of several that find it free, one removes it; who comes later finds what was made of the id since.
    if (entry?.state === known.state) await journal.remove(entry, entry.token);
    else if (entry) await journal.settle(entry);
  } else if (await journal.add(begun, { isNew: !isGiven })) {
    return { entry: begun, history: isGiven ? 'given' : 'fresh' };
  }
  // Somebody was faster, or it is free now. An id that is refused though it is new is asked for as well.
  return openOperation(core, begun, true, derived);
}

/** Takes hold of a known entry, or says that somebody has it, and when it is free at the latest. */
export async function hold(
  journal: Core['journal'],
  until: EntryKey & Pick<JournalEntry, 'deadline'>,
): Promise<JournalEntry | undefined> {
  const { operationId, deadline } = until;
  const claim = await journal.claim(until, { token: crypto.randomUUID(), deadline });
  if (!claim || claim.entry) return claim?.entry;
  const { why, retryAt } = whyInFlight(claim.heldUntil);
  throw operationRefused(ConflictError, 'OPERATION_IN_FLIGHT', operationId, why, retryAt);
}

/** What is said of an operation that another call has until then. */
function whyInFlight(heldUntil: string | undefined): { why: string; retryAt?: Date } {
  const why = 'is in progress in another call';
  if (heldUntil === undefined) return { why };
  const retryAt = new Date(heldUntil);
  const when = `try again at ${retryAt.toISOString()}`;
  return { why: `${why}, or was until its process died; ${when}`, retryAt };
}

/**
 * Extends the hold of an entry that this call has. Returns why the call has to stop if another call took the entry since.
 * If the journal fails, the call continues: its request is still not sent.
 */
export async function renewHold(
  { journal, emit, redactor }: Core,
  entry: JournalEntry,
  until: Date,
): Promise<Stop | undefined> {
  // An entry of format 1 has no token; it was given one when it was claimed.
  const { token, operationId } = entry;
  if (token === undefined) return undefined;
  const stopBecause = (why: string, retryAt?: Date): Stop => ({
    code: 'OPERATION_IN_FLIGHT',
    detail: `operation ${operationId} ${why}`,
    retryAt,
  });
  try {
    const claim = await journal.claim(entry, { token, deadline: until.toISOString() });
    // It was removed: who removed it knows.
    if (!claim) return undefined;
    if (!claim.entry) {
      const { why, retryAt } = whyInFlight(claim.heldUntil);
      return stopBecause(why, retryAt);
    }
    const { state, attempts } = claim.entry;
    if (state === entry.state && attempts === entry.attempts) return undefined;
    // Another call took the entry and settled it. This one now holds it again, and must not overwrite that.
    await journal.settle(claim.entry);
    return stopBecause('was asked about by another call in the meantime; ask for it again');
  } catch (cause) {
    const message = redactor.text(`${cause}`);
    emit(() => ({ type: 'journal', problem: { where: operationId, reason: 'write', message } }));
    return undefined;
  }
}
