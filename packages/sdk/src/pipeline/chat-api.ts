import type { ClientContext } from '../client-context.ts';
import { OrgChatError } from '../errors/base.ts';
import { createJournalError } from '../errors/create-errors.ts';
import { ConflictError, InvalidInputError, NotFoundError } from '../errors/refused.ts';
import { endpoints } from '../generated/endpoints.ts';
import { isSettled } from '../journal/entries.ts';
import type { JournalEntry } from '../journal/journal.ts';
import type { CallOptions, ChangeOptions } from '../options/options.ts';
import type { ApiResponse } from '../results/call-promise.ts';
import type { ChangeOutcome } from '../results/change-outcome.ts';
import { rememberRequestId } from '../results/request-ids.ts';
import type { ResponseShapes } from '../shapes/response-shapes.ts';
import type { ReadQuery } from '../types/read-query.ts';
import type { ChatChange, RecordRef } from '../types.ts';
import { isObject } from '../values.ts';
import { CallEndedError } from '../write/call-journal.ts';
import { serializeInput } from '../write/input.ts';
import { parseInput, resolveOperationId } from '../write/operation.ts';
import { createCallContext, runCall } from './call.ts';
import type { Resume } from './call-context.ts';
import {
  type ChangeAnswer,
  type ChangeSource,
  changeChat,
  createJournalContext,
  readChat,
} from './endpoints.ts';
import { useJournal } from './use-journal.ts';

type RecordRefGuard = Pick<RecordRef, 'revision' | 'label'>;

/** A record of a configuration, and the data that it may have. */
export interface ChangeableQuery {
  readonly resource: string;
  readonly id: string;
  readonly label: string;
  readonly data: object;
}

/** What resource objects are built on: reads whose records have the promised shape, and changes. */
export interface ChatApi {
  readonly shapes: ResponseShapes;
  /** Reads what the server sends, as it is. */
  read<A extends object>(query: ReadQuery, options?: CallOptions): Promise<ApiResponse<A>>;
  /** Reads one record. Rejects with `UNEXPECTED_SHAPE` if it lacks what is promised. */
  readRecord<T>(query: ReadQuery, options?: CallOptions): Promise<ApiResponse<T>>;
  /** Returns whether a record exists for changes, although no read shows it; undefined if nothing says so. */
  isChangeable(query: ChangeableQuery, options?: CallOptions): Promise<boolean | undefined>;
  /** Returns what the journal has under an id. Nothing is sent. */
  findEntry(operationId: string, options?: CallOptions): Promise<JournalEntry | undefined>;
  /**
   * Returns the guards of the change that the journal has under a given id; undefined if the id is free. It is sent again
   * with these.
   */
  findEarlierGuard(options: ChangeOptions | undefined): Promise<RecordRefGuard | undefined>;
  change<R>(
    change: object,
    options?: ChangeOptions,
    source?: ChangeSource,
  ): Promise<ApiResponse<ChangeOutcome<R>>>;
}

const noRevision = '0'.repeat(64);

/**
 * Whether changes find a record that no read shows: reads may be older. It sends an update whose revision is never current,
 * so it is refused, and no journal has it. A server that ignores revisions writes what the record was created with.
 * Undefined if the answer does not say.
 */
async function isChangeable(
  client: ClientContext,
  { resource, id, label, data }: ChangeableQuery,
  options: CallOptions | undefined,
): Promise<boolean | undefined> {
  const guards = { expectedRevision: noRevision, expectedLabel: label };
  const change = { action: `update-${resource}`, id, ...guards, data };
  const request = {
    endpoint: 'changeChat',
    kind: 'read',
    ...endpoints.changeChat,
    subject: change.action,
    matchesContract: isObject,
  } as const;
  const send = async (sent: object): Promise<boolean | 'conflict' | undefined> => {
    const body = serializeInput({ operationId: crypto.randomUUID(), change: sent });
    try {
      const { data: answer } = await runCall(createCallContext(client, request, body, options));
      return (answer as Partial<ChangeAnswer>).applied === true || undefined;
    } catch (error) {
      if (error instanceof NotFoundError) return false;
      if (error instanceof ConflictError) return 'conflict';
      if (error instanceof InvalidInputError) return undefined;
      throw error;
    }
  };
  const found = await send(change);
  if (found !== 'conflict') return found;
  // A server that looks for id and revision at once answers so for any id.
  return (await send({ ...change, id: crypto.randomUUID() })) === false || undefined;
}

/** Creates the chat endpoints of a client. `resume` finishes a change whose outcome is unknown. */
export function createChatApi(client: ClientContext, resume: Resume): ChatApi {
  const { shapes } = client;
  const findEntry: ChatApi['findEntry'] = async (operationId, { signal, timeoutMs } = {}) => {
    const key = resolveOperationId(client, { operationId });
    const context = createJournalContext(client, { signal, timeoutMs });
    return useJournal(context, key.operationId, async (journal) => {
      try {
        return await journal.get(key);
      } catch (cause) {
        if (cause instanceof OrgChatError || cause instanceof CallEndedError) throw cause;
        throw createJournalError(client, context.request, key.operationId, cause);
      }
    });
  };
  return {
    shapes,
    read: <A extends object>(query: ReadQuery, options?: CallOptions) =>
      readChat(client, query, options) as Promise<ApiResponse<A>>,
    async readRecord<T>(query: ReadQuery, options?: CallOptions) {
      const answer = shapes.toRecord<T>(query, await readChat(client, query, options));
      rememberRequestId(answer.data, answer);
      return answer;
    },
    isChangeable: (query, options) => isChangeable(client, query, options),
    findEntry,
    async findEarlierGuard({ operationId, intent, ...call } = {}) {
      if (operationId === undefined && intent === undefined) return undefined;
      const entry = await findEntry(resolveOperationId(client, { operationId, intent }).operationId, call);
      const isFree = !entry || (isSettled(entry) && entry.state !== 'applied');
      if (isFree) return undefined;
      const { expectedRevision, expectedLabel } = parseInput(entry);
      return typeof expectedRevision === 'string' && typeof expectedLabel === 'string'
        ? { revision: expectedRevision, label: expectedLabel }
        : undefined;
    },
    change: <R>(change: object, options?: ChangeOptions, source?: ChangeSource) =>
      changeChat(client, change as ChatChange, options, resume, source) as Promise<
        ApiResponse<ChangeOutcome<R>>
      >,
  };
}
