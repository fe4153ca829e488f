import type { History } from './classify.ts';
import type { Core } from './core.ts';
import { after } from './deadline.ts';
import { ConflictError, InputConflictError, invalidInput } from './errors/refused.ts';
import type { EntryKey, JournalEntry } from './journal/journal.ts';
import { operationIdFrom, operationIdOf } from './operation-id.ts';
import type { Limits, WriteOptions } from './options.ts';
import type { ApiRequest } from './request.ts';

/** What a write adds to a call. */
export interface Intended {
  readonly request: ApiRequest<unknown>;
  /** The bytes to send under an id; everything but the id was frozen when the call was made. */
  readonly body: (operationId: string) => string;
  /** Whether bytes journaled earlier say what the caller says now. */
  readonly same: (body: string) => boolean;
}

/** A write that is held in the journal, and what is known of it before its next attempt. */
export interface Operation {
  readonly entry: JournalEntry;
  readonly history: History;
}

/** The id of a write, and whether it may be known already. */
export interface Identity extends EntryKey {
  readonly isGiven: boolean;
}

export async function identify(core: Core, { operationId, intent }: WriteOptions): Promise<Identity> {
  if (operationId !== undefined && intent !== undefined) {
    throw invalidInput('give operationId or intent, not both');
  }
  const target = await core.target();
  if (operationId !== undefined) return { operationId: operationIdOf(operationId), target, isGiven: true };
  if (intent !== undefined) return { operationId: await operationIdFrom(...intent), target, isGiven: true };
  return { operationId: crypto.randomUUID(), target, isGiven: false };
}

/** Calls of this process under a given id, one after the other. */
const lines = new Map<string, Promise<unknown>>();

export async function inTurn<T>(
  { operationId, target }: EntryKey,
  work: (before: Promise<unknown> | undefined) => Promise<T>,
): Promise<T> {
  const name = `${operationId} ${target}`;
  const mine = work(lines.get(name));
  const over = mine.catch(() => undefined);
  lines.set(name, over);
  try {
    return await mine;
  } finally {
    if (lines.get(name) === over) lines.delete(name);
  }
}

/** Finds out whether a write is known, and holds its entry. After this a crash loses nothing. */
export async function openOperation(
  core: Core,
  intended: Intended,
  { operationId, target, isGiven }: Identity,
  limits: Limits,
): Promise<Operation> {
  const createdAt = new Date().toISOString();
  const entry: JournalEntry = {
    format: 1,
    operationId,
    target,
    kind: intended.request.kind === 'keywords' ? 'keywords' : 'change',
    path: intended.request.path,
    body: intended.body(operationId),
    state: 'pending',
    createdAt,
    updatedAt: createdAt,
    deadline: deadlineOf(limits),
    attempts: 0,
  };
  for (;;) {
    const known = isGiven ? await reopen(core, intended, entry) : undefined;
    if (known !== undefined) return known;
    if (await core.journal.add(entry)) return { entry, history: isGiven ? 'given' : 'fresh' };
  }
}

/** When a call that begins now gives up at the latest. */
export function deadlineOf({ timeoutMs }: Limits): string {
  return after(timeoutMs).toISOString();
}

/** Takes up an operation the journal knows; undefined where it may be begun anew. */
async function reopen(core: Core, intended: Intended, entry: JournalEntry): Promise<Operation | undefined> {
  const known = await core.journal.get(entry);
  if (known === undefined) return undefined;
  const isFree = known.state === 'refused' || known.state === 'abandoned';
  if (!isFree && (known.path !== entry.path || !intended.same(known.body))) {
    const { operationId } = entry;
    const message = `operation ${operationId} belongs to another input; nothing was sent`;
    throw new InputConflictError(message, { code: 'INPUT_CONFLICT', operationId });
  }
  const held = await hold(core, entry, entry.deadline);
  if (held === undefined) return undefined;
  if (!isFree) return { entry: held, history: 'ambiguous' };
  await core.journal.settle(held);
  await core.journal.remove(held);
  return undefined;
}

/** Takes hold of a known entry, or says that another process has it. */
export async function hold(core: Core, key: EntryKey, deadline: string): Promise<JournalEntry | undefined> {
  const held = await core.journal.claim(key, deadline);
  if (held !== 'held') return held;
  const { operationId } = key;
  const message = `operation ${operationId} is under way elsewhere; nothing was sent`;
  throw new ConflictError(message, { code: 'OPERATION_IN_FLIGHT', operationId });
}
