import { STATUS_CODES } from 'node:http';
import type { PlainResponse } from '../message.ts';

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** What is written to a connection whose bytes are no HTTP request, or were too slow. */
export function malformedText(
  error: NodeJS.ErrnoException,
  malformed: (status: number) => PlainResponse,
): string {
  const { status, headers, body } = malformed(statuses[error.code ?? ''] ?? 400);
  const length = String(Buffer.byteLength(body));
  const lines = Object.entries({ ...headers, 'Content-Length': length, Connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`;
}
