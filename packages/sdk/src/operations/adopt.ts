import type { ClientContext, CreateContext } from '../client-context.ts';
import { createOperationError, createUnusableEntryError } from '../errors/create-errors.ts';
import {
  ConflictError,
  createInvalidInputError,
  createInvalidOptionsError,
  requireKnown,
} from '../errors/refused.ts';
import { requireDecrypted } from '../journal/encrypted/stored-body.ts';
import { isFree, isIntentKnown, isOpen } from '../journal/entries.ts';
import type { JournalEntry } from '../journal/journal.ts';
import { readPages } from '../journal/read-pages.ts';
import type { CallOptions } from '../options/options.ts';
import { listOptions, requestOptions } from '../options/resolve-options.ts';
import { getAccount } from '../pipeline/endpoints.ts';
import { dateAfter } from '../timing/deadline.ts';
import { describeType } from '../values.ts';
import { withTimedJournal } from '../write/call-journal.ts';
import { maxListed } from './list-options.ts';
import type { AdoptOptions, AdoptResult } from './operations-api.ts';

/** The entries of an earlier key that were moved, and those that were left alone: the first of them, and how many. */
interface Adopted extends Pick<AdoptResult, 'counts'> {
  readonly adopted: readonly JournalEntry[];
  readonly inProgress: readonly JournalEntry[];
}

/**
 * Moves the journal entries of an earlier key to the key of `client`. Asks both keys for their organization first, and
 * moves nothing unless they name the same one. An entry that another call holds stays where it is.
 */
export async function adoptOperations(
  givenClient: ClientContext,
  createContext: CreateContext,
  given: AdoptOptions,
): Promise<Adopted> {
  const { previousKey, ...call } = requireOptions(given);
  const previous = createContext(previousKey);
  if (previous.target() === givenClient.target())
    throw createInvalidOptionsError('previousKey is the key of this client. Pass the key that it replaces.');
  await requireSameOrganization(givenClient, previous, call);
  const client = withTimedJournal(givenClient, call.timeoutMs, call.signal);
  for await (const { entries, problems } of readPages(client.journal, previous.target())) {
    for (const problem of problems) {
      client.emit(() => ({ type: 'journal', problem }));
      // With the right key of the encryption it can be adopted.
      if (problem.kind !== undefined) throw createUnusableEntryError(problem);
    }
    for (const entry of entries) requireDecrypted(entry);
  }
  const adopted: JournalEntry[] = [];
  const inProgress: JournalEntry[] = [];
  const counts = { open: 0, settled: 0, inProgress: 0 };
  for await (const { entries } of readPages(client.journal, previous.target())) {
    for (const entry of entries) {
      const moved = await moveEntry(client, entry);
      if (!moved) continue;
      counts[moved === 'held' ? 'inProgress' : isOpen(moved) ? 'open' : 'settled']++;
      const [list, listed] = moved === 'held' ? [inProgress, entry] : [adopted, moved];
      if (list.length < maxListed) list.push(listed);
    }
  }
  return { adopted, inProgress, counts };
}

const optionNames = listOptions<AdoptOptions>({ previousKey: true, signal: true, ...requestOptions });

function requireOptions(given: AdoptOptions): AdoptOptions {
  requireKnown(given, optionNames, 'adopt()');
  const { previousKey } = Object(given) as Partial<AdoptOptions>;
  // Without this check, an environment variable would take its place.
  if (typeof previousKey === 'string' && previousKey.trim()) return given;
  throw createInvalidOptionsError(
    `adopt() requires { previousKey }, a non-empty string; got ${previousKey === '' ? 'an empty one' : describeType(previousKey)}.`,
  );
}

async function requireSameOrganization(
  client: ClientContext,
  previous: ClientContext,
  call: CallOptions,
): Promise<void> {
  const ours = (await getAccount(client, call)).data.organizationId;
  const theirs = (await getAccount(previous, call)).data.organizationId;
  if (ours === theirs) return;
  throw createInvalidInputError(
    `The previous key belongs to organization ${theirs}, and the key of this client to ${ours}. Nothing was adopted.`,
  );
}

/** Moves one entry. Returns `held` if another call holds it, and undefined if it was removed in the meantime. */
async function moveEntry(
  client: ClientContext,
  known: JournalEntry,
): Promise<JournalEntry | 'held' | undefined> {
  const { journal, callOptions } = client;
  const deadline = dateAfter(callOptions.timeoutMs).toISOString();
  const claim = await journal.claim(known, { token: crypto.randomUUID(), deadline });
  if (!claim?.entry) return claim && 'held';
  const { entry } = claim;
  // A call that died may have sent it, and nothing proves what happened.
  const state = entry.state === 'pending' ? ('unknown' as const) : entry.state;
  const moved = { ...entry, format: 2 as const, state, target: client.target(), token: crypto.randomUUID() };
  try {
    await store(client, moved);
  } catch (error) {
    // Not moved: the entry goes back to the earlier key as it was.
    await journal.settle(entry);
    throw error;
  }
  // The entry of the earlier key goes last, so that a crash leaves both: they are the same operation.
  await journal.remove(entry, entry.token);
  return moved;
}

/** Stores an entry under the key of this client, unless that key has the operation with an outcome that counts more. */
async function store({ journal }: ClientContext, moved: JournalEntry): Promise<void> {
  if (await journal.add(moved)) {
    await journal.settle(moved);
    return;
  }
  const claim = await journal.claim(moved, { token: moved.token ?? '', deadline: moved.deadline });
  if (!claim?.entry) {
    const why = 'is in progress in another call. Call adopt() again';
    throw createOperationError(ConflictError, 'OPERATION_IN_FLIGHT', moved, why, 'abandoned');
  }
  const mayBeApplied = !isFree(moved) || isIntentKnown(moved);
  await journal.settle(isFree(claim.entry) && mayBeApplied ? moved : claim.entry);
}
