import type { RequestDetail } from '../control-api/types.ts';

/** Quotes a text for a POSIX shell. */
export const quoteForShell = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** Headers that curl sets itself, or that belong to one connection. */
const ownHeaders = new Set([
  'accept',
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'host',
  'sec-fetch-mode',
  'transfer-encoding',
  'user-agent',
]);

/** What `fetch` of Node sends by itself, which says nothing. */
const isAnyLanguage = (name: string, value: string): boolean => name === 'accept-language' && value === '*';

type SentRequest = Pick<RequestDetail, 'method' | 'path' | 'request'>;

/**
 * The command that sends a request again. The log masks keys, so the key comes from the environment. Without a body if
 * the log does not have all of it.
 */
export function toCurl({ method, path, request }: SentRequest, baseUrl: string): string {
  const query = request.query === '' ? '' : `?${request.query}`;
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${quoteForShell(method)} `}${quoteForShell(baseUrl + path + query)}`,
  ];
  if ('authorization' in request.headers) lines.push('-H "Authorization: Bearer $ORGCHAT_API_KEY"');
  for (const [name, value] of Object.entries(request.headers))
    if (!ownHeaders.has(name) && !isAnyLanguage(name, value))
      lines.push(`-H ${quoteForShell(`${name}: ${value}`)}`);
  if (request.body !== null && request.bodyKept === 'complete') {
    const body = typeof request.body === 'string' ? request.body : JSON.stringify(request.body);
    lines.push(`--data-raw ${quoteForShell(body)}`);
  }
  return lines.join(' \\\n  ');
}
