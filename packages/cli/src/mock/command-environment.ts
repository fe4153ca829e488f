import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Addresses } from '@orgchat/mock-server';
import type { Context } from '../context.ts';
import { loopbackNoProxy } from '../settings/loopback.ts';
import { findServerFile } from '../settings/server-file.ts';
import { markName } from './process-group.ts';

/** What the names of all settings begin with. */
const prefix = 'ORGCHAT_';

/**
 * An environment without any setting of this toolkit, for programs that must not get a key, a journal or a directory of a
 * real API.
 */
export const withoutSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => name === markName || !name.toUpperCase().startsWith(prefix)),
  );

/** The directories of a command that runs with a mock, in the place of those of its user. */
export interface CommandFolder {
  readonly state: string;
  readonly config: string;
  remove(): Promise<void>;
}

export async function createCommandFolder(): Promise<CommandFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'orgchat-mock-'));
  const state = join(folder, 'state');
  const config = join(folder, 'config');
  await Promise.all([mkdir(state), mkdir(config)]);
  return { state, config, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The environment of a command that runs with a mock: what the mock sets, and no setting of the caller. */
export function createCommandEnvironment(
  context: Context,
  { baseUrl, controlUrl }: Pick<Addresses, 'baseUrl' | 'controlUrl'>,
  key: string,
  { state, config }: CommandFolder,
): NodeJS.ProcessEnv {
  return {
    ...withoutSettings(context.env),
    ...withoutProxy(context.env),
    ...getServerSetting(context),
    ORGCHAT_BASE_URL: baseUrl,
    ORGCHAT_API_KEY: key,
    ORGCHAT_MOCK_URL: controlUrl,
    ORGCHAT_STATE_DIR: state,
    ORGCHAT_CONFIG_DIR: config,
  };
}

/** The description of the server that the mock stands for: the command needs the same. */
export function getServerSetting({ options, env }: Pick<Context, 'options' | 'env'>): NodeJS.ProcessEnv {
  const file = findServerFile(options, env);
  return file === undefined ? {} : { ORGCHAT_SERVER: file };
}

/** Excludes this machine from proxies, for programs that do not do so themselves. */
function withoutProxy(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const noProxy = env.no_proxy || env.NO_PROXY;
  if (noProxy === '*') return {};
  const all = [noProxy, loopbackNoProxy].filter(Boolean).join(',');
  return { NO_PROXY: all, no_proxy: all };
}
