import { OrgChatError } from '@orgchat/sdk';

/*
 * Which error, which status. A sender delivers again until it gets 2xx or 422.
 *
 * | error                                                                        | status |
 * | ---------------------------------------------------------------------------- | ------ |
 * | the SDK refused an argument: `INVALID_INPUT` without a status                | 422    |
 * | the server refused the write, or the read before it, and `meaning` is final  | 422    |
 * | any other                                                                    | 503    |
 *
 * An argument is what the event has. What a function of `edit()` makes of a record may be right the next time.
 *
 * An outage, a limit, a key that does not work now, another delivery in progress, and a code that is not known all come
 * again: an order that comes once too often is applied once, and one that never comes again is lost.
 */

/** The meanings that say that this order is wrong, and not the moment. */
const finalMeanings: readonly unknown[] = ['invalidInput', 'notFound'];

/** Returns the status that answers a delivery whose handling failed. */
export function decideStatus(error: unknown): 422 | 503 {
  if (!(error instanceof OrgChatError)) return 503;
  const { code, meaning, outcome, status } = error;
  // The server refused the write or, without an outcome, the read before it.
  const isRefused = outcome === 'refused' || outcome === undefined;
  if (isRefused && finalMeanings.includes(meaning)) return 422;
  // The SDK refused an argument, which the next delivery would have, too, and sent nothing.
  const isUnsent = outcome === 'abandoned' || outcome === undefined;
  return isUnsent && code === 'INVALID_INPUT' && status === undefined ? 422 : 503;
}
