import { isObject } from './assumed.ts';
import { type Answered, type Resume, read, write } from './call.ts';
import type { Core } from './core.ts';
import { InvalidInputError } from './errors/index.ts';
import type { JournalEntry } from './journal/journal.ts';
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

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** The text of what is to be sent, fixed now: what the caller does to the object later plays no part. */
export function freeze(input: unknown): string {
  try {
    const text: string | undefined = JSON.stringify(input);
    if (text !== undefined) return text;
  } catch (cause) {
    throw new InvalidInputError({
      code: 'INVALID_INPUT',
      message: 'the input cannot be written as JSON',
      cause,
    });
  }
  throw new InvalidInputError({ code: 'INVALID_INPUT', message: 'there is no input' });
}

const accountRequest: ApiRequest<Account> = {
  operation: 'account',
  kind: 'read',
  method: 'GET',
  path: '/me',
  send: (transport, _body, init) => transport.GET('/me', { ...init }),
  read: (answer) => (isAccount(answer) ? answer : undefined),
};

function isAccount(answer: unknown): answer is Account {
  return (
    isObject(answer) &&
    typeof answer.organizationId === 'string' &&
    isObject(answer.key) &&
    isObject(answer.api)
  );
}

export async function account(core: Core, options: CallOptions): Promise<Answered<Account>> {
  return read(core, accountRequest, '', options);
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
    send: (transport, body, init) => transport.POST('/chat/read', { ...init, body }),
    read: (answer) => (isObject(answer) ? answer : undefined),
  };
  return read(core, request, freeze(query), options);
}

const studioKeys = { projects: 'projects', documents: 'documents', document: 'document' } as const;

export async function readStudio(
  core: Core,
  query: StudioReadInput,
  options: CallOptions,
): Promise<Answered<object>> {
  const key = studioKeys[query.resource];
  const isPromised = (answer: unknown): answer is object =>
    isObject(answer) && (query.resource === 'document' ? isObject(answer[key]) : Array.isArray(answer[key]));
  const request: ApiRequest<object> = {
    operation: 'readStudio',
    kind: 'read',
    method: 'POST',
    path: '/studio/read',
    subject: query.resource,
    send: (transport, body, init) => transport.POST('/studio/read', { ...init, body }),
    read: (answer) => (isPromised(answer) ? answer : undefined),
  };
  return read(core, request, freeze(query), options);
}

function changeRequest(action: string): ApiRequest<ChangeOutcome> {
  return {
    operation: 'changeChat',
    kind: 'change',
    method: 'POST',
    path: '/chat/changes',
    subject: action,
    send: (transport, body, init) => transport.POST('/chat/changes', { ...init, body }),
    read: outcomeOf,
  };
}

function outcomeOf(answer: unknown, operationId: string): ChangeOutcome | undefined {
  if (!isObject(answer) || answer.ok !== true) return undefined;
  const { applied, replayed, auditRecorded, result } = answer;
  if (typeof applied !== 'boolean' || typeof replayed !== 'boolean' || typeof auditRecorded !== 'boolean')
    return undefined;
  return { operationId, applied, replayed, auditRecorded, result };
}

/** The change in a journaled body. */
export function changeIn(body: string): Record<string, unknown> {
  const parsed: unknown = JSON.parse(body);
  return isObject(parsed) && isObject(parsed.change) ? parsed.change : {};
}

/** The request an entry of the journal is sent by again. */
export function journaledRequest(entry: JournalEntry): ApiRequest<ChangeOutcome> {
  return changeRequest(String(changeIn(entry.body).action));
}

/** `derived` names the fields the caller did not give: they play no part when a known operation is recognized. */
export async function changeChat(
  core: Core,
  change: ChatChange,
  options: WriteOptions,
  resume: Resume,
  derived: readonly string[] = [],
): Promise<Answered<ChangeOutcome>> {
  const frozen = freeze(change);
  const request = changeRequest(change.action);
  const given = (fields: Record<string, unknown>): string =>
    canonicalJson(Object.fromEntries(Object.entries(fields).filter(([name]) => !derived.includes(name))));
  const intended = {
    kind: 'change' as const,
    path: request.path,
    body: (operationId: string) => `{"operationId":"${operationId}","change":${frozen}}`,
    same: (body: string) => given(changeIn(body)) === given(changeIn(intended.body(''))),
  };
  return write(core, request, intended, options, resume);
}

/** A path segment that stays one: it is encoded, and one that would climb is refused. */
function segment(name: string, value: string): string {
  if (
    typeof value === 'string' &&
    value !== '' &&
    value !== '.' &&
    value !== '..' &&
    !/[\ud800-\udfff]/u.test(value)
  ) {
    return encodeURIComponent(value);
  }
  throw new InvalidInputError({ code: 'INVALID_INPUT', message: `${name} cannot be part of a path` });
}

export async function addKeywords(
  core: Core,
  siteId: string,
  input: AddKeywordsInput,
  options: WriteOptions,
): Promise<Answered<AddKeywordsResult>> {
  const frozen = freeze(input);
  const request: ApiRequest<AddKeywordsResult> = {
    operation: 'addKeywords',
    kind: 'keywords',
    method: 'POST',
    path: `/sites/${segment('siteId', siteId)}/keywords`,
    send: (transport, body, init) =>
      transport.POST('/sites/{siteId}/keywords', { ...init, params: { path: { siteId } }, body }),
    read: (answer) => (isAdded(answer) ? answer : undefined),
  };
  const intended = {
    kind: 'keywords' as const,
    path: request.path,
    body: () => frozen,
    same: (body: string) => canonicalJson(JSON.parse(body)) === canonicalJson(JSON.parse(frozen)),
  };
  return write(core, request, intended, options);
}

function isAdded(answer: unknown): answer is AddKeywordsResult {
  return isObject(answer) && isStrings(answer.added) && isStrings(answer.skipped);
}
