import { isObject, isResultOf } from './assumed.ts';
import { pursue, write } from './call.ts';
import { type Answered, mapAnswer } from './call-promise.ts';
import type { Core } from './core.ts';
import type { Versions } from './errors/base.ts';
import { invalidInput } from './errors/refused.ts';
import type { OperationName } from './events.ts';
import type { Derived } from './operation.ts';
import type { CallOptions, WriteOptions } from './options.ts';
import type { ChangeOutcome } from './outcome.ts';
import { pursuitOf, type Resume } from './pursuit.ts';
import type { ApiRequest, WriteRequest } from './request.ts';
import { findStaleVersions, recordQueryOf } from './stale-evidence.ts';
import type {
  Account,
  AddKeywordsInput,
  AddKeywordsResult,
  ChatChange,
  ChatReadInput,
  StudioReadInput,
} from './types.ts';

/** The text of what is to be sent, fixed now: what the caller does to the object later plays no part. */
function freeze(input: object | undefined): string {
  try {
    // An input left out is an empty one, of which the server says what is missing.
    return JSON.stringify({ ...input });
  } catch (cause) {
    throw invalidInput('input is not JSON', cause);
  }
}

function isAccount(answer: unknown): answer is Account {
  return isObject(answer) && isObject(answer.key) && isObject(answer.api);
}

type Change = Omit<ChangeOutcome, 'operationId'> & { readonly ok: true };

function isChange(answer: unknown): answer is Change {
  return (
    isObject(answer) &&
    answer.ok === true &&
    ['applied', 'replayed', 'auditRecorded'].every((name) => typeof answer[name] === 'boolean')
  );
}

export function changeRequest(action: unknown): WriteRequest<Change> {
  const path = '/chat/changes';
  return {
    operation: 'changeChat',
    kind: 'change',
    method: 'POST',
    path,
    subject: `${action}`,
    isPromised: isChange,
    // A replay is the answer of an applied operation, whatever else it says.
    isApplied: ({ applied, replayed }) => applied || replayed,
  };
}

/** The outcome of a change, with the id it was applied under, and without a result of another shape. */
export function outcomeOf(
  action: unknown,
  answered: Promise<Answered<Change>>,
): Promise<Answered<ChangeOutcome>> {
  return mapAnswer(answered, ({ ok: _, ...outcome }, operationId = '') => {
    const result = isResultOf(`${action}`, outcome.result) ? outcome.result : undefined;
    return Object.assign(outcome, { operationId, applied: true, result });
  });
}

function areStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isAdded(answer: unknown): answer is AddKeywordsResult {
  return isObject(answer) && areStrings(answer.added) && areStrings(answer.skipped);
}

/* The five operations of the API, untyped by resource and action: client.ts gives them their faces. */

/** Sends a read: a query, or none. */
async function ask<T>(
  core: Core,
  options: CallOptions | undefined,
  operation: OperationName,
  path: string,
  isPromised: ApiRequest<T>['isPromised'],
  query?: { readonly resource: string },
): Promise<Answered<T>> {
  const method = operation === 'account' ? 'GET' : 'POST';
  const body = method === 'GET' ? undefined : freeze(query);
  const request = { operation, kind: 'read', method, path, subject: query?.resource, isPromised } as const;
  return pursue(pursuitOf(core, request, body, options));
}

export const account = (core: Core, options?: CallOptions): Promise<Answered<Account>> =>
  ask(core, options, 'account', '/me', isAccount);

export const readChat = (
  core: Core,
  query: ChatReadInput,
  options?: CallOptions,
): Promise<Answered<object>> => ask(core, options, 'readChat', '/chat/read', isObject, query);

export const readStudio = (
  core: Core,
  query: StudioReadInput,
  options?: CallOptions,
): Promise<Answered<object>> => {
  const { resource } = { ...query };
  // The answer names what it holds as the query does.
  const isPromised = (answer: unknown): answer is object =>
    isObject(answer) && (resource === 'document' ? isObject : Array.isArray)(answer[resource]);
  return ask(core, options, 'readStudio', '/studio/read', isPromised, query);
};

/** Reads the record of a guarded change once; both versions if they prove that the change was stale. */
async function readStaleVersions(
  core: Core,
  body: string,
  options: CallOptions,
): Promise<Versions | undefined> {
  const { change } = JSON.parse(body);
  const query = recordQueryOf(change);
  if (query === undefined) return undefined;
  const { data } = await readChat(core, query as ChatReadInput, { ...options, retry: false });
  return findStaleVersions(change, 'record' in data ? data.record : undefined);
}

export async function changeChat(
  core: Core,
  change: ChatChange,
  options: WriteOptions | undefined,
  resume: Resume,
  derived?: Derived,
): Promise<Answered<ChangeOutcome>> {
  const request: WriteRequest<Change> = {
    ...changeRequest(change.action),
    findStaleVersions: (body, call) => readStaleVersions(core, body, call),
  };
  return outcomeOf(change.action, write(core, request, freeze(change), options, resume, derived));
}

export async function addKeywords(
  core: Core,
  siteId: string,
  input: AddKeywordsInput,
  options?: WriteOptions,
): Promise<Answered<AddKeywordsResult>> {
  // A path segment must stay one: what would climb is refused, the rest is encoded.
  if (typeof siteId !== 'string' || /^\.{0,2}$|[\ud800-\udfff]/u.test(siteId)) {
    throw invalidInput('siteId cannot be in a path');
  }
  const path = `/sites/${encodeURIComponent(siteId)}/keywords`;
  const request = {
    operation: 'addKeywords',
    kind: 'keywords',
    method: 'POST',
    path,
    isPromised: isAdded,
  } as const;
  return write(core, request, freeze(input), options);
}
