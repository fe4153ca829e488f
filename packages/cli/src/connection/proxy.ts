import type { ClientOptions } from '@orgchat/sdk';
import { fetch, ProxyAgent } from 'undici';

/**
 * A fetch through a proxy, by CONNECT for http as well as for https, so that what is sent is not the proxy's to read
 * or keep. Certificates are Node's matter: NODE_EXTRA_CA_CERTS works as it is.
 */
export function proxiedFetch(proxy: URL): NonNullable<ClientOptions['fetch']> {
  const dispatcher = new ProxyAgent({ uri: proxy.href, proxyTunnel: true });
  return async (request) => {
    const sent = fetch(request.url, {
      method: request.method,
      headers: [...request.headers],
      redirect: request.redirect,
      signal: request.signal,
      body: request.body === null ? null : await request.arrayBuffer(),
      dispatcher,
    });
    const answer = await sent.catch((error: unknown) => {
      throw refusalOf(proxy, error) ?? error;
    });
    return answer as unknown as Response;
  };
}

/** A tunnel that the proxy refused, as a connection that was not made: the server has seen nothing of the request. */
function refusalOf(proxy: URL, error: unknown): TypeError | undefined {
  if (!(error instanceof Error)) return undefined;
  const [, status] = /^Proxy response \((\d+)\)/.exec(error.message) ?? [];
  if (status === undefined) return refusalOf(proxy, error.cause);
  const refused = new Error(`The proxy ${proxy.host} answered ${status} to CONNECT`, { cause: error });
  const cause = Object.assign(refused, { code: `PROXY_${status}`, syscall: 'connect' });
  return new TypeError('fetch failed', { cause });
}
