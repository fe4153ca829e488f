import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { limits } from '@orgchat/spec';
import type { ControlGuard, Outcome, PlainRequest, PlainResponse, RequestHandler } from '../http/message.ts';
import { closeAfterAnswer, isClosing, setPendingAnswer } from './close-after-answer.ts';
import type { Sleep } from './fetch.ts';
import { formatRawResponse, getMalformedStatus, isValidHttp } from './malformed.ts';

export interface HttpAdapterOptions {
  readonly port: number;
  readonly host: string;
  /** The address in answers. Default: the `Host` header of each request. */
  readonly publicUrl?: string | undefined;
  readonly mock: { readonly handle: RequestHandler };
  readonly sleep: Sleep;
  /** Maximum number of body bytes to keep; only called if the body exceeds the limit of the API. */
  readonly bodyLimit: (request: PlainRequest) => number;
  /** Creates the access rules of the control API for the listening address. */
  readonly createGuard: (address: string) => ControlGuard;
  /** The answer to a malformed HTTP request, by status. */
  readonly malformed: (status: number) => PlainResponse;
  readonly onError: (error: unknown) => void;
  readonly timeouts?: Timeouts;
}

/** Timeouts for clients, in milliseconds. */
export interface Timeouts {
  /** Until the header is complete. */
  readonly headersTimeout: number;
  /** Until the whole request is complete. */
  readonly requestTimeout: number;
  /** Between two requests. */
  readonly keepAliveTimeout: number;
  /** How often the first two are checked. */
  readonly connectionsCheckingInterval: number;
  /** Until the client closes its side of a connection that the server has closed. */
  readonly lingerTimeout: number;
}

const defaultTimeouts: Timeouts = {
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  lingerTimeout: 2_000,
};

/** How long after `close()` an incomplete request may still arrive before its connection is closed. */
const graceMs = 250;

type ImmediateOutcome = Exclude<Outcome, { kind: 'later' }>;

/** Serves the mock on node:http. Requests are passed on without creating a `Request` object. */
export class HttpAdapter {
  readonly #server: Server;
  readonly #options: HttpAdapterOptions;
  readonly #lingerMs: number;
  /** Aborted when closing begins, which ends delays. */
  readonly #closing = new AbortController();
  #url = '';
  #guard: ControlGuard | undefined;
  /** Number of complete requests that are not yet answered. */
  #active = 0;

  private constructor(options: HttpAdapterOptions) {
    this.#options = options;
    const { lingerTimeout, ...timeouts } = options.timeouts ?? defaultTimeouts;
    this.#lingerMs = lingerTimeout;
    setMaxListeners(0, this.#closing.signal);
    // Node would answer requests without Host or with Expect itself, without the error body of the contract.
    const server = createServer({ ...timeouts, requireHostHeader: false });
    const receive = (request: IncomingMessage, response: ServerResponse): void =>
      this.#receive(request, response);
    server.on('request', receive).on('checkExpectation', receive);
    server.on('connect', (request: IncomingMessage, socket: Socket) => this.#refuseTunnel(request, socket));
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      if (error.code === 'ECONNRESET') socket.destroy();
      else if (!isClosing(socket)) this.#refuse(socket, options.malformed(getMalformedStatus(error)));
    });
    this.#server = server;
  }

