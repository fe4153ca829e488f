import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { limits } from '@orgchat/spec';
import type { Outcome, PlainRequest, PlainResponse } from '../message.ts';
import type { Sleep } from './fetch.ts';

export interface HttpDoorOptions {
  readonly port: number;
  readonly host: string;
  readonly dispatch: (request: PlainRequest) => Outcome | Promise<Outcome>;
  readonly sleep: Sleep;
  /** The answer to what is not even HTTP, by its status. */
  readonly malformed: (status: number) => PlainResponse;
  readonly onError: (error: unknown) => void;
}

export interface HttpDoor {
  readonly port: number;
  /** Scheme and authority: `http://127.0.0.1:4010`. */
  readonly url: string;
  /** Finishes what is in flight, closes idle connections and stops. */
  close(): Promise<void>;
}

/** A door on node:http: the request is translated as it is, no `Request` is built. */
export async function openHttpDoor(options: HttpDoorOptions): Promise<HttpDoor> {
  let url = '';
  const server = createServer(
    {
      keepAliveTimeout: 65_000,
      headersTimeout: 20_000,
      requestTimeout: 60_000,
      connectionsCheckingInterval: 5_000,
    },
    (request, response) => {
      receive(request, response, options, () => url).catch((error: unknown) => {
        options.onError(error);
        request.socket.destroy();
      });
    },
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    refuseMalformed(error, socket, options);
  });
  await listening(server, options);
  const { port, address, family } = server.address() as AddressInfo;
  url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  return { port, url, close: () => close(server) };
}

function listening(server: Server, { port, host }: HttpDoorOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? taken(port, host, error) : error);
    });
    server.listen({ port, host, backlog: 4096 }, resolve);
  });
}

const taken = (port: number, host: string, cause: unknown): Error =>
  Object.assign(
    new Error(
      `Port ${port} of ${host} is in use. Stop what listens there, choose another port, or take port 0 for any free one.`,
      { cause },
    ),
    { code: 'EADDRINUSE' },
  );

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeIdleConnections();
  });
}

/** Collects a body up to the limit; what lies past it is read and dropped. */
function bodyOf(request: IncomingMessage): Promise<{ body: Uint8Array | string; oversized: boolean }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limits.bodyBytes) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.on('end', () => {
      const body = chunks.length === 1 ? chunks[0]! : chunks.length === 0 ? '' : Buffer.concat(chunks);
      resolve({ body, oversized: size > limits.bodyBytes });
    });
    request.on('error', reject);
    request.on('close', () => {
      if (!request.complete) reject(gone);
    });
  });
}

/** The client went away before its request was whole: nobody is there to answer. */
const gone = Symbol('gone');

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { dispatch, sleep }: HttpDoorOptions,
  url: () => string,
): Promise<void> {
  let received: Awaited<ReturnType<typeof bodyOf>>;
  try {
    received = await bodyOf(request);
  } catch {
    request.socket.destroy();
    return;
  }
  const target = request.url ?? '/';
  const mark = target.indexOf('?');
  const { headers } = request;
  const plain: PlainRequest = {
    method: request.method ?? 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    origin: url(),
    header: (name) => headers[name] as string | undefined,
    body: received.body,
    oversized: received.oversized,
  };
  const outcome = dispatch(plain);
  await fulfil(outcome instanceof Promise ? await outcome : outcome, request, response, sleep);
}

async function fulfil(
  outcome: Outcome,
  request: IncomingMessage,
  response: ServerResponse,
  sleep: Sleep,
): Promise<void> {
  if (outcome.kind === 'answer') return write(outcome.response, response);
  if (outcome.kind === 'later') {
    await sleep(outcome.delayMs);
    return fulfil(outcome.resume(), request, response, sleep);
  }
  if (outcome.kind === 'reset') {
    request.socket.resetAndDestroy();
    return;
  }
  const { status, headers, body } = outcome.response;
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, 'Content-Length': bytes.length });
  // The half must be on its way before the connection goes, or a reset would take it along.
  response.write(bytes.subarray(0, bytes.length >>> 1), () => request.socket.destroy());
}

function write({ status, headers, body }: PlainResponse, response: ServerResponse): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

const statusOf: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket, { malformed }: HttpDoorOptions): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = malformed(statusOf[error.code ?? ''] ?? 400);
  const lines = Object.entries({
    ...headers,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  socket.end(
    `HTTP/1.1 ${status} Bad Request\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
}
