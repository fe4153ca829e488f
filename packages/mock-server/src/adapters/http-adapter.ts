import { setMaxListeners } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { ControlGuard } from '../http/message.ts';
import { isClosing } from './close-after-answer.ts';
import { type HttpRequestOptions, HttpRequests } from './http-requests.ts';
import { getMalformedStatus } from './malformed.ts';

export interface HttpAdapterOptions extends HttpRequestOptions {
  readonly port: number;
  readonly host: string;
  /** Creates the access rules of the control API for the listening address. */
  readonly createGuard: (address: string) => ControlGuard;
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
  /** Between two comments on a stream of events, which keep proxies from closing it. */
  readonly heartbeatInterval: number;
}

const defaultTimeouts: Timeouts = {
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  lingerTimeout: 2_000,
  heartbeatInterval: 15_000,
};

/** How long after `close()` an incomplete request may still arrive before its connection is closed. */
const graceMs = 250;

/** Serves the mock on node:http: opens the server, and closes it when every request is answered. */
export class HttpAdapter {
  readonly #server: Server;
  readonly #options: HttpAdapterOptions;
  readonly #requests: HttpRequests;
  /** Aborted when closing begins. */
  readonly #closing = new AbortController();

  private constructor(options: HttpAdapterOptions) {
    this.#options = options;
    const { lingerTimeout, heartbeatInterval, ...timeouts } = options.timeouts ?? defaultTimeouts;
    setMaxListeners(0, this.#closing.signal);
    const requests = new HttpRequests(options, this.#closing.signal, lingerTimeout, heartbeatInterval);
    // Node would answer requests without Host or with Expect itself, without the error body of the contract.
    const server = createServer({ ...timeouts, requireHostHeader: false });
    server.on('request', requests.receive).on('checkExpectation', requests.receive);
    server.on('connect', requests.refuseTunnel);
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      if (error.code === 'ECONNRESET') socket.destroy();
      else if (!isClosing(socket)) requests.refuse(socket, options.malformed(getMalformedStatus(error)));
    });
    this.#server = server;
    this.#requests = requests;
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
    return this.#requests.url;
  }

  get guard(): ControlGuard | undefined {
    return this.#requests.guard;
  }

  #listen(): Promise<void> {
    const { port, host, createGuard } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) => {
        reject(error.code === 'EADDRINUSE' ? portInUse(port, host, error) : error);
      });
      this.#server.listen({ port, host, backlog: 4096 }, () => {
        const { address, family, port: listeningPort } = this.#server.address() as AddressInfo;
        this.#requests.url = `http://${toDisplayHost(address, family)}:${listeningPort}`;
        this.#requests.guard = createGuard(address);
        resolve();
      });
    });
  }

  /**
   * Stops accepting requests, finishes those in flight, and closes. Delayed requests are answered at once, and streams of
   * events end.
   */
  close(): Promise<void> {
    if (!this.#server.listening) return Promise.resolve();
    this.#closing.abort();
    const startedAt = performance.now();
    const closeIdle = setInterval(() => {
      this.#server.closeIdleConnections();
      if (this.#requests.active === 0 && performance.now() - startedAt > graceMs)
        this.#server.closeAllConnections();
    }, 10);
    return new Promise((resolve, reject) => {
      this.#server.close((error) => {
        clearInterval(closeIdle);
        if (error) reject(error);
        else resolve();
      });
    });
  }
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