  /** Resolves once connections are accepted. */
  static async open(options: HttpAdapterOptions): Promise<HttpAdapter> {
    const adapter = new HttpAdapter(options);
    await adapter.#listen();
    return adapter;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Scheme and authority: `http://127.0.0.1:4010`. */
  get url(): string {
    return this.#url;
  }

  get guard(): ControlGuard | undefined {
    return this.#guard;
  }

  #listen(): Promise<void> {
    const { port, host, createGuard } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) => {
        reject(error.code === 'EADDRINUSE' ? portInUse(port, host, error) : error);
      });
      this.#server.listen({ port, host, backlog: 4096 }, () => {
        const { address, family, port: given } = this.#server.address() as AddressInfo;
        this.#url = `http://${toDisplayHost(address, family)}:${given}`;
        this.#guard = createGuard(address);
        resolve();
      });
    });
  }

  /** Stops accepting requests, finishes those in flight, and closes. Delayed requests are answered at once. */
  close(): Promise<void> {
    if (!this.#server.listening) return Promise.resolve();
    this.#closing.abort();
    const begun = performance.now();
    const closeIdle = setInterval(() => {
      this.#server.closeIdleConnections();
      if (this.#active === 0 && performance.now() - begun > graceMs) this.#server.closeAllConnections();
    }, 10);
    return new Promise((resolve, reject) => {
      this.#server.close((error) => {
        clearInterval(closeIdle);
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** Sends the last answer on a connection whose further bytes are ignored. */
  #refuse(socket: Socket, response: PlainResponse): void {
    closeAfterAnswer(socket, formatRawResponse(response), this.#lingerMs);
  }

  /** Answers CONNECT like any unknown path: this is not a proxy. */
  #refuseTunnel({ url = '', headers }: IncomingMessage, socket: Socket): void {
    socket.on('error', () => socket.destroy());
    const outcome = this.#options.mock.handle({
      method: 'CONNECT',
      path: url,
      query: '',
      origin: () => this.#getOrigin(headers.host),
      header: (name) => headers[name] as string | undefined,
      body: '',
      controlGuard: this.#guard,
    });
    Promise.resolve(outcome).then((answered) => {
      if (answered.kind === 'answer') this.#refuse(socket, answered.response);
      else socket.destroy();
    }, this.#options.onError);
  }

  /** Collects the body up to the limit of the call; further bytes are read and dropped. */
  #receive(request: IncomingMessage, response: ServerResponse): void {
    if (isClosing(request.socket)) return;
    if (!isValidHttp(request)) {
      this.#refuse(request.socket, this.#options.malformed(400));
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    let limit: number = limits.bodyBytes;
    let isLimitOfCall = false;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit && !isLimitOfCall) {
        isLimitOfCall = true;
        limit = this.#options.bodyLimit(this.#toPlain(request, ''));
      }
      if (size <= limit) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.on('end', () => {
      const body = chunks.length === 1 ? chunks[0]! : chunks.length === 0 ? '' : Buffer.concat(chunks);
      this.#active++;
      setPendingAnswer(request.socket, response);
      this.#answer(request, response, body, size > limit);
    });
  }

  #answer(
    request: IncomingMessage,
    response: ServerResponse,
    body: Uint8Array | string,
    oversized: boolean,
  ): void {
    try {
      const outcome = this.#options.mock.handle(this.#toPlain(request, body, oversized));
      // Most outcomes are synchronous; they are sent in this turn of the event loop.
      if (!(outcome instanceof Promise) && outcome.kind !== 'later') this.#send(outcome, request, response);
      else this.#sendLater(outcome, request, response).catch((error: unknown) => this.#fail(error, request));
    } catch (error) {
      this.#fail(error, request);
    }
  }

  #toPlain(request: IncomingMessage, body: Uint8Array | string, oversized = false): PlainRequest {
    const target = toOriginForm(request.url ?? '/');
    const mark = target.indexOf('?');
    const { headers } = request;
    return {
      method: request.method ?? 'GET',
      path: mark < 0 ? target : target.slice(0, mark),
      query: mark < 0 ? '' : target.slice(mark + 1),
      origin: () => this.#getOrigin(headers.host),
      header: (name) => headers[name] as string | undefined,
      body,
      controlGuard: this.#guard,
      oversized,
    };
  }

  /** The address that the caller used, so that the caller can use the addresses in answers. */
  #getOrigin(host: string | undefined): string {
    return this.#options.publicUrl ?? parseHost(host) ?? this.#url;
  }

  async #sendLater(
    pending: Outcome | Promise<Outcome>,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    let outcome = await pending;
    while (outcome.kind === 'later') {
      await this.#options.sleep(outcome.delayMs, this.#closing.signal);
      outcome = await outcome.resume();
    }
    this.#send(outcome, request, response);
  }

  /** Closes the connection without an answer, since no answer could be trusted. */
  #fail(error: unknown, request: IncomingMessage): void {
    this.#active--;
    this.#options.onError(error);
    request.socket.destroy();
  }

  #send(outcome: ImmediateOutcome, request: IncomingMessage, response: ServerResponse): void {
    this.#active--;
    if (outcome.kind === 'reset') {
      request.socket.resetAndDestroy();
      return;
    }
    const { status, headers, body } = outcome.response;
    const length = Buffer.byteLength(body);
    response.writeHead(status, this.#headers(headers, length));
    if (outcome.kind === 'answer') {
      // If every character is one byte, both encodings give the same bytes, and latin1 is a plain copy.
      response.end(body, length === body.length ? 'latin1' : 'utf8');
      return;
    }
    const half = Buffer.from(body).subarray(0, length >>> 1);
    // The first half must be sent before the connection is closed.
    response.write(half, () => request.socket.destroy());
  }

  /** Headers as a flat list of names and values, the form that Node writes without conversion. */
  #headers(given: Readonly<Record<string, string>>, length: number): (string | number)[] {
    const headers: (string | number)[] = [];
    for (const name in given) headers.push(name, given[name]!);
    headers.push('Content-Length', length);
    if (this.#closing.signal.aborted) headers.push('Connection', 'close');
    return headers;
  }
}

/** The request target without scheme and host, which a client may include. */
function toOriginForm(target: string): string {
  if (target.startsWith('/') || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

/** The URL of a `Host` header; undefined if it is absent or not a host. */
function parseHost(host: string | undefined): string | undefined {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  return `http://${host.toLowerCase()}`;
}

/** The host to print: a reachable address if the server listens on all addresses. */
function toDisplayHost(address: string, family: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  if (address === '::') return '[::1]';
  return family === 'IPv6' ? `[${address}]` : address;
}

const portInUse = (port: number, host: string, cause: unknown): Error =>
  Object.assign(
    new Error(
      `Port ${port} of ${host} is in use. Stop the program that uses it, choose another port, or pass port 0 for any free port.`,
      { cause },
    ),
    { code: 'EADDRINUSE' },
  );
