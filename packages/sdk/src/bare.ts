import { isObject } from './assumed.ts';
import { type Answered, pursue, pursuitOf, type Resume, write } from './call.ts';
import type { Kind } from './classify.ts';
import type { Core } from './core.ts';
import { invalidInput } from './errors/refused.ts';
import type { OperationName } from './events.ts';
import { canonicalJson } from './operation-id.ts';
import type { CallOptions, WriteOptions } from './options.ts';
import type { ChangeOutcome } from './outcome.ts';
import type { ApiRequest } from './request.ts';
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
  throw invalidInput('the input cannot be written as JSON', cause);
}

function requestOf<T>(
  operation: OperationName,
  kind: Kind,
  path: string,
  send: ApiRequest<T>['send'],
  read: ApiRequest<T>['read'],
  subject?: string,
): ApiRequest<T> {
  return { operation, kind, method: kind === 'read' && !subject ? 'GET' : 'POST', path, subject, send, read };
}

export async function account(core: Core, options: CallOptions): Promise<Answered<Account>> {
  const isAccount = (answer: unknown): answer is Account =>
    isObject(answer) &&
    typeof answer.organizationId === 'string' &&
    isObject(answer.key) &&
    isObject(answer.api);
  const request = requestOf(
    'account',
    'read',
    '/me',
    (transport, { body: _, ...init }) => transport.GET('/me', init),
    (answer) => (isAccount(answer) ? answer : undefined),
  );
  return pursue(pursuitOf(core, request, '', options));
}

export async function readChat(
  core: Core,
  query: ChatReadInput,
  options: CallOptions,
): Promise<Answered<object>> {
  const path = '/chat/read';
  const request = requestOf<object>(
    'readChat',
    'read',
    path,
    (transport, init) => transport.POST(path, init),
    (answer) => (isObject(answer) ? answer : undefined),
    query.resource,
  );
  return pursue(pursuitOf(core, request, freeze(query), options));
}

export async function readStudio(
  core: Core,
  query: StudioReadInput,
  options: CallOptions,
): Promise<Answered<object>> {
  const path = '/studio/read';
  const { resource } = query;
  // The answer names what it holds as the query does.
  const isPromised = (answer: unknown): answer is object =>
    isObject(answer) && (resource === 'document' ? isObject : Array.isArray)(answer[resource]);
  const request = requestOf<object>(
    'readStudio',
    'read',
    path,
    (transport, init) => transport.POST(path, init),
    (answer) => (isPromised(answer) ? answer : undefined),
    resource,
  );
  return pursue(pursuitOf(core, request, freeze(query), options));
}

export function changeRequest(action: string): ApiRequest<ChangeOutcome> {
  const path = '/chat/changes';
  return requestOf(
    'changeChat',
    'change',
    path,
    (transport, init) => transport.POST(path, init),
    (answer, operationId) => {
      const { ok, applied, replayed, auditRecorded, result } = isObject(answer) ? answer : {};
      return ok === true && isBoolean(applied) && isBoolean(replayed) && isBoolean(auditRecorded)
        ? { operationId, applied, replayed, auditRecorded, result }
        : undefined;
    },
    action,
  );
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

/** The change in a journaled body. */
export function changeIn(body: string): Record<string, unknown> {
  const { change } = JSON.parse(body);
  return isObject(change) ? change : {};
}

/** `derived` names the fields the caller did not give: they play no part when a known operation is recognized. */
export async function changeChat(
  core: Core,
  change: ChatChange,
  options: WriteOptions,
  resume: Resume,
  derived: readonly string[] = [],
): Promise<Answered<ChangeOutcome>> {
  const request = changeRequest(change.action);
  const frozen = freeze(change);
  const bodyOf = (operationId: string): string => `{"operationId":"${operationId}","change":${frozen}}`;
  const given = (body: string): string =>
    canonicalJson(
      Object.entries(changeIn(body))
        .filter(([name]) => !derived.includes(name))
        .sort(),
    );
  const intended = { request, body: bodyOf, same: (body: string) => given(body) === given(bodyOf('')) };
  return write(core, request, intended, options, resume);
}

/** A path segment that stays one: it is encoded, and one that would climb is refused. */
function segment(value: string): string {
  if (typeof value !== 'string' || /^\.{0,2}$|[\ud800-\udfff]/u.test(value)) {
    throw invalidInput('siteId cannot be part of a path');
  }
  return encodeURIComponent(value);
}

export async function addKeywords(
  core: Core,
  siteId: string,
  input: AddKeywordsInput,
  options: WriteOptions,
): Promise<Answered<AddKeywordsResult>> {
  const isAdded = (answer: unknown): answer is AddKeywordsResult =>
    isObject(answer) && areStrings(answer.added) && areStrings(answer.skipped);
  const request = requestOf(
    'addKeywords',
    'keywords',
    `/sites/${segment(siteId)}/keywords`,
    (transport, init) =>
      transport.POST('/sites/{siteId}/keywords', { ...init, params: { path: { siteId } } }),
    (answer) => (isAdded(answer) ? answer : undefined),
  );
  const frozen = freeze(input);
  const intended = {
    request,
    body: () => frozen,
    same: (body: string) => canonicalJson(JSON.parse(body)) === canonicalJson(JSON.parse(frozen)),
  };
  return write(core, request, intended, options);
}

function areStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
