import { spawn, spawnSync } from 'node:child_process';
import { bundleProgram } from '../../../../test/test-support/bundle-program.ts';

/* Processes with process numbers of their own, as those in a container have. */

const unshare = ['--pid', '--fork', '--kill-child', '--mount-proc'];

export const canUnshare =
  process.platform === 'linux' &&
  spawnSync('unshare', [...unshare, 'true'], { stdio: 'ignore' }).status === 0;

/** Starts a program of this repository in a namespace of its own. When it ends, everything in the namespace ends. */
export function spawnNamespaced(program: string, ...args: readonly string[]) {
  return spawn('unshare', [...unshare, process.execPath, bundleProgram(program), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
