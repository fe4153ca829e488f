import type { ErrorCode, Language } from '@orgchat/spec';
import { errorCatalogue, errorMessage } from '@orgchat/spec';

/** What an answer has to add to the message of its code, in each language. */
export type Detail = Readonly<Record<Language, string>> | ((language: Language) => string);

/**
 * A step's decision to answer with an error. It is thrown so that a pipeline of steps reads as one line; it is
 * no `Error`, because nobody needs its stack and collecting one costs more than the whole request.
 */
export class Refusal {
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly #detail: Detail | undefined;

  constructor(
    code: ErrorCode,
    detail?: Detail,
    options: { status?: number; headers?: Readonly<Record<string, string>> } = {},
  ) {
    this.code = code;
    this.status = options.status ?? errorCatalogue[code].statuses[0];
    this.headers = options.headers ?? {};
    this.#detail = detail;
  }

  message(language: Language): string {
    const detail = typeof this.#detail === 'function' ? this.#detail(language) : this.#detail?.[language];
    return errorMessage(this.code, language, detail);
  }
}
