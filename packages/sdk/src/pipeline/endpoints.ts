import type { ClientContext } from '../client-context.ts';
import { OrgChatError } from '../errors/base.ts';
import { createJournalError } from '../errors/create-errors.ts';
import {
  ConflictError,
  createInvalidInputError,
  InvalidInputError,
  NotFoundError,
} from '../errors/refused.ts';
import { markRepeatable } from '../errors/repeatable.ts';
import { endpoints, type OperationName } from '../generated/endpoints.ts';
import { isSettled } from '../journal/entries.ts';
import type { JournalEntry } from '../journal/journal.ts';
import type { CallOptions, ChangeOptions } from '../options/options.ts';
import type { ApiResponse } from '../results/call-promise.ts';
import type { ChangeOutcome } from '../results/change-outcome.ts';
import { rememberRequestId } from '../results/request-ids.ts';
import { requireRecordGuard } from '../shapes/record-arguments.ts';
import type { ResponseShapes } from '../shapes/response-shapes.ts';
import type { ReadQuery } from '../types/read-query.ts';
import type { Account, ChatChange, RecordRef, StudioReadInput } from '../types.ts';
import { isObject } from '../values.ts';
import { CallEndedError } from '../write/call-journal.ts';
import { type Comparison, parseInput, resolveOperationId } from '../write/operation.ts';
import { deriveOperationId } from '../write/operation-id.ts';
import type { ApiRequest, Effect, WriteRequest } from './api-request.ts';
import { asWrite, createCallContext, runCall, runWrite } from './call.ts';
import type { CallContext, Resume } from './call-context.ts';
import { readEffect } from './known-intent.ts';
import { readStaleVersions } from './stale-evidence.ts';
import { useJournal } from './use-journal.ts';

/** Converts an input to the JSON text that is sent. What the caller does to the object afterwards has no effect. */
export function serializeInput(input: object | undefined): string {
  try {
    // An input that was left out is sent as an empty one: the server says what is missing.
    return JSON.stringify({ ...input });
  } catch (cause) {
    throw createInvalidInputError(
      'The input cannot be converted to JSON. Remove circular references and BigInt values. See its cause.',
      cause,
    );
  }
}

/**
 * Copies what is sent, or compared, later than it was given: what the caller does to it afterwards has no effect. It is
 * copied as it is sent.
 */
export const copyInput = <T>(input: T): T =>
  (JSON.parse(serializeInput({ input })) as { readonly input: T }).input;

/** Copies an intent. Throws if an operation id cannot be derived from it. */
export function copyIntent<T extends ChangeOptions['intent']>(intent: T): T {
  if (intent !== undefined) deriveOperationId(intent);
  return copyInput(intent);
}

function isAccount(answer: unknown): answer is Account {
  return isObject(answer) && isObject(answer.key) && isObject(answer.api);
}

type ChangeAnswer = Omit<ChangeOutcome, 'operationId' | 'applied'> & {
  readonly ok: true;
  readonly applied: boolean;
};

function isChangeAnswer(answer: unknown): answer is ChangeAnswer {
  return (
    isObject(answer) &&
    answer.ok === true &&
    ['applied', 'replayed', 'auditRecorded'].every((name) => typeof answer[name] === 'boolean')
  );
}

/** Creates the request of a change, which may read the record that the change is about. */
export function createChangeRequest(client: ClientContext, action: unknown): WriteRequest<ChangeAnswer> {
  return {
    endpoint: 'changeChat',
    kind: 'change',
    ...endpoints.changeChat,
    subject: `${action}`,
    matchesContract: isChangeAnswer,
    // A replay is the answer of an applied operation, whatever else it says.
    isApplied: ({ applied, replayed }) => applied || replayed,
    findEffect: (body, call) => readEffect(client.shapes, readOnce(client, call), body),
    toReplay: (result) => ({ ok: true, applied: true, replayed: true, auditRecorded: false, result }),
  };
}

/** Creates the state of a call that looks at the entry of a change, before it is known what the change is. */
export function createJournalContext(
  client: ClientContext,
  options: CallOptions | undefined,
): CallContext<ChangeAnswer> {
  const request = { ...createChangeRequest(client, undefined), subject: undefined };
  return createCallContext(client, request, undefined, options);
}

/**
 * The outcome of a change, with the id it was applied under. A result that is not the record is replaced by the record
 * as it is now, or left out: the change is applied either way.
 */
export async function toChangeOutcome(
  client: ClientContext,
  change: Readonly<Record<string, unknown>>,
  answered: Promise<ApiResponse<ChangeAnswer>>,
  options: CallOptions | undefined,
): Promise<ApiResponse<ChangeOutcome>> {
  const answer = await answered;
  const { ok: _, ...outcome } = answer.data;
  const { result, query } = readShapedResult(client, change, outcome.result);
  const record = query ? ((await readResult(client, query, options)) ?? result) : result;
  const { operationId = '' } = answer;
  const data: ChangeOutcome = { ...outcome, operationId, applied: true, result: record };
  // Not every method returns the answer around it.
  for (const part of [data, record]) rememberRequestId(part, answer);
  return { ...answer, data };
}

