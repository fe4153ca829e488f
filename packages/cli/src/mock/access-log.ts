import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestLogEntry, RequestMessage } from '@orgchat/mock-server';
import { escapeLine } from '../output/escape.ts';
import { writeError } from '../output/streams.ts';
import { splitSandboxPath } from './sandbox-path.ts';

export const accessLogFormats = ['text', 'json', 'off'] as const;
export type AccessLogFormat = (typeof accessLogFormats)[number];

interface StartedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** What is known about a request once it has ended. */
export interface EndedRequest {
  readonly endedAt: Date;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The status that was sent; null if the connection ended before the answer was complete. */
  readonly status: number | null;
  readonly durationMs: number;
  /** Undefined for a request that the API does not know, such as `GET /openapi.yaml`. */
  readonly entry: RequestLogEntry | undefined;
}

const isControlCall = (path: string): boolean => /^\/_mock(?:\/|$)/.test(splitSandboxPath(path).rest);

/** One line of text: method, path, status and duration, then what the request did. */
function formatText({ endedAt, method, path, status, durationMs, entry }: EndedRequest): string {
  const { sandboxId } = splitSandboxPath(path);
  const words = [
    endedAt.toISOString().slice(11, 23),
    method,
    path,
    status === null ? 'aborted' : String(status),
    `${durationMs} ms`,
    entry?.operation,
    entry?.action,
    entry?.resource,
    entry?.error,
    entry?.applied ? 'applied' : undefined,
    entry?.replayOf ? 'replayed' : undefined,
    ...(entry?.faults ?? []).map((fault) => `fault=${fault}`),
    sandboxId === undefined ? undefined : `sandbox=${sandboxId}`,
  ];
  return escapeLine(words.filter((word) => word !== undefined && word !== null).join(' '));
}

/** One line of JSON. Every line has every field. */
function formatJson({ endedAt, method, path, status, durationMs, entry }: EndedRequest): string {
  return JSON.stringify({
    time: endedAt.toISOString(),
    method,
    path,
    status,
    durationMs,
    requestId: entry?.requestId ?? null,
    operation: entry?.operation ?? null,
    action: entry?.action ?? null,
    resource: entry?.resource ?? null,
    operationId: entry?.operationId ?? null,
    code: entry?.error ?? null,
    applied: entry?.applied ?? false,
    replayed: (entry?.replayOf ?? null) !== null,
    faults: entry?.faults ?? [],
    sandbox: splitSandboxPath(path).sandboxId ?? null,
  });
}

/** Writes one line per request to stderr. Node reports the requests, so reset and cut responses are included. */
export function logRequests(format: Exclude<AccessLogFormat, 'off'>): void {
  const entries = new WeakMap<RequestMessage['response'], RequestMessage['getEntry']>();
  const toLine = format === 'json' ? formatJson : formatText;
  subscribe('orgchat.mock.request', (message) => {
    const { response, getEntry } = message as RequestMessage;
    entries.set(response, getEntry);
  });
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as StartedRequest;
    const startedAt = performance.now();
    const { method = '', url = '' } = request;
    const [path = ''] = url.split('?');
    // Calls of the control API are not requests of the client under test.
    if (isControlCall(path)) return;
    response.once('close', () => {
      const line = toLine({
        endedAt: new Date(),
        method,
        path,
        status: response.writableFinished ? response.statusCode : null,
        durationMs: Math.round(performance.now() - startedAt),
        entry: entries.get(response)?.(),
      });
      writeError(`${line}\n`);
    });
  });
}
