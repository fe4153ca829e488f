import { spawn, spawnSync } from 'node:child_process';
import { fromSources } from '../../../test/test-support/from-sources.ts';

/* Processes with process numbers of their own, as those in a container have. */

const unshare = ['--pid', '--fork', '--kill-child', '--mount-proc'];

export const canUnshare =
  process.platform === 'linux' &&
  spawnSync('unshare', [...unshare, 'true'], { stdio: 'ignore' }).status === 0;

/** Starts a program of this repository in a namespace of its own. When it ends, everything in the namespace ends. */
export function spawnNamespaced(program: string, ...args: readonly string[]) {
  return spawn('unshare', [...unshare, process.execPath, ...fromSources, program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
