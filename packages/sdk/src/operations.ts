import { changeChat, changeRequest, outcomeOf } from './bare.ts';
import { pursue } from './call.ts';
import type { Core } from './core.ts';
import { after } from './deadline.ts';
import { InvalidInputError, NotFoundError, operationRefused } from './errors/refused.ts';
import {
  isSettled,
  type JournalEntry,
  type JournalProblem,
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

type Failure = Error & { readonly code?: string; readonly retryAt?: Date | undefined };

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

export interface OperationsApi {
  /** The writes this client's journal knows for its base URL and key, oldest first. */
  list(options?: { state?: OperationState | undefined }): Promise<OperationEntry[]>;
  /** What the journal found and cannot use: torn, foreign or later files. Reported, never in the way. */
  problems(): Promise<readonly JournalProblem[]>;
  /** Sends a change again under its id, byte for byte; resolves or throws as the change itself would. */
  resume(operationId: string, options?: CallOptions): Promise<ChangeOutcome>;
  /**
   * Asks once about every operation that is not settled and that no living process has. Keyword writes are
   * reported and never sent again. Call it when a program starts. It rejects where the journal cannot be read.
   *
   * @example
   * for (const { operationId, state, error } of await client.operations.resumeAll()) console.log(operationId, state, error);
   */
  resumeAll(options?: CallOptions): Promise<ResumeOutcome[]>;
  /** Removes an operation from the journal; false where it is not there. It does not undo anything. */
  forget(operationId: string): Promise<boolean>;
}

/** The entry of an operation of this client. */
export async function entryOf(core: Core, operationId: string): Promise<JournalEntry> {
  const entry = await core.journal.get(await identify(core, { operationId }));
  if (entry) return entry;
  throw operationRefused(NotFoundError, 'UNKNOWN_OPERATION', operationId, 'is not in the journal');
}

/** What is said of an operation that was not sent again, and whatever became of it since. */
const statesByCode: Readonly<Record<string, OperationState>> = {
  OPERATION_IN_FLIGHT: 'pending',
  NOT_RESUMABLE: 'unknown',
};

export function operationsOf(core: Core): OperationsApi {
  const { journal } = core;
  const listing = async () => journal.list(core.target());

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

  async function list({ state }: { state?: OperationState | undefined } = {}): Promise<OperationEntry[]> {
    const { entries, problems } = await listing();
    for (const problem of problems) core.emit(() => ({ type: 'journal', problem }));
    return entries
      .filter((entry) => !state || entry.state === state)
      .map((entry) => ({
        ...entry,
        // A change in the journal is what changeChat was given.
        change: entry.kind === 'change' ? (inputIn(entry) as unknown as ChatChange) : undefined,
      }));
  }

  async function resumeAll(options?: CallOptions): Promise<ResumeOutcome[]> {
    const outcomes: ResumeOutcome[] = [];
    // A slot of the pacing may take a minute to come, which must not be all the time there is.
    const { coversPacing, timeoutMs } = core.limits;
    const patient = coversPacing ? { timeoutMs: 2 * timeoutMs, ...options } : options;
    for (const entry of await list()) {
      if (isSettled(entry)) continue;
      const { operationId, kind } = entry;
      const now = async () => (await journal.get(entry)) ?? entry;
      let outcome: { state?: OperationState | undefined } & Partial<Omit<ResumeOutcome, 'state'>> = {};
      try {
        // Another process may have finished it since.
        if (!isSettled(await now())) outcome = { state: 'applied', ...(await resume(operationId, patient)) };
      } catch (thrown) {
        // One that the journal cannot take does not keep the others from being asked about.
        const error = thrown as Failure;
        const { retryAt } = error;
        outcome = { error, state: statesByCode[`${error.code}`], ...(retryAt && { retryAt }) };
      }
      outcomes.push({ operationId, kind, ...outcome, state: outcome.state ?? (await now()).state });
    }
    return outcomes;
  }

  return {
    list,
    problems: async () => (await listing()).problems,
    resume,
    resumeAll,
    forget: async (operationId) => journal.remove(await identify(core, { operationId })),
  };
}
