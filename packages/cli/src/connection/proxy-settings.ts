import type { ClientOptions } from '@orgchat/sdk';
import { usageError } from '../errors/cli-error.ts';
import { isLoopback } from '../settings/loopback.ts';

type Fetch = NonNullable<ClientOptions['fetch']>;

/** Whether `NO_PROXY` names a host: by itself, by a domain above it, with a port or without, or all by `*`. */
function isExcepted({ protocol, hostname, port }: URL, noProxy: string): boolean {
  const actualPort = port || (protocol === 'https:' ? '443' : '80');
  return noProxy.split(/[,\s]+/).some((entry) => {
    if (entry === '*') return true;
    const [, host = entry, onPort] = /^(.+):(\d+)$/.exec(entry) ?? [];
    const domain = host.replace(/^\*?\./, '').toLowerCase();
    const isNamed = domain !== '' && (hostname === domain || hostname.endsWith(`.${domain}`));
    return isNamed && (onPort ?? actualPort) === actualPort;
  });
}

/** Finds the proxy for a URL in the environment. Loopback addresses have none. */
export function findProxy(address: string, env: NodeJS.ProcessEnv): URL | undefined {
  const url = new URL(address);
  if (isLoopback(url.hostname) || isExcepted(url, env.no_proxy ?? env.NO_PROXY ?? '')) return undefined;
  const forHttp = env.http_proxy ?? env.HTTP_PROXY;
  const forHttps = env.https_proxy ?? env.HTTPS_PROXY;
  const given = (url.protocol === 'https:' && forHttps) || forHttp;
  return given ? parseProxy(given) : undefined;
}

function parseProxy(given: string): URL {
  const address = given.includes('://') ? given : `http://${given}`;
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  const isHttp = proxy?.protocol === 'http:' || proxy?.protocol === 'https:';
  if (isHttp && proxy.pathname === '/' && !/[?#]/.test(proxy.href)) return proxy;
  // It may hold a password, so it is not repeated.
  throw usageError(
    `HTTPS_PROXY or HTTP_PROXY ${isHttp ? 'has a path, a query or a fragment' : 'is not a valid http or https URL'}.`,
    'Set it to a URL such as http://proxy.example:3128. Percent-encode special characters of a password.',
    'INVALID_PROXY',
  );
}

/** Host and port of a URL, and the proxy in between, for error messages. */
export function describeServer(address: string, env: NodeJS.ProcessEnv): string {
  const proxy = findProxy(address, env);
  const { host } = new URL(address);
  return proxy === undefined ? host : `${host} through the proxy ${proxy.host}`;
}

/** Creates a fetch through the proxy of the environment; undefined if no proxy is set. */
export async function createFetch(address: string, env: NodeJS.ProcessEnv): Promise<Fetch | undefined> {
  const proxy = findProxy(address, env);
  if (proxy === undefined) return undefined;
  const { proxiedFetch } = await import('./proxied-fetch.ts');
  return proxiedFetch(proxy);
}
