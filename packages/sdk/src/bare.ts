import { isObject } from './assumed.ts';
import { type Answered, pursue, pursuitOf, type Resume, write } from './call.ts';
import type { Core } from './core.ts';
import { invalidInput } from './errors/refused.ts';
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

export async function account(core: Core, options: CallOptions): Promise<Answered<Account>> {
  const isAccount = (answer: unknown): answer is Account =>
    isObject(answer) &&
    typeof answer.organizationId === 'string' &&
    isObject(answer.key) &&
    isObject(answer.api);
  const request: ApiRequest<Account> = {
    operation: 'account',
    kind: 'read',
    method: 'GET',
    path: '/me',
    send: (transport, { body: _, ...init }) => transport.GET('/me', init),
    read: (answer) => (isAccount(answer) ? answer : undefined),
  };
  return pursue(pursuitOf(core, request, '', options));
}

export async function readChat(
  core: Core,
  query: ChatReadInput,
  options: CallOptions,
): Promise<Answered<object>> {
  const request: ApiRequest<object> = {
    operation: 'readChat',
    kind: 'read',
    method: 'POST',
    path: '/chat/read',
    subject: query.resource,
    send: (transport, init) => transport.POST('/chat/read', init),
    read: (answer) => (isObject(answer) ? answer : undefined),
  };
  return pursue(pursuitOf(core, request, freeze(query), options));
}

export async function readStudio(
  core: Core,
  query: StudioReadInput,
  options: CallOptions,
): Promise<Answered<object>> {
  const { resource } = query;
  const request: ApiRequest<object> = {
    operation: 'readStudio',
    kind: 'read',
    method: 'POST',
    path: '/studio/read',
    subject: resource,
    send: (transport, init) => transport.POST('/studio/read', init),
    read: (answer) => {
      // The answer names what it holds as the query does.
      const held = isObject(answer) ? answer[resource] : undefined;
      return isObject(answer) && (resource === 'document' ? isObject(held) : Array.isArray(held))
        ? answer
        : undefined;
    },
  };
  return pursue(pursuitOf(core, request, freeze(query), options));
}

export function changeRequest(action: string): ApiRequest<ChangeOutcome> {
  return {
    operation: 'changeChat',
    kind: 'change',
    method: 'POST',
    path: '/chat/changes',
    subject: action,
    send: (transport, init) => transport.POST('/chat/changes', init),
    read: (answer, operationId) => {
      const { ok, applied, replayed, auditRecorded, result } = isObject(answer) ? answer : {};
      if (ok !== true || typeof applied !== 'boolean' || typeof replayed !== 'boolean') return undefined;
      return typeof auditRecorded === 'boolean'
        ? { operationId, applied, replayed, auditRecorded, result }
        : undefined;
    },
  };
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
  const request: ApiRequest<AddKeywordsResult> = {
    operation: 'addKeywords',
    kind: 'keywords',
    method: 'POST',
    path: `/sites/${segment(siteId)}/keywords`,
    send: (transport, init) =>
      transport.POST('/sites/{siteId}/keywords', { ...init, params: { path: { siteId } } }),
    read: (answer) => (isAdded(answer) ? answer : undefined),
  };
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
