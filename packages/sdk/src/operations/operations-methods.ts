import type { ClientContext, CreateContext } from '../client-context.ts';
import {
  createKnownIntentError,
  createOperationError,
  createUnusableEntryError,
} from '../errors/create-errors.ts';
import { createInvalidOptionsError, InvalidInputError } from '../errors/refused.ts';
import { requireDecrypted } from '../journal/encrypted/stored-body.ts';
import { isFree, isIntentKnown, isOpen, isSettled, toOutcome, wasStale } from '../journal/entries.ts';
import type { JournalEntry, JournalProblem, OperationState } from '../journal/journal.ts';
import { isDue } from '../journal/next-attempt.ts';
import type { CallOptions } from '../options/options.ts';
import { runCall } from '../pipeline/call.ts';
import { createChatApi } from '../pipeline/chat-api.ts';
import {
  changeChat,
  createChangeRequest,
  createJournalContext,
  toChangeOutcome,
} from '../pipeline/endpoints.ts';
import { useJournal } from '../pipeline/use-journal.ts';
import { runHere } from '../results/call-site.ts';
import type { ChangeOutcome } from '../results/change-outcome.ts';
import { createDeadline, dateAfter } from '../timing/deadline.ts';
import type { ChatChange } from '../types.ts';
import { describeType } from '../values.ts';
import { type CallJournal, withTimedJournal } from '../write/call-journal.ts';
import {
  claimEntry,
  getHoldEndOf,
  isHeldElsewhere,
  type Operation,
  parseInput,
  requireEntry,
  resolveOperationId,
  withOperationLock,
} from '../write/operation.ts';
import { trackWrite } from '../write/writes-in-progress.ts';
import { adoptOperations } from './adopt.ts';
import { drainWrites } from './drain.ts';
import { createOperationLists, toOperation } from './operation-lists.ts';
import type {
  OperationEntry,
  OperationsApi,
  ResumeAllOptions,
  ResumeError,
  ResumeOutcome,
  UnappliedOperation,
} from './operations-api.ts';
import { reconcile } from './reconcile.ts';

/**
 * The state of an operation that was not sent again, by the code of its error. Only errors without a status count: a
 * server may use the same code for something else.
 */
const statesByOwnCode: Readonly<Record<string, OperationState>> = {
  OPERATION_IN_FLIGHT: 'pending',
  NOT_RESUMABLE: 'unknown',
};

/** How often a wait looks whether an operation is free, in milliseconds. A look reads one entry. */
const lookAgainMs = 1_000;

function report(onWait: ResumeAllOptions['onWait'], operation: UnappliedOperation): void {
  try {
    onWait?.(operation);
  } catch {
    // A callback that throws does not affect the result.
  }
}

/** An operation is not sent again now: its next attempt is later. No caller sees this error. */
class NotDueError extends Error {
  readonly state: 'pending' | 'unknown';
  readonly retryAt: Date | undefined;

  constructor({ state, nextAttempt }: JournalEntry) {
    super('The next attempt is later.');
    this.state = state === 'pending' ? state : 'unknown';
    this.retryAt = nextAttempt && new Date(nextAttempt.at);
  }
}

/** Returns when to ask again after an error: when the server says so, and not before the next attempt of the entry. */
function findRetryAt({ retryAt }: ResumeError, entry: JournalEntry): Date | undefined {
  const next = isOpen(entry) && entry.nextAttempt ? new Date(entry.nextAttempt.at) : undefined;
  return next && !(retryAt && retryAt > next) ? next : retryAt;
}

/** Returns the operation whose entry cannot be used: nothing is known of what it did. */
function toUnusableOperation(problem: JournalProblem): UnappliedOperation[] {
  const { operationId, kind } = problem;
  if (operationId === undefined) return [];
  return [{ operationId, kind, state: 'unknown', error: createUnusableEntryError(problem) }];
}

