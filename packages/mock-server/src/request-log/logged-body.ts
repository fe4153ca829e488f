import { maxLoggedBodyBytes } from '../mock-limits.ts';
import { isTooDeep } from '../primitives/bounded-json.ts';
import { decodeUtf8 } from '../primitives/platform.ts';

/** A body as it came. A string is a text that the mock has anyway; it is encoded only if someone asks. */
export type KeptBody = Uint8Array | string;

/** How much of a body the log still has: all of it, the first 64 KiB, or nothing because it was dropped to make room. */
export type KeptPart = 'complete' | 'truncated' | 'dropped';

/** A body in the log. */
export interface LoggedBody {
  /** The JSON value if the whole body is JSON with at most 100 levels, otherwise its text; null if there is no body or it was dropped. */
  readonly body: unknown;
  /** The size of the body as it came, in bytes. */
  readonly bodyBytes: number;
  readonly bodyKept: KeptPart;
}

export function toLoggedBody(body: KeptBody | undefined, bodyBytes: number): LoggedBody {
  const text = readText(body);
  if (text === undefined)
    return { body: null, bodyBytes, bodyKept: bodyBytes === 0 ? 'complete' : 'dropped' };
  if (bodyBytes > maxLoggedBodyBytes) return { body: text, bodyBytes, bodyKept: 'truncated' };
  // Invalid UTF-8 is not JSON, whatever its replacement characters would parse to. Without any, it is valid.
  const isText = body instanceof Uint8Array && text.includes('\ufffd') && decodeUtf8(body) === undefined;
  return { body: isText ? text : parseJson(text), bodyBytes, bodyKept: 'complete' };
}

/** A body for a reader of the log, who may write it as JSON: one that has too many levels for that is a text. */
export function toShownBody(body: KeptBody | undefined, bodyBytes: number): LoggedBody {
  const logged = toLoggedBody(body, bodyBytes);
  return isTooDeep(logged.body) ? { ...logged, body: readText(body) } : logged;
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
