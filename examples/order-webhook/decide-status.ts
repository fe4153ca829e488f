import { OrgChatError } from '@orgchat/sdk';

/*
 * Which error, which status. A sender delivers again until it gets 2xx or 422.
 *
 * | the write                         | meaning of the error       | status                              |
 * | --------------------------------- | -------------------------- | ----------------------------------- |
 * | refused, or none was sent         | `invalidInput`, `notFound` | 422: no delivery can succeed        |
 * | refused, or none was sent         | any other, or none         | 503: the next delivery may succeed  |
 * | applied, abandoned or unknown     | any                        | 503: the next delivery finds out    |
 *
 * An outage, a limit, a key that does not work now, another delivery in progress, and a code that is not known all come
 * again: an order that comes once too often is applied once, and one that never comes again is lost.
 */

/** The meanings that say that this order is wrong, and not the moment. */
const finalMeanings: readonly unknown[] = ['invalidInput', 'notFound'];

/** Returns the status that answers a delivery whose handling failed. */
export function decideStatus(error: unknown): 422 | 503 {
  if (!(error instanceof OrgChatError)) return 503;
  const { outcome, meaning } = error;
  const isDecided = outcome === 'refused' || outcome === undefined;
  return isDecided && finalMeanings.includes(meaning) ? 422 : 503;
}
