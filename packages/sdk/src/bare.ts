import { isObject } from './assumed.ts';
import { type Answered, pursue, pursuitOf, type Resume, write } from './call.ts';
import { mapAnswer } from './call-promise.ts';
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
  isPromised: ApiRequest<T>['isPromised'],
  subject?: string,
): ApiRequest<T> {
  return { operation, kind, method: path === '/me' ? 'GET' : 'POST', path, send, isPromised, subject };
}

function isAccount(answer: unknown): answer is Account {
  return (
    isObject(answer) &&
    typeof answer.organizationId === 'string' &&
    isObject(answer.key) &&
    isObject(answer.api)
  );
}

export async function account(core: Core, options: CallOptions): Promise<Answered<Account>> {
  const path = '/me';
  const request = requestOf(
    'account',
    'read',
    path,
    (to, { body: _, ...init }) => to.GET(path, init),
    isAccount,
  );
  return pursue(pursuitOf(core, request, '', options));
}

export async function readChat(
  core: Core,
  query: ChatReadInput,
  options: CallOptions,
): Promise<Answered<object>> {
  const path = '/chat/read';
  const request = requestOf(
    'readChat',
    'read',
    path,
    (to, init) => to.POST(path, init),
    isObject,
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
  const request = requestOf(
    'readStudio',
    'read',
    path,
    (to, init) => to.POST(path, init),
    isPromised,
    resource,
  );
  return pursue(pursuitOf(core, request, freeze(query), options));
}

type Change = Omit<ChangeOutcome, 'operationId'>;

function isChange(answer: unknown): answer is Change {
  return (
    isObject(answer) &&
    answer.ok === true &&
    ['applied', 'replayed', 'auditRecorded'].every((name) => typeof answer[name] === 'boolean')
  );
}

export function changeRequest(action: unknown): ApiRequest<Change> {
  const path = '/chat/changes';
  return requestOf('changeChat', 'change', path, (to, init) => to.POST(path, init), isChange, `${action}`);
}

/** The outcome of a change, with the id it was applied under. */
export function outcomeOf(answered: Promise<Answered<Change>>): Promise<Answered<ChangeOutcome>> {
  return mapAnswer(answered, ({ applied, replayed, auditRecorded, result }, operationId = '') => ({
    operationId,
    applied,
    replayed,
    auditRecorded,
    result,
  }));
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
  const frozen = freeze(change);
  const bodyOf = (operationId: string): string => `{"operationId":"${operationId}","change":${frozen}}`;
  const given = (body: string): string =>
    canonicalJson(
      Object.entries(changeIn(body))
        .filter(([name]) => !derived.includes(name))
        .sort(),
    );
  return outcomeOf(write(core, changeRequest(change.action), bodyOf, given, options, resume));
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
  options: WriteOptions,
): Promise<Answered<AddKeywordsResult>> {
  // A path segment must stay one: what would climb is refused, the rest is encoded.
  if (typeof siteId !== 'string' || /^\.{0,2}$|[\ud800-\udfff]/u.test(siteId)) {
    throw invalidInput('siteId cannot be part of a path');
  }
  const frozen = freeze(input);
  const request = requestOf(
    'addKeywords',
    'keywords',
    `/sites/${encodeURIComponent(siteId)}/keywords`,
    (to, init) => to.POST('/sites/{siteId}/keywords', { ...init, params: { path: { siteId } } }),
    isAdded,
  );
  return write(
    core,
    request,
    () => frozen,
    (body) => canonicalJson(JSON.parse(body)),
    options,
  );
}
