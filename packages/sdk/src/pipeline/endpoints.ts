import type { ClientContext } from '../client-context.ts';
import { markRepeatable } from '../errors/repeatable.ts';
import { endpoints, type OperationName } from '../generated/endpoints.ts';
import type { CallOptions, ChangeOptions } from '../options/options.ts';
import type { ApiResponse } from '../results/call-promise.ts';
import type { ChangeOutcome } from '../results/change-outcome.ts';
import { rememberRequestId } from '../results/request-ids.ts';
import { requireRecordGuard } from '../shapes/record-arguments.ts';
import type { ResponseShapes } from '../shapes/response-shapes.ts';
import type { ReadQuery } from '../types/read-query.ts';
import type { Account, ChatChange, StudioReadInput } from '../types.ts';
import { isObject } from '../values.ts';
import { serializeInput } from '../write/input.ts';
import type { Comparison } from '../write/operation.ts';
import type { ApiRequest, Effect, WriteRequest } from './api-request.ts';
import { asWrite, createCallContext, runCall, runWrite } from './call.ts';
import type { CallContext, Resume } from './call-context.ts';
import { readEffect } from './known-intent.ts';
import { readStaleVersions } from './stale-evidence.ts';

function isAccount(answer: unknown): answer is Account {
  return isObject(answer) && isObject(answer.key) && isObject(answer.api);
}

export type ChangeAnswer = Omit<ChangeOutcome, 'operationId' | 'applied'> & {
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

export const readChat = (
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
