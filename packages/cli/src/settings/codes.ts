import type { CodesOption } from '@orgchat/spec';
import { type Failure, usage } from '../failure.ts';
import type { GlobalOptions } from '../globals.ts';
import { parseDocument, readText } from '../input.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function invalid(message: string): Failure {
  return usage(
    message,
    'The file holds { codes: { staleRevision: VERSION_CHANGED, … } } as YAML or JSON. All meanings: orgchat help codes',
    'INVALID_CODES',
  );
}

/**
 * Reads the error codes of the server from the file that `--codes` or `ORGCHAT_CODES` names; undefined if neither
 * is given. Throws a usage failure (exit 3) that names the file and what is wrong in it.
 */
export async function readCodes(
  options: Pick<GlobalOptions, 'codes'>,
  env: NodeJS.ProcessEnv,
): Promise<CodesOption | undefined> {
  const name = options.codes ?? (env.ORGCHAT_CODES || undefined);
  if (name === undefined) return undefined;
  const document = await parseDocument(await readText(name), name);
  if (!isObject(document) || !('codes' in document)) throw invalid(`${name} has no "codes".`);
  const others = Object.keys(document).filter((key) => key !== 'codes');
  if (others.length > 0) throw invalid(`${name} has "${others.join('", "')}" beside "codes".`);
  const { resolveCodes } = await import('@orgchat/spec');
  const { problem } = resolveCodes(document.codes);
  if (problem !== undefined) throw invalid(`${name}: ${problem}`);
  return document.codes as CodesOption;
}
