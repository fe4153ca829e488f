import { isObject } from './assumed.ts';
import { type Answered, pursue, pursuitOf, type Resume, write } from './call.ts';
import { mapAnswer } from './call-promise.ts';
import type { Kind } from './classify.ts';
import type { Core } from './core.ts';
import { invalidInput } from './errors/refused.ts';
import type { OperationName } from './events.ts';
import type { Derived } from './operation.ts';
import type { CallOptions, WriteOptions } from './options.ts';
import type { ChangeOutcome } from './outcome.ts';
import type { ApiRequest, WriteRequest } from './request.ts';
import type {
  Account,
  AddKeywordsInput,
  AddKeywordsResult,
  ChatChange,
  ChatReadInput,
  StudioReadInput,
} from './types.ts';

/* The five operations of the API, untyped by resource and action: client.ts gives them their faces. */

/** The text of what is to be sent, fixed now: what the caller does to the object later plays no part. */
function freeze(input: unknown): string {
  let cause: unknown;
  try {
    const text: string | undefined = JSON.stringify(input);
    if (text) return text;
  } catch (error) {
    cause = error;
  }
  throw invalidInput('the input is not JSON', cause);
}

function isAccount(answer: unknown): answer is Account {
  return (
    isObject(answer) &&
    typeof answer.organizationId === 'string' &&
    isObject(answer.key) &&
    isObject(answer.api)
  );
}

/** Sends a read. */
const ask = <T>(core: Core, request: ApiRequest<T>, body: string, options?: CallOptions) =>
  pursue(pursuitOf(core, request, body, options));

function requestOf<K extends Kind, T>(
  operation: OperationName,
  kind: K,
  path: string,
  isPromised: ApiRequest<T>['isPromised'],
  subject?: string,
) {
  return { operation, kind, method: path === '/me' ? 'GET' : 'POST', path, isPromised, subject } as const;
}

export async function account(core: Core, options?: CallOptions): Promise<Answered<Account>> {
  return ask(core, requestOf('account', 'read', '/me', isAccount), '', options);
}

export async function readChat(
  core: Core,
  query: ChatReadInput,
  options?: CallOptions,
): Promise<Answered<object>> {
  const request = requestOf('readChat', 'read', '/chat/read', isObject, query.resource);
  return ask(core, request, freeze(query), options);
}

export async function readStudio(
  core: Core,
  query: StudioReadInput,
  options?: CallOptions,
): Promise<Answered<object>> {
  const { resource } = query;
  // The answer names what it holds as the query does.
  const isPromised = (answer: unknown): answer is object =>
    isObject(answer) && (resource === 'document' ? isObject : Array.isArray)(answer[resource]);
  const request = requestOf('readStudio', 'read', '/studio/read', isPromised, resource);
  return ask(core, request, freeze(query), options);
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
  return requestOf('changeChat', 'change', '/chat/changes', isChange, `${action}`);
}

/** The outcome of a change, with the id it was applied under. */
export function outcomeOf(answered: Promise<Answered<Change>>): Promise<Answered<ChangeOutcome>> {
  return mapAnswer(answered, ({ ok: _, ...outcome }, operationId = '') => ({ ...outcome, operationId }));
}

export async function changeChat(
  core: Core,
  change: ChatChange,
  options: WriteOptions | undefined,
  resume: Resume,
  derived?: Derived,
): Promise<Answered<ChangeOutcome>> {
  return outcomeOf(write(core, changeRequest(change.action), freeze(change), options, resume, derived));
}

function areStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isAdded(answer: unknown): answer is AddKeywordsResult {
  return isObject(answer) && areStrings(answer.added) && areStrings(answer.skipped);
}

export async function addKeywords(
  core: Core,
  siteId: string,
  input: AddKeywordsInput,
  options?: WriteOptions,
): Promise<Answered<AddKeywordsResult>> {
  // A path segment must stay one: what would climb is refused, the rest is encoded.
  if (typeof siteId !== 'string' || /^\.{0,2}$|[\ud800-\udfff]/u.test(siteId)) {
    throw invalidInput('siteId cannot be part of a path');
  }
  const path = `/sites/${encodeURIComponent(siteId)}/keywords`;
  return write(core, requestOf('addKeywords', 'keywords', path, isAdded), freeze(input), options);
}
