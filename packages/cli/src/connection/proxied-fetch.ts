import type { ClientOptions } from '@orgchat/sdk';
import { type Dispatcher, fetch, Pool, ProxyAgent } from 'undici';

/**
 * Creates a fetch through a proxy, with CONNECT for http and https, so that the proxy cannot read the requests. Node
 * checks the certificates: NODE_EXTRA_CA_CERTS works unchanged.
 */
export function proxiedFetch(proxy: URL): NonNullable<ClientOptions['fetch']> {
  const dispatcher = new ProxyAgent({
    uri: proxy.origin,
    ...createAuthorization(proxy),
    proxyTunnel: true,
    clientFactory: (origin, options) => new TunnelPool(origin, options),
  });
  return async (request) => {
    const answer = await fetch(request.url, {
      method: request.method,
      headers: [...request.headers],
      redirect: request.redirect,
      signal: request.signal,
      body: request.body === null ? null : await request.arrayBuffer(),
      dispatcher,
    });
    return answer as unknown as Response;
  };
}

/** The option for the name and password in the URL of a proxy; empty without a name. */
function createAuthorization({ username, password }: URL): { token?: string } {
  if (username === '') return {};
  const credentials = Buffer.from(`${decode(username)}:${decode(password)}`);
  return { token: `Basic ${credentials.toString('base64')}` };
}

/** Decodes `%40` and the like. Any other `%` is a part of the text. */
const decode = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });

type ConnectRequest = Parameters<Pool['connect']>[0];
type Connected = (error: Error | null, data: Dispatcher.ConnectData) => void;

/** Connections to a proxy. A tunnel that it refuses is an error with the status in its code. */
class TunnelPool extends Pool {
  override connect(request: ConnectRequest): Promise<Dispatcher.ConnectData>;
  override connect(request: ConnectRequest, done: Connected): void;
  override connect(request: ConnectRequest, done?: Connected): Promise<Dispatcher.ConnectData> | undefined {
    if (done === undefined) return this.tunnel(request);
    super.connect(request, done);
    return undefined;
  }

  private async tunnel(request: ConnectRequest): Promise<Dispatcher.ConnectData> {
    const reply = await super.connect(request);
    if (reply.statusCode === 200) return reply;
    reply.socket.on('error', () => {}).destroy();
    throw new TunnelRefusedError(reply.statusCode);
  }
}

/** A tunnel that the proxy refused: a connection that was not made, so the server has seen nothing of the request. */
class TunnelRefusedError extends Error {
  override readonly name = 'TunnelRefusedError';
  readonly syscall = 'connect';
  readonly code: string;

  constructor(status: number) {
    super(`The proxy answered ${status} to CONNECT`);
    this.code = `PROXY_${status}`;
  }
}
