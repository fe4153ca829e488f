import type { ClientEvent } from '../events/events.ts';
import type { Logger } from '../events/log-events.ts';
import type { ServerDescription } from '../generated/server-description.ts';
import type { Journal } from '../journal/journal.ts';
import type { RetryOptions } from '../retry/retry-delay.ts';
import type { PacingOptions } from '../timing/shared-pacing.ts';
import type { HeadersOption } from './request-headers.ts';

/**
 * Options of `createClient`.
 *
 * @example
 * const options: ClientOptions = { baseUrl: 'https://example.com/api/v1', timeoutMs: 30_000 };
 * createClient(options);
 */
export interface ClientOptions {
  /**
   * The organization's API key. Never for browser code. Default: `ORGCHAT_API_KEY` of the environment.
   */
  readonly apiKey?: string | undefined;
  /**
   * Base URL of the API, up to and including `/api/v1`. Default: `ORGCHAT_BASE_URL` of the environment.
   */
  readonly baseUrl?: string | undefined;
  /** The language of the server's error messages, and of nothing else. Default `en`. */
  readonly language?: 'en' | 'ja' | undefined;
  /** Headers of every request, such as `traceparent` or a `User-Agent` of your own. Default: none. */
  readonly headers?: HeadersOption | undefined;
  /**
   * One deadline for a whole call, in milliseconds: attempts, waits and bodies. Default 60,000. Only the default does not
   * count the wait for a slot of the pacing: a `timeoutMs` that you pass counts it, even 60,000.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * How long one attempt may take, in milliseconds. Then it is aborted, and repeated where that is safe. Default 20,000.
   */
  readonly attemptTimeoutMs?: number | undefined;
  /**
   * How often and how fast calls are retried; false sends every request once. Default: 4 attempts. The fields of
   * `RetryOptions` have the defaults of the delays.
   */
  readonly retry?: false | Partial<RetryOptions> | undefined;
  /**
   * Requests per minute, shared by all clients of this process with the same base URL and key. Default 60. With
   * `shared`, all processes that use its store share them.
   */
  readonly pacing?: false | PacingOptions | undefined;
  /**
   * Describes what the contract does not show of the server: its error codes and how it frames records. What the
   * description does not say is as the decisions say; nothing is guessed (DECISIONS.md, D76 and D96).
   */
  readonly server?: ServerDescription | undefined;
  /**
   * Maximum size of a response in bytes, after decompression. Default 33,554,432 (32 MiB). A larger response ends the
   * call with `RESPONSE_TOO_LARGE`, a write with an unknown outcome.
   */
  readonly maxResponseBytes?: number | undefined;
  /** Where writes are recorded before they are sent. Default: `memoryJournal()`. */
  readonly journal?: Journal | undefined;
  /**
   * Replaces the global `fetch`, for example to run code around each attempt. Default: the global one. It is called with
   * one `Request`, which it must send at most once; its `signal` ends the attempt. If it fails after it read the request
   * and before it sent it, it throws an error with `sent: false`. In Node it need not say so if it did not read the request.
   */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /**
   * More options for the global `fetch`, such as `{ dispatcher: new ProxyAgent(url) }` of undici, `{ proxy: url }` of Bun
   * or `{ client }` of Deno. Not together with `fetch`.
   */
  readonly fetchOptions?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Logs calls, without key, headers and bodies: one line per call as `info`, each step as `debug`, and unknown outcomes
   * as `warn`. Default: stderr if the environment variable `ORGCHAT_LOG` is `info` or `debug`, otherwise nothing.
   */
  readonly logger?: Logger | undefined;
  /**
   * Called for every request, attempt, wait and outcome. Errors that it throws or rejects with are ignored.
   */
  readonly onEvent?: ((event: ClientEvent) => void) | undefined;
}

/**
 * Options of every call. They override those of the client.
 *
 * @example
 * const quick: CallOptions = { timeoutMs: 2_000, retry: false };
 * await client.tags.list(quick);
 */
export interface CallOptions {
  /** Ends the call at once: in the queue, in a wait, in an attempt or while a body is read. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The deadline of this call, in milliseconds; it covers everything, the wait for a slot of the pacing included.
   * Default: that of the client.
   */
  readonly timeoutMs?: number | undefined;
  /** How long one attempt of this call may take, in milliseconds. Default: that of the client. */
  readonly attemptTimeoutMs?: number | undefined;
  /**
   * How often and how fast this call is retried; false sends one request. Default: that of the client.
   */
  readonly retry?: false | Partial<RetryOptions> | undefined;
  /** Headers of the requests of this call, besides those of the client. One that is undefined is not sent. */
  readonly headers?: HeadersOption | undefined;
  /** The language of the server's error messages for this call. Default: that of the client. */
  readonly language?: 'en' | 'ja' | undefined;
}

/** A part of an intent, from which an operation id is derived: a value that JSON can represent exactly. */
export type IntentPart =
  | string
  | number
  | boolean
  | null
  | readonly IntentPart[]
  | { readonly [key: string]: IntentPart };

/**
 * Options of every write. Give `operationId` or `intent`, not both.
 *
 * @example
 * const once: WriteOptions = { intent: ['set-up', 'gold'], timeoutMs: 30_000 };
 * await client.tags.create({ name: 'Gold', color: 'orange' }, once);
 */
export interface WriteOptions extends CallOptions {
  /** The id of the change, a UUID; not together with `intent`. Default: a random one. */
  readonly operationId?: string | undefined;
  /**
   * What the change is for. The id is derived from it, so a script that runs twice applies the change once.
   */
  readonly intent?: readonly IntentPart[] | undefined;
  /**
   * A text that says what the change is, such as the command that makes it. The journal entry keeps it. If the journal
   * has an operation with this id and this text, it is this operation: its bytes are sent again, even if the input of
   * this call is different because it was made from what was read in the meantime. An edit whose function depends on other
   * values needs one: an intent that was used for an edit with another text is then refused with `INPUT_CONFLICT`.
   */
  readonly fingerprint?: string | undefined;
  /**
   * Waits while another call has the operation in progress, for example in another process with the same journal. It looks
   * again after pauses of 10 ms to 1 s, within its deadline. False rejects with `OPERATION_IN_FLIGHT` at once. Default true.
   */
  readonly waitForOther?: boolean | undefined;
}

/**
 * Options of every change.
 *
 * @example
 * const once: ChangeOptions = { intent: ['order', order.id, 'welcome'], acceptKnownIntent: true };
 * await client.friends.enroll(friend, scenario, once);
 */
export interface ChangeOptions extends WriteOptions {
  /**
   * Resolves, instead of rejecting with the reason `intent-known`, if the server knows the intent with other input. The
   * same goes for an operation id. An earlier call with it, perhaps on another machine, handled this before. "Handled before" includes
   * "not finished yet": that call may be uncertain or still running, and it may have done something else. Then `replayed`
   * is true, `auditRecorded` false, and `result` the record as it is now, or undefined. Default false.
   */
  readonly acceptKnownIntent?: boolean | undefined;
}
