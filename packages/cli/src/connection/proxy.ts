import type { ClientOptions } from '@orgchat/sdk';
import { EnvHttpProxyAgent, fetch } from 'undici';

/**
 * A fetch that goes through the proxies of the environment, which Node's own takes no notice of; it knows NO_PROXY
 * too. Certificates are Node's matter: NODE_EXTRA_CA_CERTS works as it is.
 */
export function proxiedFetch(): NonNullable<ClientOptions['fetch']> {
  const dispatcher = new EnvHttpProxyAgent();
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