/** Creates the methods of `client.operations`. */
export function createOperationsMethods(client: ClientContext, createContext: CreateContext): OperationsApi {
  const timed = withTimedJournal(client);
  const { journal } = timed;
  const { list, listProblems, stats } = createOperationLists(timed);

  /** Sends a change again. Throws `NotDueError` if `mayAsk` is false of its entry. */
  async function resume(
    operationId: string,
    options?: CallOptions,
    mayAsk: (entry: JournalEntry) => boolean = () => true,
  ): Promise<ChangeOutcome> {
    const context = { ...createJournalContext(client, options), resume: resumeLater };
    const use = <T>(work: (journal: CallJournal) => Promise<T>): Promise<T> =>
      useJournal(context, operationId, work, 'unknown');
    const known = resolveOperationId(client, { operationId });
    const key = await use((journal) => requireEntry(journal, known));
    if (key.kind === 'keywords') {
      const why = 'is a keyword write, which is never sent twice. Check the keywords of the site';
      throw createOperationError(InvalidInputError, 'NOT_RESUMABLE', key, why, toOutcome(key));
    }
    if (isIntentKnown(key)) throw createKnownIntentError(key);
    requireDecrypted(key);
    const change = parseInput(key) as unknown as ChatChange;
    if (isFree(key) && !wasStale(key)) {
      // It had no effect, so it is sent as a new attempt. A stale one stays stale, and its entry shows it.
      // A fingerprint stays: a later call with the same intent is compared by it.
      const source = { fingerprint: key.fingerprint };
      const given = { ...options, operationId, waitForOther: false };
      return (await changeChat(client, change, given, resumeLater, source)).data;
    }
    return trackWrite(client.writes, operationId, async () => {
      const deadline = dateAfter(context.callOptions.timeoutMs).toISOString();
      const entry = await use(async (journal) => {
        const claimed = await claimEntry(journal, { ...key, deadline });
        if (!claimed || mayAsk(claimed)) return claimed;
        await journal.settle(claimed);
        throw new NotDueError(claimed);
      });
      // It was removed in the meantime.
      if (!entry) return resume(operationId, options, mayAsk);
      const operation: Operation = { entry, history: 'ambiguous' };
      const request = createChangeRequest(client, change.action);
      const answered = withOperationLock(key, () =>
        runCall({ ...context, request, body: key.body, operation }),
      );
      return (await toChangeOutcome(client, { ...change }, answered, options)).data;
    });
  }

  const resumeLater = (operationId: string, options?: CallOptions): Promise<ChangeOutcome> =>
    resume(operationId, options);

  /**
   * Sends an open operation again, once, unless it is settled by now, another call holds it, or its next attempt is later
   * and `isAtOnce` is false.
   */
  async function resumeOnce(
    entry: JournalEntry,
    options: CallOptions,
    isAtOnce: boolean,
  ): Promise<ResumeOutcome> {
    const { operationId, kind } = entry;
    const mayAsk = (known: JournalEntry): boolean => isAtOnce || isDue(known);
    let isRead = false;
    // An abort before it was read leaves it as it was listed.
    const readAgain = async (): Promise<JournalEntry> => {
      if (options.signal?.aborted && !isRead) return entry;
      const again = withTimedJournal(client, options.timeoutMs, options.signal);
      try {
        return (await again.journal.get(entry)) ?? entry;
      } catch {
        // An entry that cannot be read does not stop the others, either.
        return entry;
      }
    };
    try {
      if (!mayAsk(entry)) throw new NotDueError(entry);
      const context = createJournalContext(client, options);
      const read = async (bounded: CallJournal) => (await bounded.get(entry)) ?? entry;
      // Another process may have finished it since.
      const known = await useJournal(context, operationId, read, 'unknown');
      isRead = true;
      if (!isSettled(known)) {
        if (!mayAsk(known)) throw new NotDueError(known);
        return { kind, state: 'applied', ...(await resume(operationId, options, mayAsk)) };
      }
    } catch (thrown) {
      if (thrown instanceof NotDueError)
        return { operationId, kind, state: thrown.state, retryAt: thrown.retryAt };
      // One that the journal cannot hold does not stop the others.
      const error = thrown as ResumeError;
      const { code, status } = error;
      const known = await readAgain();
      // What waits for another call waits until its hold ends.
      const retryAt = isHeldElsewhere(error) ? getHoldEndOf(error) : findRetryAt(error, known);
      const state = (status === undefined && statesByOwnCode[`${code}`]) || known.state;
      if (state !== 'applied') return { operationId, kind, state, error, ...(retryAt && { retryAt }) };
    }
    const { state } = await readAgain();
    return { operationId, kind, state };
  }

  /** Resumes an operation repeatedly while another call holds it, until it must be free. */
  async function resumeWhenFree(
    entry: JournalEntry,
    first: ResumeOutcome,
    options: CallOptions,
    isAtOnce: boolean,
    onWait: ResumeAllOptions['onWait'],
  ): Promise<ResumeOutcome> {
    let outcome = first;
    const deadline = createDeadline(Infinity, options.signal);
    if (outcome.state === 'pending' && outcome.retryAt && !deadline.checkEnd()) report(onWait, outcome);
    while (outcome.state === 'pending' && outcome.retryAt && !options.signal?.aborted) {
      // Its holder may settle it or be found dead before that. A moment later, since a hold ends after its last moment.
      const rest = outcome.retryAt.getTime() - Date.now() + 1;
      // An aborted wait leaves the operation as it is.
      if (await deadline.sleep(Math.min(Math.max(rest, 1), lookAgainMs))) break;
      outcome = await resumeOnce(entry, options, isAtOnce);
    }
    return outcome;
  }

  async function resumeAll({
    wait = false,
    now = false,
    onWait,
    ...call
  }: ResumeAllOptions = {}): Promise<ResumeOutcome[]> {
    if (onWait !== undefined && typeof onWait !== 'function')
      throw createInvalidOptionsError(`onWait must be a function; got ${describeType(onWait)}.`);
    // A slot of the pacing may take a minute to come, which must not be all the time there is.
    const { coversPacing, timeoutMs } = client.callOptions;
    const options = coversPacing ? { timeoutMs: 2 * timeoutMs, ...call } : call;
    // Throws for options that cannot be used.
    createJournalContext(client, options);
    const bounded = withTimedJournal(client, options.timeoutMs, options.signal);
    const { iterateOpen } = createOperationLists(bounded);
    const outcomes: ResumeOutcome[] = [];
    const unusable = new Map<string, JournalProblem>();
    const inProgress = new Map<ResumeOutcome, JournalEntry>();
    // All pages are read first: a journal that fails later would take the outcomes with it. Each entry is read again before it
    // is sent, so its data are not kept.
    const open: OperationEntry[] = [];
    for await (const entry of iterateOpen(unusable)) open.push({ ...entry, body: '', change: undefined });
    for (const entry of open) {
      const outcome = await resumeOnce(entry, options, now);
      outcomes.push(outcome);
      if (wait && outcome.state === 'pending') inProgress.set(outcome, entry);
    }
    const ended = await Promise.all(
      outcomes.map((outcome) => {
        const entry = inProgress.get(outcome);
        return entry ? resumeWhenFree(entry, outcome, options, now, onWait) : outcome;
      }),
    );
    return [...ended, ...[...unusable.values()].flatMap(toUnusableOperation)];
  }

  return {
    list: (options) => runHere(() => list(options)),
    get: (operationId) =>
      runHere(async () => {
        const entry = await journal.get(resolveOperationId(client, { operationId }));
        return entry && toOperation(entry);
      }),
    problems: () => runHere(listProblems),
    stats: () => runHere(stats),
    resume: (operationId, options) => runHere(() => resume(operationId, options)),
    resumeAll: (options) => runHere(() => resumeAll(options)),
    drain: (options = {}) =>
      runHere(async () => {
        await drainWrites(client, options);
        return { open: await list({ open: true }) };
      }),
    forget: (operationId) => runHere(() => journal.remove(resolveOperationId(client, { operationId }))),
    reconcile: (operation, options) =>
      runHere(() => reconcile(client, createChatApi(client, resumeLater), operation, options)),
    adopt: (options) =>
      runHere(async () => {
        const { adopted, inProgress, counts } = await adoptOperations(client, createContext, options);
        return { adopted: adopted.map(toOperation), inProgress: inProgress.map(toOperation), counts };
      }),
  };
}
