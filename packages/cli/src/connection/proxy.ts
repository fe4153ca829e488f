import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { Readable } from 'node:stream';
import type { ClientOptions } from '@orgchat/sdk';
import { tunnelAgent } from './tunnel.ts';

/** A fetch through a proxy, for addresses of one protocol: what the client needs of one. Redirects are answers to it. */
export function proxiedFetch(proxy: URL, protocol: string): NonNullable<ClientOptions['fetch']> {
  const agent = tunnelAgent(proxy, protocol);
  const send = protocol === 'https:' ? secureRequest : plainRequest;
  return async (request) => {
    const { url, method, signal } = request;
    // What fetch would say of itself; some gateways want it.
    const headers = { Accept: '*/*', 'User-Agent': 'node', ...Object.fromEntries(request.headers) };
    const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
    return new Promise<Response>((resolve, reject) => {
      const sent = send(url, { method, headers, agent, signal }, (answer) => resolve(responseOf(answer)));
      sent.on('error', (cause) =>
        reject(signal.aborted ? signal.reason : new TypeError('fetch failed', { cause })),
      );
      sent.end(body);
    });
  };
}

/** Answers that a Response lets have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

function responseOf(answer: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', headersDistinct } = answer;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  if (bodiless.has(status)) answer.resume();
  const body = bodiless.has(status) ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>);
  return new Response(body, { status, statusText, headers });
}
