import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { PlainResponse } from '../http/message.ts';

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** The status for a malformed or slow HTTP request. */
export const getMalformedStatus = (error: NodeJS.ErrnoException): number => statuses[error.code ?? ''] ?? 400;

/**
 * Whether a parsed request is valid HTTP/1.1 with exactly one `Host` header, or HTTP/1.0 with at most one (RFC 9112,
 * section 3.2).
 */
export function isValidHttp({ headers, httpVersion, rawHeaders }: IncomingMessage): boolean {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return false;
  if (headers.host === undefined) return httpVersion === '1.0';
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count === 1;
}

/** Formats the last answer on a connection as raw HTTP. */
export function formatRawResponse({ status, headers, body }: PlainResponse): string {
  const length = String(Buffer.byteLength(body));
  const lines = Object.entries({ ...headers, 'Content-Length': length, Connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`;
}
