import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { plainLine } from '../output/plain.ts';
import { writeError } from '../streams.ts';

interface Started {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** One line a request on stderr. Node itself tells of them, so a reset or cut answer has its line too. */
export function logRequests(): void {
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as Started;
    const begun = performance.now();
    const { method = '', url = '' } = request;
    const [path = ''] = url.split('?');
    // The control API is the tester's own doing.
    if (path.startsWith('/_mock')) return;
    response.once('close', () => {
      const outcome = response.writableFinished ? String(response.statusCode) : 'broken off';
      const time = new Date().toISOString().slice(11, 23);
      writeError(
        `${time} ${plainLine(`${method} ${path}`)} ${outcome} ${Math.round(performance.now() - begun)} ms\n`,
      );
    });
  });
}
