import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCached } from '../../../../test/test-support/find-cached.ts';

const cache = fileURLToPath(new URL('../../../../node_modules/.cache/orgchat-postgres', import.meta.url));
const settings = ['-U', 'postgres', '--no-sync', '-A', 'trust', '-E', 'UTF8'];

/**
 * Makes the data of a new engine in a folder that does not exist. initdb takes longer than many tests, so its result is kept
 * and copied.
 */
export function createData(
  programs: string,
  data: string,
  user: { readonly uid?: number; readonly gid?: number },
): void {
  const options: ExecFileSyncOptions = { ...user, cwd: dirname(data), stdio: 'ignore' };
  const kept = join(cache, [basename(dirname(programs)), ...settings].join('').replaceAll(/[^\w-]/g, ''));
  if (findCached(kept)) {
    execFileSync('cp', ['-R', kept, data]);
    if (user.uid !== undefined) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, data]);
    return;
  }
  execFileSync(join(programs, 'initdb'), ['-D', data, ...settings], options);
  const draft = `${kept}.${process.pid}`;
  execFileSync('cp', ['-R', data, draft]);
  try {
    renameSync(draft, kept);
  } catch {
    // Another test file was faster.
    rmSync(draft, { recursive: true, force: true });
  }
}
