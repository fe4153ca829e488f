import { type ErrorDetails, OrgChatError, type Versions } from './base.ts';

/** 401: the key is missing, invalid or revoked, or its organization is gone. Nothing was changed. */
export class AuthenticationError extends OrgChatError {
  static override readonly name: string = 'AuthenticationError';
}

/** 403: the plan, the key's scope or its creator's permissions do not allow this. Nothing was changed. */
export class PermissionError extends OrgChatError {
  static override readonly name: string = 'PermissionError';
}

/** 400, or an argument this package refuses before anything is sent (then `status` is undefined). */
export class InvalidInputError extends OrgChatError {
  static override readonly name: string = 'InvalidInputError';
}

/**
 * 404: the record, site, project or runtime is not there, or not for this key. Nothing was changed. For a change whose
 * `meaning` is not `notFound`, it is thrown only for the first attempt of an id that the call made itself; otherwise it
 * is the `cause` of an `OutcomeUnknownError`.
 */
export class NotFoundError extends OrgChatError {
  static override readonly name: string = 'NotFoundError';
}

/**
 * 409, refused: nothing was changed. The server's code says so (see `meaning`), or a read does. A 409 that leaves the
 * outcome open is an `OutcomeUnknownError`, with this class as its `cause`.
 */
export class ConflictError extends OrgChatError {
  static override readonly name: string = 'ConflictError';
}

/**
 * The record is no longer what was last read: the server said so, or it answered 409 with a code that is not known and
 * a read showed it (then `versions` is set).
 */
export class StaleRevisionError extends ConflictError {
  static override readonly name: string = 'StaleRevisionError';

  /**
   * What was expected, what is there now and what was to be written. Set by `edit()` when it gives up, and wherever the
   * record was read because the server's code was not known.
   */
  declare readonly versions: Versions | undefined;
}

/** The operationId belongs to another input; said by the server, or by the journal before anything is sent. */
export class InputConflictError extends ConflictError {
  static override readonly name: string = 'InputConflictError';
}

/** 429. `retryAt` is set where the server said when, or where the wait did not fit the deadline. */
export class RateLimitError extends OrgChatError {
  static override readonly name: string = 'RateLimitError';

  /** `quota` for the month, `minute` for the minute; undefined where the server does not tell. */
  get limit(): 'minute' | 'quota' | undefined {
    if (this.meaning === 'quotaExceeded') return 'quota';
    return this.meaning === 'rateLimited' ? 'minute' : undefined;
  }
}

/** What this package refuses before anything is sent. */
export function invalidInput(message: string, cause?: unknown): InvalidInputError {
  return new InvalidInputError(message, { code: 'INVALID_INPUT', cause });
}

/**
 * A try of an `edit()` was refused as stale by an earlier run of its intent, so its id is spent. `edit()` takes the next
 * one; nobody else sees this error.
 */
export class SpentTryError extends OrgChatError {}

/** What this package refuses of an operation before anything is sent. */
export function operationRefused(
  type: new (message: string, details: ErrorDetails) => OrgChatError,
  code: string,
  operationId: string,
  why: string,
  retryAt?: Date,
): OrgChatError {
  const meaning = code === 'INPUT_CONFLICT' ? ('inputConflict' as const) : undefined;
  const details = { code, meaning, operationId, retryAt };
  return new type(`operation ${operationId} ${why}; nothing was sent`, details);
}
