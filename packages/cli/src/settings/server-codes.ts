import type { CodesOption } from '@orgchat/spec';
import { isObject } from '@orgchat/spec/is-object';
import type { GlobalOptions } from '../args/global-options.ts';
import { type CliError, usageError } from '../errors/cli-error.ts';
import { parseDocument, readText } from '../input/read-input.ts';

function invalidCodesError(message: string): CliError {
  return usageError(
    message,
    'Write { codes: { staleRevision: VERSION_CHANGED, … } } as YAML or JSON. List all meanings: orgchat help codes',
    'INVALID_CODES',
  );
}

/**
 * Reads the error codes of the server from the file in `--codes` or `ORGCHAT_CODES`; undefined if neither is set.
 * Throws a usage error (exit 3) that names the file and the problem.
 */
export async function readCodes(
  options: Pick<GlobalOptions, 'codes'>,
  env: NodeJS.ProcessEnv,
): Promise<CodesOption | undefined> {
  const name = options.codes ?? (env.ORGCHAT_CODES || undefined);
  if (name === undefined) return undefined;
  const document = await parseDocument(await readText(name), name);
  if (!isObject(document) || !('codes' in document)) throw invalidCodesError(`${name} has no "codes".`);
  const others = Object.keys(document).filter((key) => key !== 'codes');
  if (others.length > 0)
    throw invalidCodesError(`${name} contains "${others.join('", "')}" in addition to "codes".`);
  const { resolveCodes } = await import('@orgchat/spec');
  const { problem } = resolveCodes(document.codes);
  if (problem !== undefined) throw invalidCodesError(`${name}: ${problem}`);
  return document.codes as CodesOption;
}