/** Returns what the `result` of an applied change has. If that breaks, the change is applied all the same. */
function readShapedResult(
  { shapes }: ClientContext,
  ...given: Parameters<ResponseShapes['toResult']>
): ReturnType<ResponseShapes['toResult']> {
  try {
    return shapes.toResult(...given);
  } catch {
    return { result: undefined };
  }
}

/** Reads the record of an applied change, once. What goes wrong here must not look as if nothing was changed. */
async function readResult(
  client: ClientContext,
  query: ReadQuery,
  options: CallOptions | undefined,
): Promise<unknown> {
  try {
    return client.shapes.toRecord(query, await readOnce(client, options)(query)).data;
  } catch {
    return undefined;
  }
}

/* The endpoints but for keyword writes (keyword-writes.ts), not typed by resource and action. */

/** Sends a read, with a query or without one. */
async function sendRead<T>(
  client: ClientContext,
  options: CallOptions | undefined,
  endpoint: OperationName,
  matchesContract: ApiRequest<T>['matchesContract'],
  query?: { readonly resource: string },
): Promise<ApiResponse<T>> {
  const { method, path } = endpoints[endpoint];
  const body = method === 'GET' ? undefined : serializeInput(query);
  const request = {
    endpoint,
    kind: 'read',
    method,
    path,
    subject: query?.resource,
    matchesContract,
  } as const;
  return runCall(createCallContext(client, request, body, options));
}

export const getAccount = (client: ClientContext, options?: CallOptions): Promise<ApiResponse<Account>> =>
  sendRead(client, options, 'getAccount', isAccount);

const readChat = (
  client: ClientContext,
  query: ReadQuery,
  options?: CallOptions,
): Promise<ApiResponse<object>> => sendRead(client, options, 'readChat', isObject, query);

/** Creates what reads the record of a change, in one attempt. */
const readOnce =
  (client: ClientContext, options: CallOptions | undefined) =>
  (query: ReadQuery): Promise<ApiResponse<object>> =>
    readChat(client, query, { ...options, retry: false });

export const readStudio = (
  client: ClientContext,
  query: StudioReadInput,
  options?: CallOptions,
): Promise<ApiResponse<object>> => {
  const { resource } = { ...query };
  // The answer has its content under the name of the resource.
  const matchesContract = (answer: unknown): answer is object =>
    isObject(answer) && (resource === 'document' ? isObject : Array.isArray)(answer[resource]);
  return sendRead(client, options, 'readStudio', matchesContract, query);
};

/** A revision that no record has. */
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

export function changeChat(...given: Parameters<typeof sendChange>): Promise<ApiResponse<ChangeOutcome>> {
  return asWrite(() => sendChange(...given));
}

async function sendChange(
  client: ClientContext,
  change: ChatChange,
  options: ChangeOptions | undefined,
  resume: Resume,
  source?: ChangeSource,
): Promise<ApiResponse<ChangeOutcome>> {
  const { record, isEdit = false, fingerprint, findEffect } = source ?? {};
  const guards = record && requireRecordGuard(record);
  // JavaScript may leave the change out: the server then says what is missing.
  const { action }: Partial<ChatChange> = { ...change };
  const request: WriteRequest<ChangeAnswer> = {
    ...createChangeRequest(client, action),
    ...(findEffect && { findEffect: (_, call) => findEffect(call) }),
    findStaleVersions: (body, call) => readStaleVersions(client.shapes, readOnce(client, call), body),
  };
  const ignoredFields = [...Object.keys(guards ?? {}), ...(isEdit ? ['data'] : [])];
  const comparison: Comparison = { ignoredFields, isEdit, fingerprint };
  const frozen = serializeInput({ ...change, ...guards });
  const answered = runWrite(client, request, frozen, options, resume, comparison);
  const answer = await toChangeOutcome(client, { ...change }, answered, options);
  if (options?.intent) markRepeatable(answer.data);
  return answer;
}

/** What a change is made from, besides the arguments of the caller. */
export interface ChangeSource {
  /** The record whose revision and label guard the change. */
  readonly record?: object | undefined;
  /** Whether the data were made from that record by an `edit()`. */
  readonly isEdit?: boolean;
  /** A text that stands for the input of the caller, if the change was made from what was read. */
  readonly fingerprint?: string | undefined;
  /** Reads what the records show, if that is more than the record of the change. */
  readonly findEffect?: ((options: CallOptions) => Promise<Effect>) | undefined;
}

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
