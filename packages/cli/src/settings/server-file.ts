import { resolve } from 'node:path';
import type { ServerDescription } from '@orgchat/spec';
import type { GlobalOptions } from '../args/global-options.ts';
import { toShellWord } from '../args/shell-word.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { parseDocument, readText } from '../input/read-input.ts';
import { findActiveProfile } from './api-target.ts';

/** The value of `--server` that selects no file. */
const noFile = 'none';

type ServerOptions = Pick<GlobalOptions, 'server'>;

/** The file of this run: `--server`, then `ORGCHAT_SERVER`. */
const findFile = (options: ServerOptions, env: NodeJS.ProcessEnv): string | undefined =>
  options.server ?? (env.ORGCHAT_SERVER || undefined);

/** The name of a file that a profile can remember; undefined for `none`. */
export const toServerFile = (given: string): string | undefined =>
  given === noFile ? undefined : resolve(given);

/** The absolute path of the file of this run; undefined if none is set, or for `none`. */
export function findServerFile(options: ServerOptions, env: NodeJS.ProcessEnv): string | undefined {
  const given = findFile(options, env);
  return given === undefined ? undefined : toServerFile(given);
}

/**
 * Reads the description of the server from the file in `--server` or `ORGCHAT_SERVER`; undefined if neither is set, or
 * for `none`. Throws a usage error (exit 3) that names the file and the problem.
 */
export async function readServer(
  options: ServerOptions,
  env: NodeJS.ProcessEnv,
): Promise<ServerDescription | undefined> {
  const name = findFile(options, env);
  return name === undefined || name === noFile ? undefined : readServerFile(name);
}

/** Reads the description as `readServer` does, otherwise from the file of the profile whose server is used. */
export async function resolveServerFile(
  options: GlobalOptions,
  env: NodeJS.ProcessEnv,
): Promise<ServerDescription | undefined> {
  if (findFile(options, env) !== undefined) return readServer(options, env);
  const active = await findActiveProfile(options, env);
  const file = active?.profile.server;
  if (active === undefined || file === undefined) return undefined;
  return readServerFile(file).catch((error: unknown) => {
    if (!(error instanceof CliError)) throw error;
    const { code, message, hint } = error;
    throw usageError(
      `Profile "${active.name}" remembers ${file} with --server. ${message}`,
      `${hint} Or log in with another file, or with --server none: orgchat auth login --profile ${toShellWord(active.name)} --server FILE`,
      code,
    );
  });
}

/** Checks a description as its readers do: its format, and that no two parts of it are at one place. */
export async function checkDescription(
  document: unknown,
): Promise<{ server: ServerDescription; problem?: undefined } | { server?: undefined; problem: string }> {
  const { findSharedPlace, resolveServer } = await import('@orgchat/spec');
  const { server, problem } = resolveServer(document ?? null);
  if (server === undefined) return { problem };
  const shared = findSharedPlace(server);
  return shared === undefined ? { server } : { problem: shared };
}

/** Reads a description from a file. Throws a usage error (exit 3) that names the file and the problem. */
export async function readServerFile(name: string): Promise<ServerDescription> {
  const { server, problem } = await checkDescription(await parseDocument(await readText(name), name));
  if (server !== undefined) return server;
  throw usageError(
    `${name}: ${problem}`,
    'Write { server: 1, codes: { staleRevision: VERSION_CHANGED, … } } as YAML or JSON. See: orgchat help server',
    'INVALID_SERVER',
  );
}
