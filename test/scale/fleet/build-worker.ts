import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Bundles the worker from the sources into one file, because it starts many times. */
export async function buildWorker(): Promise<{ readonly file: string; remove(): Promise<void> }> {
  // Inside the repository, so that packages that are not bundled are found.
  const outDir = join(here, 'dist', String(process.pid));
  await build({
    config: false,
    silent: true,
    entry: { worker: join(here, 'worker-program.ts') },
    outDir,
    esbuildOptions(options) {
      options.conditions = ['orgchat-source', 'module'];
    },
    format: 'esm',
    outExtension: () => ({ js: '.mjs' }),
    platform: 'node',
    target: 'node20',
    noExternal: [/^@orgchat/],
    external: ['pg', 'ioredis', 'redis'],
  });
  return { file: join(outDir, 'worker.mjs'), remove: () => rm(outDir, { recursive: true, force: true }) };
}
