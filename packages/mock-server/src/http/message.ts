/**
 * Requests and responses of the pipeline. Every adapter converts to and from these, so the pipeline depends neither on
 * sockets nor on `Request`.
 */
export interface PlainRequest {
  readonly method: string;
  /** Percent-encoded, without the query. */
  readonly path: string;
  /** Without `?`; empty if there is none. */
  readonly query: string;
  /** The value of a header by its lowercase name. */
  header(name: string): string | undefined;
  /** All headers, in the form that the adapter got them. */
  readonly headers: HeaderSource;
  readonly body: Uint8Array | string;
  /** The address of the server as the caller knows it: `http://127.0.0.1:4010`. */
  origin(): string;
  /** The access rules of the control API; undefined for requests of this process. */
  readonly controlGuard?: ControlGuard | undefined;
  /** Whether the body was too large for the adapter and was not kept. */
  readonly oversized?: boolean;
  /** Called with the log entry of a request of the API, which later steps complete. */
  readonly onReceived?: ((trace: LoggedRequest) => void) | undefined;
}

/** Whether a request reads a resource. The answer to HEAD is that to GET; the adapters leave the body out. */
export const isGetOrHead = ({ method }: Pick<PlainRequest, 'method'>): boolean =>
  method === 'GET' || method === 'HEAD';

/** A request that the request log keeps. */
export interface LoggedRequest {
  /** Its `RequestLogEntry`, as it is now. */
  toEntry(): object;
}

/** Names and values in turn, as node:http gives them, or an object of `fetch`. */
export type HeaderSource = readonly string[] | Headers;

/** The access rules of the control API. */
export interface ControlGuard {
  /** The required bearer token; undefined if none is required. */
  readonly token: string | undefined;
  /** Compares a text with the token, in the same time whatever it is. */
  readonly isToken: (text: string) => boolean;
  /** Whether only names of this machine are accepted in `Host`. */
  readonly loopbackOnly: boolean;
}

export interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The headers that every answer of the API has. */
export const answerHeaders = (requestId: string): Readonly<Record<string, string>> => ({
  'Content-Type': 'application/json',
  'X-Request-Id': requestId,
});

/** A body in parts, which are read only when they can be sent. */
export interface TextStream {
  /** The next part; empty if there is none yet. */
  next(): string;
  /** Resolves when there may be another part, or none will follow. */
  wait(): Promise<void>;
  /** Whether no part will follow. */
  readonly isEnded: boolean;
  /** Text that says nothing, for when nothing was sent for a while. */
  readonly heartbeat: string;
  close(): void;
}

/** What an adapter has to do: answer, reset the connection, cut the body off, send events, or wait and resume. */
export type AdapterAction =
  | {
      readonly kind: 'answer';
      readonly response: PlainResponse;
      /** Whether a fault gave it a status that the operation does not declare. */
      readonly undeclared?: boolean;
    }
  | { readonly kind: 'reset' }
  | { readonly kind: 'cut'; readonly response: PlainResponse }
  | {
      readonly kind: 'stream';
      readonly response: Omit<PlainResponse, 'body'>;
      readonly stream: TextStream;
    }
  | {
      readonly kind: 'later';
      readonly delayMs: number;
      readonly resume: () => AdapterAction | Promise<AdapterAction>;
    };

/** Answers a request. The action is a promise only if a data file has to be written first. */
export type RequestHandler = (request: PlainRequest) => AdapterAction | Promise<AdapterAction>;

/** Headers that prevent pages of other origins from reading or running responses that are not part of the API. */
export const sameOriginHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Whether an answer with a status has no body (RFC 9110). `Response` rejects a body for them. */
export const isBodiless = (status: number): boolean => status === 204 || status === 205 || status === 304;

/** Whether a `Content-Type` says JSON. */
export const isJsonType = (type: string | undefined): boolean =>
  type !== undefined && /^\s*application\/json\s*(?:;|$)/i.test(type);
