import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundleProgram } from './bundle-program.ts';
import { fromSources } from './from-sources.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Runs an example and returns its output. Its exit code must be 0. It is one file, which starts sooner, unless it starts
 * files of its folder.
 */
export async function runExample(name: string, { isBundled = true } = {}): Promise<string> {
  const program = join(root, 'examples', name, 'index.ts');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    isBundled ? [bundleProgram(program)] : [...fromSources, program],
    { cwd: root, env: { ...process.env, ORGCHAT_API_KEY: undefined, ORGCHAT_BASE_URL: undefined } },
  );
  return stdout;
}
