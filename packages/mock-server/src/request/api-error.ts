import type { ErrorCode, Language } from '@orgchat/spec';
import { errorCatalog, errorMessage } from '@orgchat/spec';
import type { Cause } from '../why/cause.ts';

/** Text added to the message of the code, in each language. */
export type Detail = Readonly<Record<Language, string>> | ((language: Language) => string);

/**
 * An error answer of the API. A step throws it to end the request. It does not extend `Error`: its stack is not needed,
 * and collecting one costs more than the whole request.
 */
export class ApiError {
  readonly code: ErrorCode;
  readonly status: number;
  /** The code to send instead: one that the contract does not have, and a description of a server cannot replace. */
  readonly ownCode: string | undefined;
  /** Why, for the request log. */
  readonly cause: Cause;
  /** Headers beside those that every answer has. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly #detail: Detail | undefined;

  constructor(
    code: ErrorCode,
    cause: Cause,
    detail?: Detail,
    options: { status?: number; ownCode?: string; headers?: Readonly<Record<string, string>> } = {},
  ) {
    this.code = code;
    this.cause = cause;
    this.status = options.status ?? errorCatalog[code].statuses[0];
    this.ownCode = options.ownCode;
    this.headers = options.headers;
    this.#detail = detail;
  }

  message(language: Language): string {
    const detail = typeof this.#detail === 'function' ? this.#detail(language) : this.#detail?.[language];
    return errorMessage(this.code, language, detail);
  }
}
