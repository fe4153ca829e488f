import { changeChat, changeRequest, outcomeOf } from './bare.ts';
import { pursue } from './call.ts';
import type { Core } from './core.ts';
import { after, patienceFor } from './deadline.ts';
import { InvalidInputError, NotFoundError, operationRefused } from './errors/refused.ts';
import {
  isSettled,
  type JournalEntry,
  type JournalProblem,
  type ListOptions,
  type OperationState,
  wasStale,
} from './journal/journal.ts';
import { hold, identify, inputIn, inTurn, type Operation } from './operation.ts';
import type { CallOptions } from './options.ts';
import type { ChangeOutcome } from './outcome.ts';
import { pursuitOf } from './pursuit.ts';
import type { ChatChange } from './types.ts';

/** A write as the journal knows it. */
export interface OperationEntry extends JournalEntry {
  /** What a change is; undefined for a keyword write, whose `path` and `body` say it. */
  readonly change: ChatChange | undefined;
}

type Failure = Error & {
  readonly code?: string;
  readonly status?: number | undefined;
  readonly retryAt?: Date | undefined;
};

/** What asking once about an operation came to. */
export interface ResumeOutcome extends Partial<ChangeOutcome> {
  readonly operationId: string;
  readonly kind: 'change' | 'keywords';
  /**
   * `pending` where a living call has it: it was left alone. A keyword write that is not settled is `unknown`, also
   * while it is under way.
   */
  readonly state: OperationState;
  /** Why it is not applied: an `OrgChatError`, or what the journal threw. */
  readonly error?: Failure;
  /**
   * Of one that is `pending`: when its entry is free at the latest, so that it can be asked about. That of `error`
   * for others. Undefined if only the end of the process that has it tells.
   */
  readonly retryAt?: Date;
}

export interface ListOperationsOptions {
  readonly state?: OperationState | undefined;
  /** Only `pending` and `unknown` operations. */
  readonly open?: boolean | undefined;
}

export interface ResumeAllOptions extends CallOptions {
  /**
   * Waits for the operations that another process has, or had when it died. Default false. Each ends as it would end
   * later: settled by that process, or asked about here as soon as it is free. `signal` ends the wait.
   */
  readonly wait?: boolean | undefined;
}

export interface OperationsApi {
  /**
   * The writes this client's journal knows for its base URL and key, oldest first. With `open`, only those that are
   * `pending` or `unknown`: however many settled ones there are, they are not read for it.
   */
  list(options?: ListOperationsOptions): Promise<OperationEntry[]>;
  /** One write of this journal; undefined if it does not know the id. */
  get(operationId: string): Promise<OperationEntry | undefined>;
  /**
   * What the journal found among open entries and cannot use: torn, foreign or later files. Reported, never in the way.
   * Settled entries are not read for it: what is wrong with those, `list()` reports as `journal` events.
   */
  problems(): Promise<readonly JournalProblem[]>;
  /** Sends a change again under its id, byte for byte; resolves or throws as the change itself would. */
  resume(operationId: string, options?: CallOptions): Promise<ChangeOutcome>;
  /**
   * Asks once about every operation that is not settled and that no living process has. Keyword writes are
   * reported and never sent again. Call it when a program starts. It rejects where the journal cannot be read.
   *
   * An operation is left alone while nobody can tell whether the process that has it lives, as after the restart of a
   * container; its `retryAt` says when it is free at the latest. With `wait`, this waits for those operations as well,
   * until five seconds after the deadlines of their calls.
   *
   * @example
   * for (const { operationId, state, error } of await client.operations.resumeAll()) console.log(operationId, state, error);
   */
  resumeAll(options?: ResumeAllOptions): Promise<ResumeOutcome[]>;
  /** Removes an operation from the journal; false where it is not there. It does not undo anything. */
  forget(operationId: string): Promise<boolean>;
}

/** The entry of an operation of this client. */
export async function entryOf(core: Core, operationId: string): Promise<JournalEntry> {
  const entry = await core.journal.get(await identify(core, { operationId }));
  if (entry) return entry;
  throw operationRefused(NotFoundError, 'UNKNOWN_OPERATION', operationId, 'is not in the journal');
}

/**
 * What is said of an operation that was not sent again, and whatever became of it since. Only an error without a status
 * has one of these codes: a server may have the same word for something else.
 */
const statesByCode: Readonly<Record<string, OperationState>> = {
  OPERATION_IN_FLIGHT: 'pending',
  NOT_RESUMABLE: 'unknown',
};

/** How often a wait looks whether an operation is free, in milliseconds. A look reads one entry. */
const lookAgainMs = 1_000;

