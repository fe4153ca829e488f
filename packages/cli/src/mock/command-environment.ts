import type { Addresses } from '@orgchat/mock-server';
import type { Context } from '../context.ts';
import { loopbackNoProxy } from '../settings/loopback.ts';
import { serverEnvironment } from './run-mock.ts';

/** The environment of a command that runs with a mock: its addresses and a key, and no settings of a real API. */
export function createCommandEnvironment(
  context: Context,
  { baseUrl, controlUrl }: Pick<Addresses, 'baseUrl' | 'controlUrl'>,
  key: string,
): NodeJS.ProcessEnv {
  return {
    ...context.env,
    ORGCHAT_BASE_URL: baseUrl,
    ORGCHAT_API_KEY: key,
    ORGCHAT_MOCK_URL: controlUrl,
    ...serverEnvironment(context),
    ...withoutProxy(context.env),
    ORGCHAT_API_KEY_FILE: undefined,
    ORGCHAT_PROFILE: undefined,
  };
}

/** Excludes this machine from proxies, for programs that do not do so themselves. */
function withoutProxy(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const noProxy = env.no_proxy || env.NO_PROXY;
  if (noProxy === '*') return {};
  const all = [noProxy, loopbackNoProxy].filter(Boolean).join(',');
  return { NO_PROXY: all, no_proxy: all };
}
