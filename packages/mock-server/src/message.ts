/**
 * Requests and answers as the core sees them. Every door translates into these and back, so the core knows
 * neither sockets nor `Request`, and the HTTP door never builds one.
 */
export interface PlainRequest {
  readonly method: string;
  /** Percent-encoded, without the query. */
  readonly path: string;
  /** Without its `?`; empty where there is none. */
  readonly query: string;
  /** The value of a header by its lower-case name. */
  header(name: string): string | undefined;
  readonly body: Uint8Array | string;
  /** The address of the server as the caller knows it: `http://127.0.0.1:4010`. */
  origin(): string;
  /** What a door demands of calls of the control API; undefined where the door is in this process. */
  readonly controlGuard?: ControlGuard | undefined;
  /** The body was larger than a door takes, and was not kept. */
  readonly oversized?: boolean;
}

/** Who may use the control API through a door. */
export interface ControlGuard {
  /** The bearer token it wants; undefined where it wants none. */
  readonly token: string | undefined;
  /** Only names of this machine are taken in `Host`. */
  readonly loopbackOnly: boolean;
}

export interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a door has to do: answer, reset the connection, break the body off, or do something later. */
export type Outcome =
  | {
      readonly kind: 'answer';
      readonly response: PlainResponse;
      /** A fault gave it a status that the operation does not declare. */
      readonly undeclared?: boolean;
    }
  | { readonly kind: 'reset' }
  | { readonly kind: 'cut'; readonly response: PlainResponse }
  | { readonly kind: 'later'; readonly delayMs: number; readonly resume: () => Outcome | Promise<Outcome> };
