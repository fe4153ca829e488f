import { connect } from 'node:net';
import type { Attack } from './attack.ts';
import { type Response, responsesIn } from './responses.ts';

/** Longer than any answer takes on a busy machine, and shorter than the patience of the server with a whole request. */
const hungMs = 50_000;

/** Makes an attack and says what is wrong with what came back. */
export async function strike(port: number, attack: Attack): Promise<string | undefined> {
  const received = await exchange(port, attack);
  if (received === undefined) return 'nothing came back, and the connection stayed open';
  // Who went away was perhaps not answered in full, or at all.
  if (attack.afterwards === 'reset') return undefined;
  const { responses, rest } = responsesIn(received);
  if (rest.length > 0) return `no response: ${rest.subarray(0, 500).toString('latin1')}`;
  if (responses.length > attack.answers.length)
    return `it was answered ${responses.length} times: ${responses.map(({ status }) => status).join(', ')}`;
  if (responses.length < attack.least) return `it was answered ${responses.length} times only`;
  for (const [i, response] of responses.entries()) {
    const wrong = problemOf(response, attack.answers[i] ?? []);
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

/** All that came back until the other side ended; undefined where it never did. */
function exchange(port: number, { bytes, answers, afterwards }: Attack): Promise<Buffer | undefined> {
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
      if (afterwards === 'wait' && responsesIn(all()).responses.length >= answers.length) socket.end();
    });
    // A server that has said its last word need not read the rest.
    socket.on('error', () => finish(all()));
    socket.on('end', () => finish(all()));
    socket.write(bytes, () => {
      if (afterwards === 'end') socket.end();
      if (afterwards === 'reset') {
        socket.resetAndDestroy();
        finish(all());
      }
    });
  });
}
