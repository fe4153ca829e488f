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

/** 404: the record, site, project or runtime is not there, or not for this key. Nothing was changed. */
export class NotFoundError extends OrgChatError {
  static override readonly name: string = 'NotFoundError';
}

/**
 * 409, refused: nothing was changed. Not thrown where a 409 leaves the outcome open: that is an
 * `OutcomeUnknownError`.
 */
export class ConflictError extends OrgChatError {
  static override readonly name: string = 'ConflictError';
}

/** The record is no longer what was last read. From `edit()` it carries `versions`. */
export class StaleRevisionError extends ConflictError {
  static override readonly name: string = 'StaleRevisionError';

  /** What was read, what is there now and what was to be written; set by `edit()` when it gives up. */
  declare readonly versions: Versions | undefined;
}

/** The operationId belongs to another input; said by the server, or by the journal before anything is sent. */
export class InputConflictError extends ConflictError {
  static override readonly name: string = 'InputConflictError';
}

const limits: Readonly<Record<string, 'minute' | 'quota'>> = {
  QUOTA_EXCEEDED: 'quota',
  RATE_LIMITED: 'minute',
};

/** 429. `retryAt` is set where the server said when, or where the wait did not fit the deadline. */
export class RateLimitError extends OrgChatError {
  static override readonly name: string = 'RateLimitError';

  /** `quota` for the month, `minute` for the minute; undefined where the server does not tell. */
  get limit(): 'minute' | 'quota' | undefined {
    return limits[this.code];
  }
}

/** What this package refuses before anything is sent. */
export function invalidInput(message: string, cause?: unknown): InvalidInputError {
  return new InvalidInputError(message, { code: 'INVALID_INPUT', cause });
}

/** What this package refuses of an operation before anything is sent. */
export function operationRefused(
  type: new (message: string, details: ErrorDetails) => OrgChatError,
  code: string,
  operationId: string,
  why: string,
  retryAt?: Date,
): OrgChatError {
  return new type(`operation ${operationId} ${why}; nothing was sent`, { code, operationId, retryAt });
}
