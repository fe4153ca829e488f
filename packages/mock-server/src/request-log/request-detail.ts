import { isUtf8 } from 'node:buffer';
import { answerHeaders } from '../http/message.ts';
import { maxLoggedBodyBytes } from '../mock-limits.ts';
import { formatStoredAnswer } from '../operations/lifecycle.ts';
import { listHeaders } from './headers.ts';
import type { KeptBody, RequestLogEntry, Trace } from './trace.ts';

/** How much of a body the log still has: all of it, the first 64 KiB, or nothing because it was dropped to make room. */
export type KeptPart = 'complete' | 'truncated' | 'dropped';

/** A body in the log. */
export interface LoggedBody {
  /** The JSON value if the whole body is JSON, otherwise its text; null if there is no body or it was dropped. */
  readonly body: unknown;
  /** The size of the body as it came, in bytes. */
  readonly bodyBytes: number;
  readonly bodyKept: KeptPart;
}

/** A request as it came. */
export interface LoggedRequest extends LoggedBody {
  /** Without `?`; empty if there was none. */
  readonly query: string;
  /** By lower-case names; keys are masked. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A response as it was made, without the headers that an adapter adds for its transport. */
export interface LoggedResponse extends LoggedBody {
  readonly headers: Readonly<Record<string, string>>;
}

/** A request in the log with headers and bodies. */
export interface RequestDetail extends RequestLogEntry {
  readonly request: LoggedRequest;
  /** Null if no response was made. A response that a fault lost is here too. */
  readonly response: LoggedResponse | null;
}

export const toDetail = (trace: Trace): RequestDetail => ({
  ...trace.toEntry(),
  request: {
    query: trace.query,
    headers: listHeaders(trace.requestHeaders, trace.requestBytes),
    ...readBody(trace),
  },
  response:
    // Every response has a status.
    trace.status === undefined
      ? null
      : {
          headers: lowerCaseNames({ ...answerHeaders(trace.requestId), ...trace.extraHeaders }),
          ...toLoggedBody(getResponseBody(trace), trace.responseBytes),
        },
});

const lowerCaseNames = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function toLoggedBody(body: KeptBody | undefined, bodyBytes: number): LoggedBody {
  const text = readText(body);
  if (text === undefined)
    return { body: null, bodyBytes, bodyKept: bodyBytes === 0 ? 'complete' : 'dropped' };
  if (bodyBytes > maxLoggedBodyBytes) return { body: text, bodyBytes, bodyKept: 'truncated' };
  // Invalid UTF-8 is not JSON, whatever its replacement characters would parse to.
  const isText = typeof body !== 'string' && body !== undefined && !isUtf8(body);
  return { body: isText ? text : parseJson(text), bodyBytes, bodyKept: 'complete' };
}

/** The body of a request. */
export const readBody = ({ requestBody, requestBytes }: Trace): LoggedBody =>
  toLoggedBody(requestBody, requestBytes);

/** The body of a response; made again if the log refers to the stored answer of a change. */
export function getResponseBody({ responseBody, replayOf }: Trace): KeptBody | undefined {
  const isStored = typeof responseBody === 'object' && 'result' in responseBody;
  return isStored ? formatStoredAnswer(responseBody, replayOf !== undefined) : responseBody;
}

/** The text of a body. A character that is cut off at the end is left out. */
export function readText(body: KeptBody | undefined): string | undefined {
  if (body === undefined || typeof body === 'string') return body;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body, {
    stream: body.byteLength >= maxLoggedBodyBytes,
  });
}

function parseJson(text: string): unknown {
  try {
    // The mock accepts JSON after a byte order mark too.
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return text;
  }
}
