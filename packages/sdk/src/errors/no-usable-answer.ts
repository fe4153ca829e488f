import { type ConnectionFailureReason, OrgChatError } from './base.ts';

/**
 * The server answered a read with 5xx, 408, 410 or a 404 that means `runtimeUnavailable`, or the response did not come
 * from this API (`INVALID_RESPONSE`). Of `account()`, any 404: check the base URL. A 410 says that the whole address is gone,
 * such as a sandbox of the mock server, and is not retried. A write throws `OutcomeUnknownError`
 * instead, with this as its `cause`, if it may be applied. With the code `RESULT_MISSING`, a change is applied and its
 * record is not known.
 *
 * @example
 * await client.account().catch((error) => {
 *   if (error instanceof ServerError) console.log('The server failed; request', error.requestId);
 * });
 */
export class ServerError extends OrgChatError {
  static override readonly name: string = 'ServerError';
}

/**
 * No usable answer: name resolution, connection, an incomplete body, or a redirect, which is not followed (then `status`
 * is set). A write was not applied; if that is not certain, `OutcomeUnknownError` is thrown, with this as its `cause`.
 *
 * @example
 * await client.account().catch((error) => {
 *   if (error instanceof ConnectionError) console.log('The server cannot be reached:', error.systemCode);
 * });
 */
export class ConnectionError extends OrgChatError {
  static override readonly name: string = 'ConnectionError';

  /**
   */
  declare readonly reason: ConnectionFailureReason | undefined;
}

/**
 * The deadline (`timeoutMs`) passed, or no slot of the pacing is free before it. A write that may have been applied rejects
 * with `OutcomeUnknownError` instead.
 *
 * @example
 * await client.account({ timeoutMs: 5_000 }).catch((error) => {
 *   if (error instanceof DeadlineError) console.log('No answer within five seconds.');
 * });
 */
export class DeadlineError extends OrgChatError {
  static override readonly name: string = 'DeadlineError';

  /** `pacing` if no slot is free before the deadline; `retryAt` is when the next one is. */
  declare readonly waitingFor: 'pacing' | undefined;
}

/**
 * The caller's `signal` ended the call; `cause` is its reason. A write that may have been applied rejects with
 * `OutcomeUnknownError` instead.
 *
 * @example
 * const signal = AbortSignal.abort('no longer needed');
 * await client.account({ signal }).catch((error) => {
 *   if (error instanceof AbortedError) console.log(error.cause); // no longer needed
 * });
 */
export class AbortedError extends OrgChatError {
  // The name by which the web's own functions tell an abort.
  static override readonly name: string = 'AbortError';
}
