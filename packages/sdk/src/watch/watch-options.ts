import { createInvalidInputError, requireKnown } from '../errors/refused.ts';
import { listOptions } from '../options/resolve-options.ts';
import { isUuid, uniqueIds } from '../shapes/ids.ts';
import { requireAbortSignal } from '../timing/deadline.ts';
import type { FormSubmission, FriendRef, LinkClick, Message, ReadableResource } from '../types.ts';
import { describeId, describeType, isObject } from '../values.ts';
import { memoryCursor, type WatchCursor } from './cursor.ts';

/** What to watch: at least one of these. */
export interface WatchTargets {
  /** Incoming messages: of all accounts that the key can reach, or of one account. */
  readonly messages?: true | { readonly accountId: string } | undefined;
  /** Submissions of these forms, by the ids of the forms. */
  readonly submissions?: readonly string[] | undefined;
  /** Clicks on these links, by the ids of the links. */
  readonly clicks?: readonly string[] | undefined;
}

/**
 * Options of `watch`.
 *
 * @example
 * const options: WatchOptions = { everyMs: 120_000, since: 'all' };
 * const { value } = await client.watch({ messages: true }, options).next();
 * console.log(value?.type);
 */
export interface WatchOptions {
  /** Where it is kept how far the watch got. Default: a new `memoryCursor()`, which is lost with the process. */
  readonly cursor?: WatchCursor | undefined;
  /**
   * Milliseconds from the beginning of a round to that of the next. Default: so that quiet rounds use at most 10 % of what
   * is left of the monthly quota and a fifth of the requests per minute; at least 60,000.
   */
  readonly everyMs?: number | undefined;
  /**
   * Where a watch begins whose cursor has nothing yet. `now` delivers nothing that is there already; `all` delivers what
   * the API still shows: at most 50 messages of each of 50 conversations per account, and 50 records of each form and link.
   * Default `now`.
   */
  readonly since?: 'now' | 'all' | undefined;
  /** Ends the watch: the iteration rejects with an `AbortedError` before the next event. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called once if `everyMs` is shorter than the default interval, with a sentence that has the figures. Default:
   * `process.emitWarning`, or `console.warn` where there is none.
   */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** A record that is new. */
interface NewRecord<Type extends string, Record> {
  readonly type: Type;
  /** The id of the record. It never changes, so an `intent` with it makes an effect happen once. */
  readonly id: string;
  /** When the record was made, in ISO 8601. */
  readonly at: string;
  /** The record as it was read. */
  readonly record: Record;
}

/** An incoming message. */
export interface WatchedMessage extends NewRecord<'message', Message> {
  readonly friend: FriendRef;
}

/** A submission of a form. */
export interface WatchedSubmission extends NewRecord<'submission', FormSubmission> {
  /** Who sent it, if the record says so. */
  readonly friend?: FriendRef | undefined;
}

/** A click on a link. */
export interface WatchedClick extends NewRecord<'click', LinkClick> {
  /** Who clicked, if the record says so. */
  readonly friend?: FriendRef | undefined;
}

/**
 * Records may exist that were not delivered, and that the API does not show.
 *
 * - `conversations`: all rows of the list changed, so older ones may have changed too.
 * - `messages`: all messages shown of a conversation are new, or it is gone; without `friend`, the clock of the server was set
 *   back.
 * - `form-submissions`, `link-clicks`: all records shown are new, the form or link is gone, or the clock was set back.
 */
export interface WatchGap {
  readonly type: 'gap';
  readonly resource: Extract<
    ReadableResource,
    'conversations' | 'messages' | 'form-submissions' | 'link-clicks'
  >;
  /** Records may be missing that were made at this time (ISO 8601) or later; null if they may be of any time. */
  readonly since: string | null;
  /** The friend whose messages may be missing; undefined if they may be those of several. */
  readonly friend?: FriendRef | undefined;
}

/** What a watch delivers. */
export type WatchEvent = WatchedMessage | WatchedSubmission | WatchedClick | WatchGap;

/** A watch whose arguments can be used. */
export interface ResolvedWatch {
  readonly messages: true | { readonly accountId: string } | undefined;
  readonly submissions: readonly string[];
  readonly clicks: readonly string[];
  readonly cursor: WatchCursor;
  readonly everyMs: number | undefined;
  readonly since: 'now' | 'all';
  readonly signal: AbortSignal | undefined;
  readonly onWarning: (message: string) => void;
}

const targetNames = listOptions<WatchTargets>({ messages: true, submissions: true, clicks: true });
const optionNames = listOptions<WatchOptions>({
  cursor: true,
  everyMs: true,
  since: true,
  signal: true,
  onWarning: true,
});

function requireIds(given: unknown, name: string): string[] {
  if (given === undefined) return [];
  if (!Array.isArray(given))
    throw createInvalidInputError(`${name} must be an array of ids; got ${describeType(given)}.`);
  for (const id of given) requireUuid(id, `Each of ${name}`);
  return uniqueIds(given);
}

function requireUuid(id: unknown, what: string): void {
  if (!isUuid(id)) throw createInvalidInputError(`${what} must be a UUID; got ${describeId(id)}.`);
}

function requireMessages(given: unknown): ResolvedWatch['messages'] {
  if (given === undefined || given === true) return given;
  if (!isObject(given))
    throw createInvalidInputError(
      `messages must be true or { accountId }; got ${given === false ? 'false. Leave it out' : describeType(given)}.`,
    );
  requireKnown(given, ['accountId'], 'messages');
  const { accountId } = given;
  requireUuid(accountId, 'messages.accountId');
  return { accountId: `${accountId}` };
}

function warn(message: string): void {
  const runtime: { emitWarning?(message: string, options: object): void } | undefined = globalThis.process;
  if (runtime?.emitWarning === undefined) console.warn(message);
  else runtime.emitWarning(message, { type: 'OrgChatWarning' });
}

/** Returns the arguments of a watch. Throws if one cannot be used. */
export function resolveWatch(targets: WatchTargets, options: WatchOptions = {}): ResolvedWatch {
  const given: unknown = targets;
  if (!isObject(given))
    throw createInvalidInputError(
      `watch() requires an object that says what to watch, such as { messages: true }; got ${describeType(given)}.`,
    );
  requireKnown(given, targetNames, 'the targets of watch()');
  requireKnown(options, optionNames, 'watch()');
  const { everyMs, since = 'now', signal, onWarning = warn, cursor = memoryCursor() } = options;
  const messages = requireMessages(given.messages);
  const submissions = requireIds(given.submissions, 'submissions');
  const clicks = requireIds(given.clicks, 'clicks');
  if (messages === undefined && submissions.length + clicks.length === 0)
    throw createInvalidInputError(
      'watch() has nothing to watch. Pass messages: true, or ids of forms or links.',
    );
  if (everyMs !== undefined && !(Number.isFinite(everyMs) && everyMs >= 1))
    throw createInvalidInputError(
      `everyMs must be a number of milliseconds, 1 or greater; got ${String(everyMs)}.`,
    );
  if (since !== 'now' && since !== 'all')
    throw createInvalidInputError(`since must be 'now' or 'all'; got ${describeId(since)}.`);
  if (typeof onWarning !== 'function')
    throw createInvalidInputError(`onWarning must be a function; got ${describeType(onWarning)}.`);
  if (typeof Object(cursor).open !== 'function')
    throw createInvalidInputError(
      `cursor must be a cursor, such as memoryCursor(), with a method open; got ${describeType(cursor)}.`,
    );
  if (signal) requireAbortSignal(signal);
  return { messages, submissions, clicks, cursor, everyMs, since, signal, onWarning };
}
