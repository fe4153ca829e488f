import type { ChangeOutcome } from '../results/change-outcome.ts';
import { OrgChatError } from './base.ts';

/**
 * A write whose outcome is not known: it may be applied. Thrown whenever the answer does not prove that the write was
 * applied or refused, even for a 409 whose code is not known; `reason` and `cause` say what happened. Never thrown
 * for a read, nor if the request provably never left. For a change, `resume()` finishes it with the same operationId
 * and bytes; a keyword write cannot be asked about: check the site's keywords.
 *
 * @example
 * await client.tags.create({ name: 'Gold', color: 'orange' }).catch((error) => {
 *   if (error instanceof OutcomeUnknownError) console.log('It may be applied:', error.operationId);
 *   throw error;
 * });
 */
export class OutcomeUnknownError extends OrgChatError {
  static override readonly name: string = 'OutcomeUnknownError';

  /**
   * Why the outcome is unknown, if `code` does not say it: the code of the last answer or failure, such as
   * `CONNECTION_LOST`, `DEADLINE_EXCEEDED` or `HTTP_503`. `intent-known`: the server knows the id or intent with other
   * input, so an earlier call with it was applied, is uncertain or is still running; then nothing sends it again by
   * itself. Also in `toJSON()`, the journal entry and the `outcome` event.
   */
  declare readonly reason: string | undefined;

  /**
   * Sends the same change again, with the same bytes and operation id. Resolves or rejects like the change itself, so
   * call it when the server can be reached again. Undefined for a keyword write: the server cannot tell a second one
   * from the first. Undefined, too, if `reason` is `intent-known`: the answer would be the same.
   *
   * @example
   * await client.tags.create({ name: 'Gold', color: 'orange' }).catch(async (error) => {
   *   if (error instanceof OutcomeUnknownError && error.resume) return error.resume(); // the same bytes, the same id
   *   throw error;
   * });
   */
  declare readonly resume: (() => Promise<ChangeOutcome>) | undefined;
}

/**
 * The server itself does not know the outcome of this operation and blocks it (`meaning` is `uncertain`), even if this
 * was the first attempt: a gateway may have sent the request twice. A single call never polls it; `upsert()` without an
 * intent asks again.
 *
 * @example
 * await client.tags.create({ name: 'Gold', color: 'orange' }).catch(async (error) => {
 *   if (!(error instanceof UncertainOperationError)) throw error;
 *   console.log(await client.operations.reconcile(error)); // the server does not know it either
 * });
 */
export class UncertainOperationError extends OutcomeUnknownError {
  static override readonly name: string = 'UncertainOperationError';
}
