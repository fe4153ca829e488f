import type { ErrorMeaning } from '@orgchat/sdk';
import { type ExitCode, exitCodes } from './exit-codes.ts';

interface CliErrorDetails {
  /** A stable code for scripts, in capitals. */
  readonly code: string;
  readonly exit: ExitCode;
  /** The next command, or what to change. */
  readonly hint: string;
  /** The hint without the command it names, for use by that command itself. Default: the hint. */
  readonly advice?: string | undefined;
  readonly operationId?: string | undefined;
  /** What the code of the server means, if it came from there. */
  readonly meaning?: ErrorMeaning | undefined;
  /** Lines at the end of the message. */
  readonly listed?: readonly string[] | undefined;
  /** More lines for a person; in the document they are fields of `extra`. */
  readonly details?: readonly string[] | undefined;
  /** Further fields of the error document. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

/** An error that ends a command. Anything else that is thrown is a bug. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: string;
  readonly exit: ExitCode;
  readonly hint: string;
  readonly advice: string;
  readonly operationId: string | undefined;
  readonly meaning: ErrorMeaning | undefined;
  /** The message without what it lists. */
  readonly headline: string;
  readonly listed: readonly string[];
  readonly details: readonly string[];
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(headline: string, details: CliErrorDetails) {
    const { listed = [], cause } = details;
    super(
      [headline, ...listed.map((line) => `  ${line}`)].join('\n'),
      cause === undefined ? undefined : { cause },
    );
    this.headline = headline;
    this.listed = listed;
    this.code = details.code;
    this.exit = details.exit;
    this.hint = details.hint;
    this.advice = details.advice ?? details.hint;
    this.operationId = details.operationId;
    this.meaning = details.meaning;
    this.details = details.details ?? [];
    this.extra = details.extra ?? {};
  }

  /** The same error, with its hints changed. */
  withHints(change: (hint: string) => string): CliError {
    return this.copy({ hint: change(this.hint), advice: change(this.advice) });
  }

  /** The same error, with more facts: fields of the document, and the lines that say the same to a person. */
  withFacts(extra: Readonly<Record<string, unknown>>, details: readonly string[]): CliError {
    return this.copy({ extra: { ...this.extra, ...extra }, details: [...this.details, ...details] });
  }

  private copy(changed: Partial<CliErrorDetails>): CliError {
    const { headline, code, exit, hint, advice, operationId, meaning, listed, details, extra, cause } = this;
    const same = { code, exit, hint, advice, operationId, meaning, listed, details, extra, cause };
    return new CliError(headline, { ...same, ...changed });
  }

  /** The JSON document: code, message, hint, and the operation if there is one. */
  toDocument(): { error: Record<string, unknown> } {
    return {
      error: {
        code: this.code,
        message: this.message,
        hint: this.hint,
        ...(this.operationId !== undefined && { operationId: this.operationId }),
        ...this.extra,
      },
    };
  }
}

/** An error in the command line or in a file. Nothing was sent. */
export function usageError(message: string, hint: string, code = 'USAGE'): CliError {
  return new CliError(message, { code, exit: exitCodes.usage, hint });
}

export function invalidInputError(
  message: string,
  hint: string,
  extra?: Record<string, unknown>,
  listed?: readonly string[],
): CliError {
  return new CliError(message, { code: 'INVALID_INPUT', exit: exitCodes.usage, hint, extra, listed });
}

export function notFoundError(message: string, hint: string): CliError {
  return new CliError(message, { code: 'NOT_FOUND', exit: exitCodes.notFound, hint });
}
