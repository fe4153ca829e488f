import type { ClientOptions } from '@orgchat/sdk';

type Fetch = NonNullable<ClientOptions['fetch']>;

const variables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'] as const;

const loopback = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/i;

/** What `NO_PROXY` says for this machine, for programs that do not know by themselves. */
export const loopbackNoProxy = 'localhost,127.0.0.1,::1';

/** The proxy for an address, where the environment names one: what runs on this machine is reached without. */
export function proxyFor(url: string, env: NodeJS.ProcessEnv): string | undefined {
  if (loopback.test(new URL(url).hostname)) return undefined;
  return variables.map((name) => env[name]).find((value) => value);
}

/** A fetch through the proxies of the environment; undefined where Node's own does. */
export async function fetchFor(url: string, env: NodeJS.ProcessEnv): Promise<Fetch | undefined> {
  if (proxyFor(url, env) === undefined) return undefined;
  const { proxiedFetch } = await import('./proxy.ts');
  return proxiedFetch();
}
