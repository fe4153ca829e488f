import { AbortedError, DeadlineError } from '../errors/no-usable-answer.ts';
import type { Claim, Journal, JournalEntry, MaybePromise } from '../journal/journal.ts';
import { type CallEnd, createDeadline } from '../timing/deadline.ts';

/** What a call does to the entry of its operation. */
export type CallJournal = Pick<Journal, 'get' | 'add' | 'claim' | 'settle' | 'remove'>;

/** How long a journal may take at least to record what a call did, in milliseconds, even after the deadline. */
export const leastRecordMs = 1_000;

/** The call ended while it waited for its entry. No caller sees this error. */
export class CallEndedError extends Error {
  readonly callEnd: CallEnd;
  /** `unknown` if the journal may have recorded the write, which a later resume then sends. */
  readonly outcome: 'abandoned' | 'unknown';

  constructor(callEnd: CallEnd, outcome: CallEndedError['outcome'] = 'abandoned') {
    super('The journal did not answer in time.');
    this.callEnd = callEnd;
    this.outcome = outcome;
  }
}

/** Waits until an answer is settled, or until it is too late: then it may return why. */
type Wait = (answer: Promise<unknown>) => Promise<CallEnd | undefined>;

/**
 * Creates the journal of one call: each method waits for its answer as long as the call may wait, then throws a
 * `CallEndedError`. An answer that needs no waiting costs nothing.
 *
 * An entry that is claimed too late is free again. One that is added too late may be sent by a later resume, even if this
 * process has ended: so the call says that its outcome is unknown, and so does the entry. A keyword write is never
 * resumed, so its entry is removed.
 */
export function createCallJournal(
  journal: Journal,
  waitForWrite: Wait,
  waitForRead = waitForWrite,
): CallJournal {
  return {
    get: (key) => inTime(journal.get(key), waitForRead),
    add: (entry, options) =>
      inTime(
        journal.add(entry, options),
        waitForWrite,
        (isAdded) => isAdded && letGo(journal, entry),
        entry.kind === 'change' ? 'unknown' : undefined,
      ),
    claim: (key, hold) => inTime(journal.claim(key, hold), waitForWrite, letClaimGo(journal)),
    settle: (entry) => inTime(journal.settle(entry), waitForWrite),
    remove: (key, token) => inTime(journal.remove(key, token), waitForWrite),
  };
}

/**
 * Returns a client for what is not a call, such as a list of operations: each answer of its journal has as much time as a
 * call, and a moment after an abort.
 */
export function withTimedJournal<
  C extends { readonly journal: Journal; readonly callOptions: { readonly timeoutMs: number } },
>(client: C, timeoutMs = client.callOptions.timeoutMs, signal?: AbortSignal): C {
  const { journal } = client;
  const wait: Wait = async (answer) => {
    const callEnd = await createDeadline(timeoutMs, signal).sleep(Infinity, answer);
    if (callEnd?.code === 'ABORTED')
      await createDeadline(Math.min(timeoutMs, leastRecordMs), undefined).sleep(Infinity, answer);
    return callEnd;
  };
  const limit = async <T>(answer: MaybePromise<T>, undo?: (late: T) => unknown): Promise<T> => {
    try {
      return await inTime(answer, wait, undo);
    } catch (cause) {
      if (!(cause instanceof CallEndedError)) throw cause;
      const { code } = cause.callEnd;
      if (code === 'ABORTED')
        throw new AbortedError('The signal ended the wait for the journal.', { code, cause: signal?.reason });
      const why = `The journal did not answer in ${timeoutMs} ms. To wait longer, raise timeoutMs.`;
      throw new DeadlineError(why, { code });
    }
  };
  const timed: Journal = {
    get: (key) => limit(journal.get(key)),
    add: (entry, options) => limit(journal.add(entry, options)),
    claim: (key, hold) => limit(journal.claim(key, hold), letClaimGo(journal)),
    settle: (entry) => limit(journal.settle(entry)),
    remove: (key, token) => limit(journal.remove(key, token)),
    list: (target, options) => limit(journal.list(target, options)),
    ...(journal.stats && { stats: async (target) => limit(Object(journal).stats(target)) }),
  };
  return { ...client, journal: timed };
}

const letClaimGo =
  (journal: Journal) =>
  (claim: Claim | undefined): unknown =>
    claim?.entry && journal.settle(claim.entry);

function inTime<T>(
  answer: MaybePromise<T>,
  wait: Wait,
  undo?: (late: T) => unknown,
  outcome?: CallEndedError['outcome'],
): MaybePromise<T> {
  return typeof Object(answer).then === 'function'
    ? awaitInTime(Promise.resolve(answer), wait, undo, outcome)
    : answer;
}

async function awaitInTime<T>(
  answer: Promise<T>,
  wait: Wait,
  undo?: (late: T) => unknown,
  outcome?: CallEndedError['outcome'],
): Promise<T> {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  const callEnd = await wait(answer.then(settle, settle));
  if (isSettled) return answer;
  answer.then(undo).catch(() => undefined);
  if (callEnd?.code === 'ABORTED') throw new CallEndedError(callEnd, outcome);
  const open = outcome ? ' It may have recorded the operation, which a later resume then sends.' : '';
  const detail = `The journal did not answer before the deadline, so nothing was sent.${open}`;
  throw new CallEndedError({ code: 'DEADLINE_EXCEEDED', detail }, outcome);
}

/** Lets go of an entry that was added after its call had ended. */
function letGo(journal: Journal, entry: JournalEntry): MaybePromise<boolean> {
  if (entry.kind === 'keywords') return journal.remove(entry, entry.token);
  const error = { code: 'OUTCOME_UNKNOWN', reason: 'DEADLINE_EXCEEDED' };
  return journal.settle({ ...entry, state: 'unknown', updatedAt: new Date().toISOString(), error });
}
