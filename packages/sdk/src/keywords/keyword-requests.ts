import { createInvalidInputError } from '../errors/refused.ts';
import { areStrings, describeId, describeType, isObject } from '../values.ts';
import { parseOperationId } from '../write/operation-id.ts';

/** A request of a keyword import. It can be stored as JSON. */
export interface KeywordRequest {
  /** The id of its journal entry. The server does not see it. */
  readonly operationId: string;
  /** The site that it was sent to. */
  readonly siteId: string;
  /** The group that was sent with it; undefined if there was none. */
  readonly group?: string | undefined;
  /** The keywords that were sent, at most as many as one request may have. */
  readonly keywords: readonly string[];
  /**
   * - `sending`: no outcome yet. In a stored request: its process ended before it knew one.
   * - `added`: answered. The site has all of its keywords.
   * - `refused`: the server refused it as a whole. None of its keywords was added by it.
   * - `unknown`: its keywords may have been added.
   */
  readonly state: 'sending' | 'added' | 'refused' | 'unknown';
  readonly added: readonly string[];
  /** Keywords that the site had before. */
  readonly skipped: readonly string[];
  /** Why it was refused or is unknown: in this process an `OrgChatError`, and its fields once it was stored. */
  readonly error?: KeywordRequestError | undefined;
}

/** The part of an error that a stored request has at least. */
export interface KeywordRequestError {
  readonly code: string;
  readonly message: string;
  /** Of an unknown outcome: the code of the last answer or failure. */
  readonly reason?: string | undefined;
}

const states: readonly unknown[] = [
  'sending',
  'added',
  'refused',
  'unknown',
] satisfies KeywordRequest['state'][];

const describeGroup = (group: unknown): string =>
  group === undefined ? 'no group' : `the group ${describeId(group)}`;

/**
 * Returns the requests that a checkpoint read. Throws if something else was stored, or the requests of another site
 * or group: the site may lack keywords that they added, or have them in another group.
 */
export function requireRequests(value: unknown, siteId: string, group: string | undefined): KeywordRequest[] {
  if (!Array.isArray(value)) {
    throw createInvalidInputError(
      `checkpoint.read() must return an array of requests, or undefined; got ${describeType(value)}.`,
    );
  }
  return value.map((request: unknown, index) => {
    if (
      isObject(request) &&
      typeof request.siteId === 'string' &&
      areStrings(request.keywords) &&
      areStrings(request.added) &&
      areStrings(request.skipped) &&
      states.includes(request.state)
    ) {
      if (request.siteId !== siteId) {
        throw createInvalidInputError(
          `The checkpoint has requests to the site "${request.siteId}", not "${siteId}". Use one checkpoint per site. Nothing was sent.`,
        );
      }
      if ((request.group ?? undefined) !== group) {
        throw createInvalidInputError(
          `The checkpoint has requests with ${describeGroup(request.group)}, and this import has ${describeGroup(group)}. Use one checkpoint per group. Nothing was sent.`,
        );
      }
      return {
        ...(request as unknown as KeywordRequest),
        operationId: parseOperationId(`${request.operationId}`),
      };
    }
    throw createInvalidInputError(
      `Request ${index} returned by checkpoint.read() was not stored by checkpoint.write(). Nothing was sent.`,
    );
  });
}

/** Returns an answered request. What the answer does not name as added was on the site before. */
export function toAnsweredRequest(request: KeywordRequest, result: unknown): KeywordRequest {
  const { keywords } = request;
  const named: unknown = isObject(result) ? result.added : undefined;
  const addedNow = new Set(areStrings(named) ? named : []);
  return {
    ...request,
    state: 'added',
    added: keywords.filter((keyword) => addedNow.has(keyword)),
    skipped: keywords.filter((keyword) => !addedNow.has(keyword)),
  };
}
