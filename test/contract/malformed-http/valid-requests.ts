import { demoKeys } from '@orgchat/mock-server';

/* Valid requests that the malformed ones are built from. */

const host = 'Host: localhost';
export const bearer = (key: string): string => `Authorization: Bearer ${key}`;

/** Joins the lines of a request head with CRLF and ends it with an empty line. */
export const head = (...lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`;

export const me = head('GET /api/v1/me HTTP/1.1', host, bearer(demoKeys.read));

/** Head lines of a POST with a key, without its length. */
export const posting = (path: string, key: string): string[] => [
  `POST /api/v1${path} HTTP/1.1`,
  host,
  bearer(key),
];

export function post(path: string, key: string, body: string | Buffer): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from(head(...posting(path, key), `Content-Length: ${bytes.length}`)), bytes]);
}

const smuggledBody = JSON.stringify({
  operationId: '66666666-6666-4666-8666-666666666666',
  change: { action: 'create-tags', data: { name: 'Smuggled', color: 'brown' } },
});
/** A valid change hidden behind a malformed request. The server must never apply it. */
export const smuggled = post('/chat/changes', demoKeys.write, smuggledBody).toString();

/** A valid read. */
export const reading = '{"resource":"tags","limit":1}';
