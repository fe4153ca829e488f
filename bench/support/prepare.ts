import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bench, built, root } from './paths.ts';

function run(command: string, ...args: string[]): void {
  // Output goes to stderr, because stdout is for the table.
  execFileSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
}

function installPeers(): void {
  const written = (path: string): number => (existsSync(path) ? statSync(path).mtimeMs : 0);
  const installed = written(join(bench, 'node_modules/.package-lock.json'));
  if (installed > written(join(bench, 'package-lock.json'))) return;
  run('npm', 'ci', '--prefix', bench, '--no-audit', '--no-fund', '--loglevel', 'error');
}

/**
 * Measured code runs on plain Node, because a loader that compiles changes the code. Packages are not bundled, so the
 * output of the build is measured.
 */
function compile(): void {
  rmSync(built, { recursive: true, force: true });
  const entries = ['suites', 'workers', 'peers'].flatMap((folder) =>
    readdirSync(join(bench, folder))
      .filter((file) => /\.(ts|mjs)$/.test(file) && !file.endsWith('.test.ts'))
      .map((file) => join(bench, folder, file)),
  );
  const options = ['--bundle', '--packages=external', '--format=esm', '--platform=node', '--target=node20'];
  const places = [`--outdir=${built}`, `--outbase=${bench}`, '--tsconfig-raw={}', '--log-level=warning'];
  run(join(bench, 'node_modules/.bin/esbuild'), ...entries, ...options, ...places);
}

/** Peers installed, packages built, the bench compiled. */
export function prepareAll(withPackages: boolean): void {
  installPeers();
  if (withPackages) run('npm', 'run', 'build', '--silent');
  compile();
}
