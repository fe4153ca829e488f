import { changeIn, journaledRequest } from './bare.ts';
import { type Answered, carryOn } from './call.ts';
import type { Core } from './core.ts';
import { Patience } from './deadline.ts';
import { ConflictError, InvalidInputError, NotFoundError, OrgChatError } from './errors/index.ts';
import type { EntryKey, JournalEntry, JournalProblem, OperationState } from './journal/journal.ts';
import { deadlineOf, hold, inTurn } from './operation.ts';
import { operationIdOf } from './operation-id.ts';
import { type CallOptions, callLimits } from './options.ts';
import type { ChangeOutcome } from './outcome.ts';
import type { ChatChange } from './types.ts';

/** A write as the journal knows it. */
export interface OperationEntry {
  readonly operationId: string;
  readonly kind: 'change' | 'keywords';
  readonly state: OperationState;
  /** What a change is; undefined for a keyword write. */
  readonly change: ChatChange | undefined;
  /** What a keyword write adds, and where; undefined for a change. */
  readonly keywords: { readonly path: string; readonly input: unknown } | undefined;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Requests sent, as far as known. */
  readonly attempts: number;
  /** Why it was refused, or is unknown or abandoned. */
  readonly error: JournalEntry['error'];
}

/** What asking once about an operation came to. */
export interface ResumeOutcome extends Partial<ChangeOutcome> {
  readonly operationId: string;
  readonly kind: 'change' | 'keywords';
  /** `pending` where a living process has it: it was left alone. */
  readonly state: OperationState;
  /** Why it is not applied. */
  readonly error?: OrgChatError;
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
   * reported and never sent again. Call it when a program starts.
   *
   * @example
   * for (const { operationId, state, error } of await client.operations.resumeAll()) console.log(operationId, state, error);
   */
  resumeAll(options?: CallOptions): Promise<ResumeOutcome[]>;
  /** Removes an operation from the journal; false where it is not there. It does not undo anything. */
  forget(operationId: string): Promise<boolean>;
}

export function operationsOf(core: Core): OperationsApi {
  const keyOf = async (operationId: string): Promise<EntryKey> => ({
    operationId: operationIdOf(operationId),
    target: await core.target(),
  });

  async function listing(): Promise<readonly JournalEntry[]> {
    const { entries, problems } = await core.journal.list(await core.target());
    for (const problem of problems) core.emitter.emit('journal', () => ({ type: 'journal', problem }));
    return entries;
  }

  async function resend(operationId: string, options: CallOptions): Promise<Answered<ChangeOutcome>> {
    const key = await keyOf(operationId);
    const known = await core.journal.get(key);
    if (known?.kind === 'keywords') throw notResent(known);
    const limits = callLimits(core.settings, options);
    const entry = known && (await hold(core, key, deadlineOf(limits)));
    if (entry === undefined) {
      const message = `the journal has no operation ${key.operationId} for this base URL and key`;
      throw new NotFoundError({ code: 'UNKNOWN_OPERATION', message, operationId: key.operationId });
    }
    const patience = new Patience(limits.timeoutMs, options.signal);
    const operation = { entry, history: 'ambiguous' as const };
    return inTurn(key, () =>
      carryOn(core, journaledRequest(entry), operation, limits, patience, (id) => resume(id)),
    );
  }

  const resume = async (operationId: string, options: CallOptions = {}): Promise<ChangeOutcome> =>
    (await resend(operationId, options)).data;

  async function ask(entry: JournalEntry, options: CallOptions): Promise<ResumeOutcome> {
    const { operationId, kind } = entry;
    if (kind === 'keywords') return { operationId, kind, state: 'unknown', error: notResent(entry) };
    try {
      return { kind, state: 'applied', ...(await resume(operationId, options)) };
    } catch (error) {
      if (!(error instanceof OrgChatError)) throw error;
      if (error instanceof ConflictError && error.code === 'OPERATION_IN_FLIGHT') {
        return { operationId, kind, state: 'pending', error };
      }
      const after = await core.journal.get(entry);
      return { operationId, kind, state: after?.state ?? 'unknown', error };
    }
  }

  return {
    async list({ state } = {}) {
      const entries = (await listing()).filter((entry) => state === undefined || entry.state === state);
      return entries.map(entryOf);
    },
    async problems() {
      return (await core.journal.list(await core.target())).problems;
    },
    resume,
    async resumeAll(options = {}) {
      const open = (await listing()).filter(({ state }) => state === 'pending' || state === 'unknown');
      const outcomes: ResumeOutcome[] = [];
      for (const entry of open) outcomes.push(await ask(entry, options));
      return outcomes;
    },
    async forget(operationId) {
      return core.journal.remove(await keyOf(operationId));
    },
  };
}

function notResent({ operationId }: JournalEntry): OrgChatError {
  const message = `keyword write ${operationId} is never sent again: check the site's keywords`;
  return new InvalidInputError({ code: 'NOT_RESUMABLE', message, operationId });
}

function entryOf(entry: JournalEntry): OperationEntry {
  const { operationId, kind, state, path, body, createdAt, updatedAt, attempts, error } = entry;
  const isChange = kind === 'change';
  return {
    operationId,
    kind,
    state,
    // The journal holds what changeChat was given.
    change: isChange ? (changeIn(body) as ChatChange) : undefined,
    keywords: isChange ? undefined : { path, input: JSON.parse(body) },
    createdAt,
    updatedAt,
    attempts,
    error,
  };
}
