/** What an error knows. Everything here is safe to log: no key, no headers, no bodies. */
export interface ErrorDetails {
  readonly code: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly operationId?: string | undefined;
  readonly attempts?: number | undefined;
  readonly retryAt?: Date | undefined;
  readonly serverMessage?: string | undefined;
  readonly cause?: unknown;
}

/** Names a class for whoever reads its errors: bundlers rename classes, and a stack begins with this. */
export function nameClass(type: { readonly prototype: { name: string } }, name: string): void {
  type.prototype.name = name;
}

type Inspect = (value: unknown, options?: object) => string;

/**
 * The base of every error this package throws, so `error instanceof OrgChatError` catches all of them. It is not
 * thrown for a mistake in your own callbacks: what the function given to `edit()` throws stays as it is.
 */
export class OrgChatError extends Error {
  static {
    nameClass(OrgChatError, 'OrgChatError');
  }

  /** Stable and independent of the language: the server's code, or one of this package's own. */
  declare readonly code: string;
  /** The status of the last answer; undefined where none arrived. */
  declare readonly status: number | undefined;
  /** `X-Request-Id` of the last answer: what support asks for. */
  declare readonly requestId: string | undefined;
  /** The operation of a write. */
  declare readonly operationId: string | undefined;
  /** How many requests were sent. */
  declare readonly attempts: number;
  /** When another try makes sense, where the server or the pacing says so. */
  declare readonly retryAt: Date | undefined;
  /** The server's text, in the language asked for. For people; decide by `code`. */
  declare readonly serverMessage: string | undefined;

  constructor(message: string, { cause, ...facts }: ErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, { attempts: 0 }, facts);
  }

  /** The facts, without stack and cause. */
  toJSON(): Record<string, unknown> {
    const { name, message, ...facts } = this;
    return { name, message, ...facts };
  }

  [Symbol.for('nodejs.util.inspect.custom')](_depth: number, options: object, inspect: Inspect): string {
    const facts = Object.entries(this).filter(([, value]) => value !== undefined);
    const because =
      this.cause instanceof Error ? `\n  [cause]: ${this.cause.name}: ${this.cause.message}` : '';
    return `${this.stack} ${inspect(Object.fromEntries(facts), options)}${because}`;
  }
}
