import { OrgChatError } from './base.ts';

/**
 * Whether a call was refused for what it is, so that the same call is refused again. It takes what a call rejected with, of
 * whatever type, and returns true in two cases:
 *
 * - The SDK refused an argument, and sent nothing: `code` is `INVALID_INPUT`, and `status` is undefined.
 * - The server refused the write, or a read before it: `meaning` is `invalidInput` or `notFound`.
 *
 * Anything else may pass: a limit, an outage, a key that does not work now, a conflict, a code that is not known, an error
 * that is not of this package. If `outcome` is `applied` or `unknown`, the same call with the same intent finds out.
 *
 * What was refused may be accepted once something else has changed: a record that the call names exists, there is room for
 * one more tag, or a function of `edit()` makes other data of the record. So log what you give up.
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
  if (code === 'INVALID_INPUT' && status === undefined) return true;
  return outcome !== 'abandoned' && (meaning === 'invalidInput' || meaning === 'notFound');
}
