import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { limits } from '@orgchat/spec';
import type { ControlGuard, Outcome, PlainRequest, PlainResponse } from '../message.ts';
import type { Sleep } from './fetch.ts';
import { endWith, isEnding, owe } from './last-word.ts';
import { isHttp, malformedStatus, rawResponse } from './malformed.ts';

export interface HttpDoorOptions {
  readonly port: number;
  readonly host: string;
  /** The address in answers; left out, it is the `Host` of each request. */
  readonly publicUrl?: string | undefined;
  readonly dispatch: (request: PlainRequest) => Outcome | Promise<Outcome>;
  readonly sleep: Sleep;
  /** The most bytes of a request's body to keep; only asked if it is larger than the API takes. */
  readonly bodyLimit: (request: PlainRequest) => number;
  /** Who may use the control API, by the address that is listened on. */
  readonly guardOf: (address: string) => ControlGuard;
  /** The answer to what is not even HTTP, by its status. */
  readonly malformed: (status: number) => PlainResponse;
  readonly onError: (error: unknown) => void;
  readonly timeouts?: Timeouts;
}

/** How long a client may take, in milliseconds. */
export interface Timeouts {
  /** To send a header. */
  readonly headersTimeout: number;
  /** To send a whole request. */
  readonly requestTimeout: number;
  /** Between two requests. */
  readonly keepAliveTimeout: number;
  /** How often the first two are looked at. */
  readonly connectionsCheckingInterval: number;
  /** To end its side of a connection on which no more is answered. */
  readonly lingerTimeout: number;
}

const patience: Timeouts = {
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  lingerTimeout: 2_000,
};

/** A connection that has not sent its whole request this long after closing began is cut off. */
const graceMs = 250;

type Immediate = Exclude<Outcome, { kind: 'later' }>;

/** A door on node:http. The request is translated as it is; no `Request` is built. */
export class HttpDoor {
  readonly #server: Server;
  readonly #options: HttpDoorOptions;
  readonly #lingerMs: number;
  /** Aborted when closing begins: delays end then. */
  readonly #closing = new AbortController();
  #url = '';
  #guard: ControlGuard | undefined;
  /** Requests that are whole and not yet answered. */
  #active = 0;

  private constructor(options: HttpDoorOptions) {
    this.#options = options;
    const { lingerTimeout, ...timeouts } = options.timeouts ?? patience;
    this.#lingerMs = lingerTimeout;
    setMaxListeners(0, this.#closing.signal);
    // Without a Host or with an expectation, Node would answer by itself, and not in the error body.
    const server = createServer({ ...timeouts, requireHostHeader: false });
    const receive = (request: IncomingMessage, response: ServerResponse): void =>
      this.#receive(request, response);
    server.on('request', receive).on('checkExpectation', receive);
    server.on('connect', (request: IncomingMessage, socket: Socket) => this.#refuseTunnel(request, socket));
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      if (error.code === 'ECONNRESET') socket.destroy();
      else if (!isEnding(socket)) this.#refuse(socket, options.malformed(malformedStatus(error)));
    });
    this.#server = server;
  }

