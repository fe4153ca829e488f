import { describeType } from '../values.ts';
import { OrgChatError, type Versions } from './base.ts';

/**
 * 401: the key is missing, invalid or revoked, or its organization is gone. Nothing was changed.
 *
 * @example
 * await createClient({ apiKey: 'revoked' }).account().catch((error) => {
 *   if (error instanceof AuthenticationError) console.log('The key is not valid any more.');
 * });
 */
export class AuthenticationError extends OrgChatError {
  static override readonly name: string = 'AuthenticationError';
}

/**
 * 403: the plan, the key's scope or its creator's permissions do not allow this. Nothing was changed.
 *
 * @example
 * await createClient({ apiKey: 'demo-read-key' }).tags.create({ name: 'Gold', color: 'orange' }).catch((error) => {
 *   if (error instanceof PermissionError) console.log('The key can only read.');
 * });
 */
export class PermissionError extends OrgChatError {
  static override readonly name: string = 'PermissionError';
}

/**
 * 400, or an argument that was refused before anything was sent (then `status` is undefined).
 *
 * @example
 * await client.tags.create({ name: 'x'.repeat(101), color: 'pink' }).catch((error) => {
 *   if (error instanceof InvalidInputError) console.log(error.serverMessage ?? error.message);
 * });
 */
export class InvalidInputError extends OrgChatError {
  static override readonly name: string = 'InvalidInputError';
}

/**
 * 404: the record, site, project or document does not exist, or this key cannot access it. Nothing was changed. It is
 * proven only if `meaning` is `notFound`: the server may use a code that is not known, and the message says so. An
 * outage is a `ServerError`: a 404 that means `runtimeUnavailable`, or one that is not an error document of this API.
 * For a change whose `meaning` is not `notFound`, it is thrown only for the first attempt of an id that the call made
 * itself; otherwise it is the `cause` of an `OutcomeUnknownError`.
 *
 * @example
 * const found = await client.tags.get(crypto.randomUUID()).catch((error) => {
 *   if (error instanceof NotFoundError && error.meaning === 'notFound') return undefined;
 *   throw error;
 * });
 * console.log(found);
 */
export class NotFoundError extends OrgChatError {
  static override readonly name: string = 'NotFoundError';
}

/**
 * 409, and nothing was changed: the code of the server says so (see `meaning`), or a read does. A 409 that leaves the
 * outcome open is an `OutcomeUnknownError`, with this class as its `cause`.
 *
 * @example
 * await client.tags.find({ color: 'pink' }).catch((error) => {
 *   if (error instanceof ConflictError && error.code === 'AMBIGUOUS_MATCH') console.log(error.message);
 * });
 */
export class ConflictError extends OrgChatError {
  static override readonly name: string = 'ConflictError';
}

/**
 * The record changed after it was last read: the server said so, or it answered 409 with a code that is not known and
 * a read showed it (then `versions` is set).
 *
 * @example
 * await client.tags.update(tag, { name: 'VIP', color: 'blue' });
 * await client.tags.update(tag, { name: 'VIP', color: 'pink' }).catch((error) => {
 *   if (error instanceof StaleRevisionError) console.log('Read the tag again, or use edit().');
 * });
 */
export class StaleRevisionError extends ConflictError {
  static override readonly name: string = 'StaleRevisionError';

  /**
   * The expected version, the current one and the data to be written. Set by `edit()` when it gives up, and whenever
   * the record was read because the code of the server was not known.
   */
  declare readonly versions: Versions | undefined;
}

/**
 * The operationId or intent was used with different input: the journal says so before anything is sent. If the server
 * says so of an id that was given, or after a lost answer, it is the `cause` of an `OutcomeUnknownError` with the reason
 * `intent-known`, because an earlier request with it may be applied.
 *
 * @example
 * const intent = ['order', order.id];
 * await client.tags.create({ name: 'Gold', color: 'orange' }, { intent });
 * await client.tags.create({ name: 'Silver', color: 'brown' }, { intent }).catch((error) => {
 *   if (error instanceof InputConflictError) console.log('This intent was used for something else.');
 * });
 */
export class InputConflictError extends ConflictError {
  static override readonly name: string = 'InputConflictError';
}

/**
 * 429. `retryAt` is when to try again: as the server said, or when the window of the minute limit can have moved. It is not
 * set for a used-up quota of which the server does not say when it starts again.
 *
 * @example
 * await client.account().catch((error) => {
 *   if (error instanceof RateLimitError) console.log('Again at', error.retryAt);
 * });
 */
export class RateLimitError extends OrgChatError {
  static override readonly name: string = 'RateLimitError';

  /**
   * `quota` for the monthly limit, `minute` for the limit per minute; undefined if the server does not say.
   */
  get limit(): 'minute' | 'quota' | undefined {
    if (this.meaning === 'quotaExceeded') return 'quota';
    return this.meaning === 'rateLimited' ? 'minute' : undefined;
  }
}

/** Creates the error for an argument that is refused before anything is sent. */
export function createInvalidInputError(message: string, cause?: unknown): InvalidInputError {
  return new InvalidInputError(message, { code: 'INVALID_INPUT', cause });
}

/** Creates the error for an option that cannot be used. */
export function createInvalidOptionsError(message: string): OrgChatError {
  return new OrgChatError(message, { code: 'INVALID_OPTIONS' });
}

/** Throws `INVALID_OPTIONS` for an option that does not exist: a misspelled one would silently do nothing. */
export function requireKnown(
  given: object | false | undefined,
  known: readonly string[],
  where: string,
): void {
  if (given && typeof given !== 'object') {
    throw createInvalidOptionsError(
      `${where} requires its options as an object; got ${describeType(given)}.`,
    );
  }
  const unknown = Object.keys(given || {}).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw createInvalidOptionsError(
      `"${unknown}" is not an option of ${where}. Options: ${known.join(', ')}.`,
    );
  }
}