export function operationsOf(core: Core): OperationsApi {
  const { journal } = core;
  const listing = async (options?: ListOptions) => journal.list(core.target(), options);
  // A change in the journal is what changeChat was given.
  const toOperation = (entry: JournalEntry): OperationEntry => ({
    ...entry,
    change: entry.kind === 'change' ? (inputIn(entry) as unknown as ChatChange) : undefined,
  });

  async function resume(operationId: string, options?: CallOptions): Promise<ChangeOutcome> {
    const key = await entryOf(core, operationId);
    if (key.kind === 'keywords') {
      const why = "is a keyword write: check the site's keywords";
      throw operationRefused(InvalidInputError, 'NOT_RESUMABLE', operationId, why);
    }
    const change = inputIn(key) as unknown as ChatChange;
    if (isSettled(key) && key.state !== 'applied' && !wasStale(key)) {
      // It came to nothing, so it is begun anew. What was stale stays so, and its entry says that it is spent.
      return (await changeChat(core, change, { ...options, operationId }, resume)).data;
    }
    const pursuit = pursuitOf(core, changeRequest(change.action), key.body, options);
    const deadline = after(pursuit.limits.timeoutMs).toISOString();
    const entry = await hold(journal, { ...key, deadline });
    // It was removed meanwhile.
    if (!entry) return resume(operationId, options);
    const operation: Operation = { entry, history: 'ambiguous' };
    return (
      await outcomeOf(
        change.action,
        inTurn(key, () => pursue({ ...pursuit, operation, resume })),
      )
    ).data;
  }

  async function list({ state, open }: ListOperationsOptions = {}): Promise<OperationEntry[]> {
    const isOpen = open ?? (state !== undefined && !isSettled({ state }));
    const { entries, problems } = await listing({ open: isOpen });
    for (const problem of problems) core.emit(() => ({ type: 'journal', problem }));
    return entries.filter((entry) => !state || entry.state === state).map(toOperation);
  }

  /** Asks once about an operation, unless it is settled by now or somebody has it. */
  async function ask(entry: JournalEntry, options: CallOptions): Promise<ResumeOutcome> {
    const { operationId, kind } = entry;
    const now = async () => (await journal.get(entry)) ?? entry;
    let outcome: { state?: OperationState | undefined } & Partial<Omit<ResumeOutcome, 'state'>> = {};
    try {
      // Another process may have finished it since.
      if (!isSettled(await now())) outcome = { state: 'applied', ...(await resume(operationId, options)) };
    } catch (thrown) {
      // One that the journal cannot take does not keep the others from being asked about.
      const error = thrown as Failure;
      const { code, status, retryAt } = error;
      const state = status === undefined ? statesByCode[`${code}`] : undefined;
      outcome = { error, state, ...(retryAt && { retryAt }) };
    }
    return { operationId, kind, ...outcome, state: outcome.state ?? (await now()).state };
  }

  /** Asks about an operation again and again, as long as somebody has it, until it must be free. */
  async function askWhenFree(
    entry: JournalEntry,
    first: ResumeOutcome,
    options: CallOptions,
  ): Promise<ResumeOutcome> {
    let outcome = first;
    const deadline = patienceFor(Infinity, options.signal);
    while (outcome.state === 'pending' && outcome.retryAt && !options.signal?.aborted) {
      // Its holder may settle it or be found dead before that. A moment later, since a hold ends after its last moment.
      const rest = outcome.retryAt.getTime() - Date.now() + 1;
      await deadline.sleep(Math.min(Math.max(rest, 1), lookAgainMs));
      outcome = await ask(entry, options);
    }
    return outcome;
  }

  async function resumeAll({ wait = false, ...call }: ResumeAllOptions = {}): Promise<ResumeOutcome[]> {
    // A slot of the pacing may take a minute to come, which must not be all the time there is.
    const { coversPacing, timeoutMs } = core.limits;
    const options = coversPacing ? { timeoutMs: 2 * timeoutMs, ...call } : call;
    const outcomes: ResumeOutcome[] = [];
    const entries = await list({ open: true });
    for (const entry of entries) outcomes.push(await ask(entry, options));
    if (!wait) return outcomes;
    return Promise.all(
      entries.map((entry, n) => {
        const outcome = outcomes[n];
        return outcome ? askWhenFree(entry, outcome, options) : ask(entry, options);
      }),
    );
  }

  return {
    list,
    async get(operationId) {
      const entry = await journal.get(await identify(core, { operationId }));
      return entry && toOperation(entry);
    },
    problems: async () => (await listing({ open: true })).problems,
    resume,
    resumeAll,
    forget: async (operationId) => journal.remove(await identify(core, { operationId })),
  };
}
