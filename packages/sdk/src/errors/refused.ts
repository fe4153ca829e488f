import { type ErrorDetails, nameClass, OrgChatError } from './base.ts';

/** 401: the key is missing, invalid or revoked, or its organization is gone. Nothing was changed. */
export class AuthenticationError extends OrgChatError {
  static {
    nameClass(AuthenticationError, 'AuthenticationError');
  }
}

/** 403: the plan, the key's scope or its creator's permissions do not allow this. Nothing was changed. */
export class PermissionError extends OrgChatError {
  static {
    nameClass(PermissionError, 'PermissionError');
  }
}

/** 400, or an argument this package refuses before anything is sent (then `status` is undefined). */
export class InvalidInputError extends OrgChatError {
  static {
    nameClass(InvalidInputError, 'InvalidInputError');
  }
}

/** 404: the record, site, project or runtime is not there, or not for this key. Nothing was changed. */
export class NotFoundError extends OrgChatError {
  static {
    nameClass(NotFoundError, 'NotFoundError');
  }
}

/**
 * 409, refused: nothing was changed. Not thrown where a 409 leaves the outcome open: that is an
 * `OutcomeUnknownError`.
 */
export class ConflictError extends OrgChatError {
  static {
    nameClass(ConflictError, 'ConflictError');
  }
}

/** Both versions of a record that changed between its read and its write. */
export interface Versions {
  /** The record the change was made from. */
  readonly expected: unknown;
  /** The record as it is now. */
  readonly current: unknown;
  /** The data that was to be written. */
  readonly data: unknown;
}

/** The record is no longer what was last read. From `edit()` it carries `versions`. */
export class StaleRevisionError extends ConflictError {
  static {
    nameClass(StaleRevisionError, 'StaleRevisionError');
  }

  /** What was read, what is there now and what was to be written; set by `edit()` when it gives up. */
  readonly versions: Versions | undefined;

  constructor(message: string, details: ErrorDetails, versions?: Versions) {
    super(message, details);
    this.versions = versions;
  }
}

/** The operationId belongs to another input; said by the server, or by the journal before anything is sent. */
export class InputConflictError extends ConflictError {
  static {
    nameClass(InputConflictError, 'InputConflictError');
  }
}

/** 429. `retryAt` is set where the server said when, or where the wait did not fit the deadline. */
export class RateLimitError extends OrgChatError {
  static {
    nameClass(RateLimitError, 'RateLimitError');
  }

  /** `quota` for the month, `minute` for the minute; undefined where the server does not tell. */
  get limit(): 'minute' | 'quota' | undefined {
    if (this.code === 'QUOTA_EXCEEDED') return 'quota';
    return this.code === 'RATE_LIMITED' ? 'minute' : undefined;
  }
}

/** What this package refuses before anything is sent. */
export function invalidInput(message: string, cause?: unknown): InvalidInputError {
  return new InvalidInputError(message, { code: 'INVALID_INPUT', cause });
}