  /** Resolves once connections are taken. */
  static async open(options: HttpDoorOptions): Promise<HttpDoor> {
    const door = new HttpDoor(options);
    await door.#listen();
    return door;
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
    const { port, host, guardOf } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) => {
        reject(error.code === 'EADDRINUSE' ? taken(port, host, error) : error);
      });
      this.#server.listen({ port, host, backlog: 4096 }, () => {
        const { address, family, port: given } = this.#server.address() as AddressInfo;
        this.#url = `http://${reachable(address, family)}:${given}`;
        this.#guard = guardOf(address);
        resolve();
      });
    });
  }

  /** Takes no more, finishes what is in flight, and stops. What is delayed is answered without the rest of its delay. */
  close(): Promise<void> {
    if (!this.#server.listening) return Promise.resolve();
    this.#closing.abort();
    const begun = performance.now();
    const tidy = setInterval(() => {
      this.#server.closeIdleConnections();
      if (this.#active === 0 && performance.now() - begun > graceMs) this.#server.closeAllConnections();
    }, 10);
    return new Promise((resolve, reject) => {
      this.#server.close((error) => {
        clearInterval(tidy);
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** The last answer on a connection whose bytes mean nothing from here on. */
  #refuse(socket: Socket, response: PlainResponse): void {
    endWith(socket, rawResponse(response), this.#lingerMs);
  }

  /** This is no proxy: a tunnel is asked for at a path like any other, which is unknown. */
  #refuseTunnel({ url = '', headers }: IncomingMessage, socket: Socket): void {
    socket.on('error', () => socket.destroy());
    const outcome = this.#options.dispatch({
      method: 'CONNECT',
      path: url,
      query: '',
      origin: () => this.#originOf(headers.host),
      header: (name) => headers[name] as string | undefined,
      body: '',
      controlGuard: this.#guard,
    });
    Promise.resolve(outcome).then((answered) => {
      if (answered.kind === 'answer') this.#refuse(socket, answered.response);
      else socket.destroy();
    }, this.#options.onError);
  }

  /** Collects the body up to the limit of the call; what is past it is read and dropped. */
  #receive(request: IncomingMessage, response: ServerResponse): void {
    if (isEnding(request.socket)) return;
    if (!isHttp(request)) {
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
      owe(request.socket, response);
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
      const outcome = this.#options.dispatch(this.#toPlain(request, body, oversized));
      // Most outcomes are there at once, and then nothing is put off to another turn.
      if (!(outcome instanceof Promise) && outcome.kind !== 'later') this.#fulfil(outcome, request, response);
      else this.#wait(outcome, request, response).catch((error: unknown) => this.#fail(error, request));
    } catch (error) {
      this.#fail(error, request);
    }
  }

  #toPlain(request: IncomingMessage, body: Uint8Array | string, oversized = false): PlainRequest {
    const target = originForm(request.url ?? '/');
    const mark = target.indexOf('?');
    const { headers } = request;
    return {
      method: request.method ?? 'GET',
      path: mark < 0 ? target : target.slice(0, mark),
      query: mark < 0 ? '' : target.slice(mark + 1),
      origin: () => this.#originOf(headers.host),
      header: (name) => headers[name] as string | undefined,
      body,
      controlGuard: this.#guard,
      oversized,
    };
  }

  /** The address that a caller used, so that addresses in answers are ones that the caller can use too. */
  #originOf(host: string | undefined): string {
    return this.#options.publicUrl ?? urlOfHost(host) ?? this.#url;
  }

  async #wait(
    pending: Outcome | Promise<Outcome>,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    let outcome = await pending;
    while (outcome.kind === 'later') {
      await this.#options.sleep(outcome.delayMs, this.#closing.signal);
      outcome = await outcome.resume();
    }
    this.#fulfil(outcome, request, response);
  }

  /** Without an answer that could be trusted, there is none. */
  #fail(error: unknown, request: IncomingMessage): void {
    this.#active--;
    this.#options.onError(error);
    request.socket.destroy();
  }

  #fulfil(outcome: Immediate, request: IncomingMessage, response: ServerResponse): void {
    this.#active--;
    if (outcome.kind === 'reset') {
      request.socket.resetAndDestroy();
      return;
    }
    const { status, headers, body } = outcome.response;
    const length = Buffer.byteLength(body);
    response.writeHead(status, this.#headers(headers, length));
    if (outcome.kind === 'answer') {
      // Where every character is one byte, both encodings give the same bytes, and this one is a mere copy.
      response.end(body, length === body.length ? 'latin1' : 'utf8');
      return;
    }
    const half = Buffer.from(body).subarray(0, length >>> 1);
    // The half must be on its way before the connection goes.
    response.write(half, () => request.socket.destroy());
  }

  /** Names and values in turn, as Node writes them: an object would be put together only to be taken apart. */
  #headers(given: Readonly<Record<string, string>>, length: number): (string | number)[] {
    const headers: (string | number)[] = [];
    for (const name in given) headers.push(name, given[name]!);
    headers.push('Content-Length', length);
    if (this.#closing.signal.aborted) headers.push('Connection', 'close');
    return headers;
  }
}

/** The target of a request without scheme and host, which a client may write there too. */
function originForm(target: string): string {
  if (target.startsWith('/') || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

/** The URL of a `Host` header; undefined if it is absent or not a host. */
function urlOfHost(host: string | undefined): string | undefined {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  return `http://${host.toLowerCase()}`;
}

/** The host of addresses that are printed: one that can be called where all are listened on. */
function reachable(address: string, family: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  if (address === '::') return '[::1]';
  return family === 'IPv6' ? `[${address}]` : address;
}

const taken = (port: number, host: string, cause: unknown): Error =>
  Object.assign(
    new Error(
      `Port ${port} of ${host} is in use. Stop what listens there, choose another port, or take port 0 for any free one.`,
      { cause },
    ),
    { code: 'EADDRINUSE' },
  );
