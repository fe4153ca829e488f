import { OrgChatError } from './base.ts';

/**
 * Whether the same call can never succeed: the event it is made from, or its arguments, are wrong. It takes what a call
 * rejected with, of whatever type, and returns true in two cases:
 *
 * - The SDK refused an argument, and sent nothing: `code` is `INVALID_INPUT`, and `status` is undefined.
 * - The server refused the write, or a read before it: `meaning` is `invalidInput` or `notFound`.
 *
 * Anything else may pass: a limit, an outage, a key that does not work now, a conflict, a code that is not known, an error
 * that is not of this package. If `outcome` is `applied` or `unknown`, the same call with the same intent finds out.
 *
 * @example
 * try {
 *   await client.tags.get('nothing');
 * } catch (error) {
 *   console.log(isFinal(error) ? 'Give up.' : 'Try again later.');
 * }
 */
export function isFinal(error: unknown): boolean {
  if (!(error instanceof OrgChatError)) return false;
  const { code, meaning, outcome, status } = error;
  if (outcome === 'applied' || outcome === 'unknown') return false;
  // With a status, the code is the server's, which may mean anything.
  const isArgument = code === 'INVALID_INPUT' && status === undefined;
  return isArgument || meaning === 'invalidInput' || meaning === 'notFound';
}
