import { changeIn, changeRequest, outcomeOf } from './bare.ts';
import { pursue, pursuitOf } from './call.ts';
import type { Core } from './core.ts';
import { OrgChatError } from './errors/base.ts';
import { InvalidInputError, NotFoundError } from './errors/refused.ts';
import {
  type EntryKey,
  isSettled,
  type JournalEntry,
  type JournalProblem,
  type OperationState,
} from './journal/journal.ts';
import { deadlineOf, hold, inTurn } from './operation.ts';
import { operationIdOf } from './operation-id.ts';
import type { CallOptions } from './options.ts';
import type { ChangeOutcome } from './outcome.ts';
import type { ChatChange } from './types.ts';

/** A write as the journal knows it. */
export interface OperationEntry extends JournalEntry {
  /** What a change is; undefined for a keyword write, whose `path` and `body` say it. */
  readonly change: ChatChange | undefined;
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

/** The key of an operation of this client. */
async function keyOf(core: Core, operationId: string): Promise<EntryKey> {
  return { operationId: operationIdOf(operationId), target: await core.target() };
}

/** The entry of an operation of this client. */
export async function entryOf(core: Core, operationId: string): Promise<JournalEntry> {
  return known(await core.journal.get(await keyOf(core, operationId)), operationId);
}

function known(entry: JournalEntry | undefined, operationId: string): JournalEntry {
  if (entry) return entry;
  const message = `the journal has no operation ${operationId} for this base URL and key`;
  throw new NotFoundError(message, { code: 'UNKNOWN_OPERATION', operationId });
}

export function operationsOf(core: Core): OperationsApi {
  const { journal } = core;
  const listing = async () => journal.list(await core.target());

  async function resume(operationId: string, options: CallOptions = {}): Promise<ChangeOutcome> {
    const { kind, body, ...key } = await entryOf(core, operationId);
    if (kind === 'keywords') {
      const message = "a keyword write is never sent again: check the site's keywords";
      throw new InvalidInputError(message, { code: 'NOT_RESUMABLE', operationId });
    }
    const pursuit = pursuitOf(core, changeRequest(changeIn(body).action), body, options);
    const entry = known(await hold(journal, key, deadlineOf(pursuit.limits)), operationId);
    const operation = { entry, history: 'ambiguous' as const };
    return (await outcomeOf(inTurn(key, () => pursue({ ...pursuit, operation, resume })))).data;
  }

  async function list({ state }: { state?: OperationState | undefined } = {}): Promise<OperationEntry[]> {
    const { entries, problems } = await listing();
    for (const problem of problems) core.emit(() => ({ type: 'journal', problem }));
    return entries
      .filter((entry) => !state || entry.state === state)
      .map((entry) => ({
        ...entry,
        // A change in the journal is what changeChat was given.
        change: entry.kind === 'change' ? (changeIn(entry.body) as ChatChange) : undefined,
      }));
  }

  return {
    list,
    problems: async () => (await listing()).problems,
    resume,
    async resumeAll(options) {
      const outcomes: ResumeOutcome[] = [];
      for (const listed of await list()) {
        if (isSettled(listed)) continue;
        // Another process may have finished it since.
        const entry = (await journal.get(listed)) ?? listed;
        const { operationId, kind, state } = entry;
        if (isSettled(entry)) {
          outcomes.push({ operationId, kind, state });
          continue;
        }
        try {
          outcomes.push({ kind, state: 'applied', ...(await resume(operationId, options)) });
        } catch (error) {
          if (!(error instanceof OrgChatError)) throw error;
          const after = (await journal.get(entry)) ?? entry;
          outcomes.push({ operationId, kind, state: kind === 'keywords' ? 'unknown' : after.state, error });
        }
      }
      return outcomes;
    },
    forget: async (operationId) => journal.remove(await keyOf(core, operationId)),
  };
}
