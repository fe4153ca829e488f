import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { escapeLine } from '../output/escape.ts';
import { writeError } from '../output/streams.ts';

interface Started {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Writes one line per request to stderr. Node reports the requests, so reset and cut responses are included. */
export function logRequests(): void {
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as Started;
    const startedAt = performance.now();
    const { method = '', url = '' } = request;
    const [path = ''] = url.split('?');
    // Calls of the control API are not requests of the client under test.
    if (path.startsWith('/_mock')) return;
    response.once('close', () => {
      const outcome = response.writableFinished ? String(response.statusCode) : 'aborted';
      const time = new Date().toISOString().slice(11, 23);
      writeError(
        `${time} ${escapeLine(`${method} ${path}`)} ${outcome} ${Math.round(performance.now() - startedAt)} ms\n`,
      );
    });
  });
}
