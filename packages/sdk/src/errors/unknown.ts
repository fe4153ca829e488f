import type { ChangeOutcome } from '../outcome.ts';
import { type ErrorDetails, nameClass, OrgChatError } from './base.ts';

/**
 * A write whose outcome is not known: it may be applied. Never thrown for a read, nor where the server refused or
 * the request provably never left. For a change, `resume()` finishes it with the same operationId and bytes; a
 * keyword write cannot be asked about: check the site's keywords.
 */
export class OutcomeUnknownError extends OrgChatError {
  static {
    nameClass(OutcomeUnknownError, 'OutcomeUnknownError');
  }

  readonly #resume: (() => Promise<ChangeOutcome>) | undefined;

  constructor(message: string, details: ErrorDetails, resume?: () => Promise<ChangeOutcome>) {
    super(message, details);
    this.#resume = resume;
  }

  /** Whether `resume()` can ask again: true for changes, false for keyword writes. */
  get resumable(): boolean {
    return this.#resume !== undefined;
  }

  /** Sends the same operation again, once the way is clear; resolves or throws as the change itself would. */
  resume(): Promise<ChangeOutcome> {
    return this.#resume === undefined ? Promise.reject(this) : this.#resume();
  }
}

/** The server itself does not know the outcome of this operation and blocks it. It is never polled. */
export class UncertainOperationError extends OutcomeUnknownError {
  static {
    nameClass(UncertainOperationError, 'UncertainOperationError');
  }
}
