import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fromSources } from './from-sources.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Runs an example as a user would and returns its output. Its exit code must be 0. */
export async function runExample(name: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...fromSources, `examples/${name}/index.ts`],
    { cwd: root, env: { ...process.env, ORGCHAT_API_KEY: undefined, ORGCHAT_BASE_URL: undefined } },
  );
  return stdout;
}
