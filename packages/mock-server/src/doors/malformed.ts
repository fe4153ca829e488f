import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { PlainResponse } from '../message.ts';

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** The status of what is no HTTP request, or was too slow. */
export const malformedStatus = (error: NodeJS.ErrnoException): number => statuses[error.code ?? ''] ?? 400;

/**
 * Whether a request that could be read is one of HTTP/1: of 1.1 or 1.0, and naming the host it is for once, or under
 * 1.0 at most once (RFC 9112, 3.2).
 */
export function isHttp({ headers, httpVersion, rawHeaders }: IncomingMessage): boolean {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return false;
  if (headers.host === undefined) return httpVersion === '1.0';
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count === 1;
}

/** An answer as the bytes of a connection that it ends. */
export function rawResponse({ status, headers, body }: PlainResponse): string {
  const length = String(Buffer.byteLength(body));
  const lines = Object.entries({ ...headers, 'Content-Length': length, Connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`;
}
