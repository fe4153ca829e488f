/*
 * A keyword write cannot be sent twice safely, so it must not use a connection that was left open: the server may
 * close it at the moment the request is written, and then it is unknown whether it arrived. Deno even sends such a
 * request again by itself. The web standard has no option for this; each runtime has its own.
 */

interface DenoClient {
  close(): void;
}

interface Dispatcher {
  dispatch(options: { readonly origin?: unknown }, handler: unknown): boolean;
}

interface Runtime {
  readonly Deno?: {
    createHttpClient?(options: { readonly poolMaxIdlePerHost: number }): DenoClient;
  };
  readonly process?: { readonly versions?: { readonly undici?: string; readonly bun?: string } };
}

/** A connection for one request: the options that `fetch` needs, and how to close it. */
export interface FreshConnection {
  /** False if the runtime has no way to ask for one. */
  readonly isFresh: boolean;
  readonly init: object;
  close(): void;
}

const nothing = (): void => undefined;

/** Makes the global `fetch` use a new connection if the runtime supports that; otherwise one of its pool. */
export function openFreshConnection(): FreshConnection {
  const { Deno, process }: Runtime = globalThis as Runtime;
  if (Deno?.createHttpClient) {
    const client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
    return { isFresh: true, init: { client }, close: () => client.close() };
  }
  if (process?.versions?.bun) return { isFresh: true, init: { keepalive: false }, close: nothing };
  const dispatcher = findDispatcher(process?.versions?.undici);
  const init = dispatcher ? { dispatcher: withoutReuse(dispatcher) } : {};
  return { isFresh: dispatcher !== undefined, init, close: nothing };
}

/** A body, and what else `fetch` needs to send it. */
export interface SendableBody {
  readonly body: string | ReadableStream;
  readonly duplex?: 'half';
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The body in a form that the runtime does not send twice, also behind a `fetch` of the caller's own: a stream it cannot
 * repeat. Node repeats a text after a 421, as the standard of `fetch` says; Deno when a reused connection breaks.
 */
export function unrepeatable(body: string, isFresh = false): SendableBody {
  const { Deno, process }: Runtime = globalThis as Runtime;
  const isNode = process?.versions?.undici !== undefined && process.versions.bun === undefined;
  if (Deno ? isFresh : !isNode) return { body };
  const bytes = new Blob([body]);
  const sent = { body: bytes.stream(), duplex: 'half' } as const;
  // Without its length, a stream would be sent in chunks, which some servers refuse.
  return Deno ? sent : { ...sent, headers: { 'content-length': `${bytes.size}` } };
}

/**
 * The dispatcher that the `fetch` of Node uses; undefined for one that is more than a pool, such as a proxy or a
 * mock.
 */
function findDispatcher(undici: string | undefined): Dispatcher | undefined {
  if (undici === undefined) return undefined;
  // Where undici keeps it; the number is that of the dispatchers' own interface.
  const key = Symbol.for(`undici.globalDispatcher.${Number.parseInt(undici, 10) < 8 ? 1 : 2}`);
  const dispatcher = (globalThis as { readonly [name: symbol]: Dispatcher | undefined })[key];
  return dispatcher?.constructor.name === 'Agent' ? dispatcher : undefined;
}

/**
 * The same dispatcher with a pool of its own, whose connections close after one answer. An agent has a pool for each
 * spelling of an origin, and `https://host/` is the origin `https://host` spelled otherwise.
 */
function withoutReuse(dispatcher: Dispatcher): Dispatcher {
  return {
    dispatch: (options, handler) =>
      dispatcher.dispatch(
        { ...options, origin: `${options.origin}/`, reset: true } as typeof options,
        handler,
      ),
  };
}
