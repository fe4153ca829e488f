import { endpoints, type OperationName } from '../generated/endpoints.ts';
import { type ConnectionFailureReason, type ErrorDetails, type ErrorOutcome, OrgChatError } from './base.ts';
import { OutcomeUnknownError } from './outcome-unknown.ts';
import type { Redactor } from './redact.ts';
import { NotFoundError } from './refused.ts';

/** What a message says about the request it is about. */
export interface RequestFacts {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The action of a change or the resource of a read. */
  readonly subject?: string | undefined;
}

type Part = string | number | undefined;

/** Joins the parts that there are by spaces. */
export function joinParts(...parts: readonly Part[]): string {
  return parts.filter((part) => part !== undefined).join(' ');
}

/** Formats the end of a message: `(POST /chat/changes create-tags: 503 BUSY)`. */
export function formatRequest({ method, path, subject }: RequestFacts, ...codes: readonly Part[]): string {
  return `(${joinParts(method, path, subject)}: ${joinParts(...codes)})`;
}

/**
 * An earlier run of an `edit()` made this attempt, and it was refused as stale. Its operation id cannot be used again,
 * so `edit()` continues with the next one. No caller sees this error.
 */
export class EarlierAttemptStaleError extends OrgChatError {}

/** What an error says about a write that is in the journal. */
interface JournaledWrite {
  readonly operationId: string;
  readonly kind: 'change' | 'keywords';
  readonly path: string;
}

/** The endpoint of each kind of write. */
const endpointByKind = { change: 'changeChat', keywords: 'addSeoKeywords' } as const;

/** Creates the error for an operation that is refused before anything is sent. `why` completes the sentence. */
export function createOperationError(
  type: new (message: string, details: ErrorDetails) => OrgChatError,
  code: string,
  { operationId, kind, path }: JournaledWrite,
  why: string,
  outcome: ErrorOutcome,
  retryAt?: Date,
): OrgChatError {
  const meaning = code === 'INPUT_CONFLICT' ? 'inputConflict' : undefined;
  const operation = endpointByKind[kind];
  const where = formatRequest({ method: endpoints[operation].method, path }, code);
  const details = { code, operation, meaning, operationId, outcome, retryAt } as const;
  return new type(`Operation ${operationId} ${why}. Nothing was sent. ${where}`, details);
}

/** Creates the error for an operation whose journal entry cannot be used. */
export function createUnusableEntryError({
  operationId,
  location,
  message,
}: {
  readonly operationId?: string | undefined;
  readonly location: string;
  readonly message: string;
}): OrgChatError {
  const where = location === operationId ? '' : ` in ${location}`;
  return new OrgChatError(
    `The journal entry of operation ${operationId}${where} cannot be used, so nothing was sent: ${message}`,
    { code: 'JOURNAL_FAILED', reason: 'journal-entry-unusable', operationId, outcome: 'unknown' },
  );
}

/** Creates the error for an operation that the journal does not have. */
export function createUnknownOperationError(operationId: string): NotFoundError {
  const message = `Operation ${operationId} is not in the journal for this base URL and API key. Nothing was sent. operations.list() returns what is in it.`;
  return new NotFoundError(message, { code: 'UNKNOWN_OPERATION', operationId });
}

/** Creates the error for a write that is called after `drain()`. */
export function createDrainingError(operationId: string): OrgChatError {
  const code = 'CLIENT_DRAINING';
  const message = `Operation ${operationId} was not started: the client accepts no writes after operations.drain(). Nothing was sent. (${code})`;
  return new OrgChatError(message, { code, operationId, outcome: 'abandoned' });
}

/** Creates the error for a write that the journal could not record, so that it was not sent. */
export function createJournalError(
  { redactor }: { readonly redactor: Redactor },
  request: RequestFacts & { readonly endpoint: OperationName },
  operationId: string,
  cause: unknown,
): OrgChatError {
  // The journals of this project give their errors a reason.
  const { reason = 'journal-unavailable' } = Object(cause) as { readonly reason?: string };
  const code = 'JOURNAL_FAILED';
  const why = redactor.text(cause instanceof Error ? cause.message : String(cause));
  const what = `The journal could not record operation ${operationId}, so nothing was sent: ${why}`;
  return new OrgChatError(`${what} ${formatRequest(request, code)}`, {
    code,
    operation: request.endpoint,
    reason,
    operationId,
    outcome: 'abandoned',
    cause,
  });
}

/** The reason of an unknown outcome that no later request can settle: the server knows the id with other input. */
export const intentKnown = 'intent-known';

/** What it means that the server knows the id of a write with other input. */
export const knownIntentText =
  'The server knows this id or intent with other input: an earlier call with it was applied, is uncertain, or is still running. Read the records to see what it did.';

/** What an error says about an operation of the journal whose id the server knows with other input. */
interface KnownIntent {
  readonly operationId: string;
  readonly error?:
    | { readonly status?: number | undefined; readonly requestId?: string | undefined }
    | undefined;
}

/** Creates the error for an operation of the journal whose id the server knows with other input. */
export function createKnownIntentError({ operationId, error }: KnownIntent): OutcomeUnknownError {
  const message = `Operation ${operationId} may or may not have been applied. ${knownIntentText} Nothing was sent.`;
  return new OutcomeUnknownError(message, {
    code: 'OUTCOME_UNKNOWN',
    reason: intentKnown,
    outcome: 'unknown',
    operation: 'changeChat',
    operationId,
    status: error?.status,
    requestId: error?.requestId,
  });
}

/** Error codes of Node, Bun and undici by what they say. Deno and workerd have none. */
const reasons: readonly (readonly [ConnectionFailureReason, RegExp])[] = [
  ['dns', /ENOTFOUND|EAI_/],
  ['refused', /REFUSED/i],
  ['unreachable', /UNREACH/],
  ['timeout', /TIMED?OUT/],
  ['tls', /CERT|UNABLE_TO|TLS|SSL|EPROTO/],
  ['proxy', /PROXY|PRX/],
  ['closed', /ECONNRESET|EPIPE|SOCKET|CLOSED/i],
];

/**
 * Returns the error code of the system in a chain of causes; a DOMException has a number there, which does not count.
 */
export function findSystemCode(cause: unknown, depth = 10): string | undefined {
  // Causes may form a circle.
  if (!(cause instanceof Error) || depth === 0) return undefined;
  return 'code' in cause && typeof cause.code === 'string'
    ? cause.code
    : findSystemCode(cause.cause, depth - 1);
}

/**
 * Returns why a request had no answer, by the error code of the system; undefined if the code says nothing about it.
 */
export function findConnectionReason(systemCode: string | undefined): ConnectionFailureReason | undefined {
  return systemCode === undefined ? undefined : reasons.find(([, codes]) => codes.test(systemCode))?.[0];
}
