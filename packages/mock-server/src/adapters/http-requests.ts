import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type {
  AdapterAction,
  ControlGuard,
  PlainRequest,
  PlainResponse,
  RequestHandler,
} from '../http/message.ts';
import { maxBodyBytes } from '../mock-limits.ts';
import type { Sleep } from '../options/options.ts';
import { httpRequestChannel, publishRequest } from '../request-log/request-channel.ts';
import { afterAnswer, closeAfterAnswer, isClosing, replacePendingAnswer } from './close-after-answer.ts';
import { formatRawResponse, isValidHttp } from './malformed.ts';
import { sendStream } from './send-stream.ts';

export interface HttpRequestOptions {
  readonly mock: { readonly handle: RequestHandler };
  /** The address in answers. Default: the `Host` header of each request. */
  readonly publicUrl?: string | undefined;
  readonly sleep: Sleep;
  /** Maximum number of body bytes to keep; only called if the body exceeds the limit of the API. */
  readonly bodyLimit: (request: PlainRequest) => number;
  /** The answer to a malformed HTTP request, by status. */
  readonly malformed: (status: number) => PlainResponse;
  readonly onError: (error: unknown) => void;
}

/** A request and its answer. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The answer to the request before it on the same connection. */
  readonly earlier: ServerResponse | undefined;
}

type ImmediateAction = Exclude<AdapterAction, { kind: 'later' }>;

/** Reads the requests of an HTTP server, calls the mock, and sends the answers. No `Request` object is created. */
export class HttpRequests {
  readonly #options: HttpRequestOptions;
  /** Aborted when the server begins to close, which ends delays. */
  readonly #closing: AbortSignal;
  readonly #lingerMs: number;
  readonly #heartbeatMs: number;
  /** Scheme and authority of the server; set once it listens. */
  url = '';
  /** The access rules of the control API; set once the server listens. */
  guard: ControlGuard | undefined;
  /** Number of complete requests that are not yet answered. An open stream is answered. */
  active = 0;

  constructor(options: HttpRequestOptions, closing: AbortSignal, lingerMs: number, heartbeatMs: number) {
    this.#options = options;
    this.#closing = closing;
    this.#lingerMs = lingerMs;
    this.#heartbeatMs = heartbeatMs;
  }

  /** Sends the last answer on a connection whose further bytes are ignored. */
  refuse(socket: Socket, response: PlainResponse): void {
    closeAfterAnswer(socket, formatRawResponse(response), this.#lingerMs);
  }

  /** Answers CONNECT like any unknown path: this is not a proxy. */
  readonly refuseTunnel = ({ url = '', headers, rawHeaders }: IncomingMessage, socket: Socket): void => {
    socket.on('error', () => socket.destroy());
    const action = this.#options.mock.handle({
      method: 'CONNECT',
      path: url,
      query: '',
      origin: () => this.#getOrigin(headers.host),
      header: (name) => headers[name] as string | undefined,
      headers: rawHeaders,
      body: '',
      controlGuard: this.guard,
    });
    Promise.resolve(action).then((answered) => {
      if (answered.kind === 'answer') this.refuse(socket, answered.response);
      else socket.destroy();
    }, this.#options.onError);
  };

  /** Collects the body up to the limit of the call; further bytes are read and dropped. */
  readonly receive = (request: IncomingMessage, response: ServerResponse): void => {
    if (isClosing(request.socket)) return;
    if (!isValidHttp(request)) {
      this.refuse(request.socket, this.#options.malformed(400));
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    let limit: number = maxBodyBytes;
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
      this.active++;
      const earlier = replacePendingAnswer(request.socket, response);
      this.#answer({ request, response, earlier }, body, size > limit);
    });
  };

  #answer(exchange: Exchange, body: Uint8Array | string, oversized: boolean): void {
    const { request, response } = exchange;
    try {
      const plain = this.#toPlain(request, body, oversized);
      const action = this.#options.mock.handle(
        httpRequestChannel.hasSubscribers ? { ...plain, onReceived: publishRequest(response) } : plain,
      );
      // Most actions are synchronous; they are sent in this turn of the event loop.
      if (!(action instanceof Promise) && action.kind !== 'later') this.#send(action, exchange);
      else this.#sendLater(action, exchange).catch((error: unknown) => this.#fail(error, request));
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
      headers: request.rawHeaders,
      body,
      controlGuard: this.guard,
      oversized,
    };
  }

  /** The address that the caller used, so that the caller can use the addresses in answers. */
  #getOrigin(host: string | undefined): string {
    return this.#options.publicUrl ?? parseHost(host) ?? this.url;
  }

  async #sendLater(pending: AdapterAction | Promise<AdapterAction>, exchange: Exchange): Promise<void> {
    let action = await pending;
    while (action.kind === 'later') {
      await this.#options.sleep(action.delayMs, this.#closing);
      action = await action.resume();
    }
    this.#send(action, exchange);
  }

  /** Closes the connection without an answer, since no answer could be trusted. */
  #fail(error: unknown, request: IncomingMessage): void {
    this.active--;
    this.#options.onError(error);
    request.socket.destroy();
  }

  #send(action: ImmediateAction, { request, response, earlier }: Exchange): void {
    this.active--;
    if (action.kind === 'reset') {
      // It would end answers to earlier requests, which the log has as answered.
      afterAnswer(earlier, () => request.socket.resetAndDestroy());
      return;
    }
    if (action.kind === 'stream') {
      response.writeHead(action.response.status, { ...action.response.headers });
      const options = { closing: this.#closing, heartbeatMs: this.#heartbeatMs };
      sendStream(action.stream, response, options).catch(this.#options.onError);
      return;
    }
    const { status, headers, body } = action.response;
    const length = Buffer.byteLength(body);
    // A 204 and a 304 must not have the length of a body (RFC 9110).
    const sentLength = status === 204 || status === 304 ? undefined : length;
    response.writeHead(status, this.#headers(headers, sentLength));
    if (action.kind === 'answer') {
      // If every character is one byte, both encodings give the same bytes, and latin1 is a plain copy.
      response.end(body, length === body.length ? 'latin1' : 'utf8');
      return;
    }
    const half = Buffer.from(body).subarray(0, length >>> 1);
    // The first half must be sent before the connection is closed.
    response.write(half, () => request.socket.destroy());
  }

  /** Headers as a flat list of names and values, the form that Node writes without conversion. */
  #headers(given: Readonly<Record<string, string>>, length: number | undefined): (string | number)[] {
    const headers: (string | number)[] = [];
    for (const name in given) headers.push(name, given[name]!);
    if (length !== undefined) headers.push('Content-Length', length);
    if (this.#closing.aborted) headers.push('Connection', 'close');
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
