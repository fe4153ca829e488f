import { connect } from 'node:net';
import type { MalformedRequest } from './malformed-request.ts';
import { parseResponses, type Response } from './parse-responses.ts';

/** Longer than any response takes on a busy machine, and shorter than the server's request timeout. */
const hungMs = 50_000;

/** Sends a malformed request. Returns what is wrong with the response. */
export async function sendMalformed(port: number, request: MalformedRequest): Promise<string | undefined> {
  const received = await exchange(port, request);
  if (received === undefined) return 'nothing came back, and the connection stayed open';
  // A client that disconnects may get part of a response, or none.
  if (request.clientEnd === 'reset') return undefined;
  const { responses, rest } = parseResponses(received);
  if (rest.length > 0) return `no response: ${rest.subarray(0, 500).toString('latin1')}`;
  if (responses.length > request.answers.length)
    return `${responses.length} responses: ${responses.map(({ status }) => status).join(', ')}`;
  if (responses.length < request.minAnswers) return `only ${responses.length} responses`;
  for (const [i, response] of responses.entries()) {
    const wrong = problemOf(response, request.answers[i] ?? []);
    if (wrong !== undefined) return `${wrong}: ${response.status} ${response.body.slice(0, 500)}`;
  }
  return undefined;
}

function problemOf({ status, headers, body }: Response, allowed: readonly number[]): string | undefined {
  if (!allowed.includes(status)) return `the status is not among ${allowed.join(', ')}`;
  if (!headers.get('x-request-id')) return 'no X-Request-Id';
  if (status < 300) return undefined;
  if (headers.get('content-type') !== 'application/json') return 'the error is not JSON';
  const { error, message } = JSON.parse(body) as { error?: unknown; message?: unknown };
  return typeof error === 'string' && typeof message === 'string' ? undefined : 'no error body';
}

/** Everything received until the server closed its side. Undefined if it never did. */
function exchange(
  port: number,
  { bytes, answers, clientEnd }: MalformedRequest,
): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const chunks: Buffer[] = [];
    const finish = (received: Buffer | undefined): void => {
      clearTimeout(timer);
      resolve(received);
      socket.destroy();
    };
    const timer = setTimeout(() => finish(undefined), hungMs);
    const all = (): Buffer => Buffer.concat(chunks);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (clientEnd === 'wait' && parseResponses(all()).responses.length >= answers.length) socket.end();
    });
    // After its last response, the server may stop reading.
    socket.on('error', () => finish(all()));
    socket.on('end', () => finish(all()));
    socket.write(bytes, () => {
      if (clientEnd === 'end') socket.end();
      if (clientEnd === 'reset') {
        socket.resetAndDestroy();
        finish(all());
      }
    });
  });
}
