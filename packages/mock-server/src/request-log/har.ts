import { contractVersion } from '@orgchat/spec';
import { readText } from './logged-body.ts';
import { getResponseBody, toDetail } from './request-detail.ts';
import type { Trace } from './trace.ts';

interface Pair {
  readonly name: string;
  readonly value: string;
}

/** The kept requests as an HTTP archive (HAR 1.2). Fields that begin with `_` are ours. */
export const toHar = (traces: readonly Trace[], baseUrl: string): object => ({
  log: {
    version: '1.2',
    creator: { name: 'orgchat mock server', version: contractVersion },
    // An archive has the requests of the API, and no control calls.
    entries: traces.filter(({ isRequest }) => isRequest).map((trace) => toHarEntry(trace, baseUrl)),
  },
});

export function toHarEntry(trace: Trace, baseUrl: string): object {
  const { request, response, ...entry } = toDetail(trace);
  const text = readText(trace.requestBody);
  // The time in the mock; that of the network is known to the client alone.
  const milliseconds = trace.durationUs / 1000;
  return {
    startedDateTime: entry.receivedAt,
    time: milliseconds,
    request: {
      method: entry.method,
      url: `${baseUrl}${entry.path}${request.query === '' ? '' : `?${request.query}`}`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toPairs(request.headers),
      queryString: Array.from(new URLSearchParams(request.query), ([name, value]) => ({ name, value })),
      ...(text !== undefined && {
        postData: { mimeType: request.headers['content-type'] ?? 'application/json', text },
      }),
      headersSize: -1,
      bodySize: request.bodyBytes,
    },
    response: {
      // 0: no response arrived.
      status: entry.answered ? (entry.status ?? 0) : 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toPairs(response?.headers ?? {}),
      content: {
        size: response?.bodyBytes ?? 0,
        mimeType: response?.headers['content-type'] ?? 'x-unknown',
        text: readText(getResponseBody(trace)) ?? '',
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: response?.bodyBytes ?? -1,
    },
    cache: {},
    comment: entry.decidedBy.because,
    timings: { send: 0, wait: milliseconds, receive: 0 },
    _entry: entry,
  };
}

const toPairs = (headers: Readonly<Record<string, string>>): Pair[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));
