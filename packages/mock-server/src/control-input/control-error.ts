/** Thrown for an invalid control call, with what is wrong and where. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  readonly code: string;
  /** Further fields of the answer beside code and message. */
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, extra: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.extra = extra;
  }
}

/** Creates a 404 that names what was not found. */
export const notFound = (missing: string, advice?: string): ControlError =>
  new ControlError(404, 'NOT_FOUND', [`There is no ${missing}.`, advice].filter(Boolean).join(' '));

export const invalid = (message: string): ControlError => new ControlError(400, 'INVALID_INPUT', message);
