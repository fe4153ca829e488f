import type { ServerDescription } from '@orgchat/spec';
import type { GlobalOptions } from '../args/global-options.ts';
import { usageError } from '../errors/cli-error.ts';
import { parseDocument, readText } from '../input/read-input.ts';

/**
 * Reads the description of the server from the file in `--server` or `ORGCHAT_SERVER`; undefined if neither is set.
 * Throws a usage error (exit 3) that names the file and the problem.
 */
export async function readServer(
  options: Pick<GlobalOptions, 'server'>,
  env: NodeJS.ProcessEnv,
): Promise<ServerDescription | undefined> {
  const name = options.server ?? (env.ORGCHAT_SERVER || undefined);
  if (name === undefined) return undefined;
  const document = await parseDocument(await readText(name), name);
  const { resolveServer } = await import('@orgchat/spec');
  const { server, problem } = resolveServer(document ?? null);
  if (server !== undefined) return server;
  throw usageError(
    `${name}: ${problem}`,
    'Write { server: 1, codes: { staleRevision: VERSION_CHANGED, … } } as YAML or JSON. See: orgchat help server',
    'INVALID_SERVER',
  );
}
