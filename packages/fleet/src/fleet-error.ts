import { toPlainCause } from './plain-cause.ts';

/** Why a store cannot be used. */
export type FleetErrorCode =
  | 'ADDRESS_GONE'
  | 'INPUT_CONFLICT'
  | 'INVALID_OPTIONS'
  | 'KEY_OF_ANOTHER_ORGANIZATION'
  | 'STORE_CREDENTIALS'
  | 'STORE_EVICTION'
  | 'STORE_FAILED'
  | 'STORE_FULL'
  | 'STORE_NOT_MIGRATED'
  | 'STORE_READ_ONLY'
  | 'STORE_UNAVAILABLE'
  | 'STORE_VERSION';

/**
 * An error of a store. Under a write of the SDK it is the `cause` of `JOURNAL_FAILED` or `PACING_FAILED`. Its own `cause`
 * has name, message, code and stack of the driver's error, and no more: that one may carry a password or a body.
 *
 * @example
 * try {
 *   await client.operations.list();
 * } catch (error) {
 *   if (error instanceof FleetError) console.error(error.code, error.systemCode);
 * }
 */
export class FleetError extends Error {
  static override readonly name: string = 'FleetError';

  override get name(): string {
    return 'FleetError';
  }

  readonly code: FleetErrorCode;
  /** What the SDK reports as `reason` of `JOURNAL_FAILED`. */
  readonly reason = 'journal-unavailable';
  /** The code of the engine (an SQLSTATE, or the first word of a Redis error) or of the operating system, if there is one. */
  readonly systemCode: string | undefined;

  constructor(
    message: string,
    details: { code: FleetErrorCode; systemCode?: string | undefined; cause?: unknown },
  ) {
    const { cause } = details;
    const plain = cause instanceof FleetError ? cause : toPlainCause(cause);
    super(message, plain === undefined ? undefined : { cause: plain });
    this.code = details.code;
    this.systemCode = details.systemCode;
  }
}
