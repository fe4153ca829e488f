import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';

const here = fileURLToPath(new URL('.', import.meta.url));

export interface Programs {
  readonly client: string;
  readonly server: string;
  remove(): Promise<void>;
}

/** Bundles the two programs from the sources into one file each, because they start many times. */
export async function buildPrograms(): Promise<Programs> {
  // Inside the repository, so that packages that are not bundled are found.
  const outDir = join(here, 'dist', String(process.pid));
  await build({
    config: false,
    silent: true,
    entry: { client: join(here, 'client-program.ts'), server: join(here, 'server-program.ts') },
    outDir,
    esbuildOptions(options) {
      options.conditions = ['orgchat-source', 'module'];
    },
    format: 'esm',
    outExtension: () => ({ js: '.mjs' }),
    platform: 'node',
    target: 'node20',
    noExternal: [/.*/],
    external: ['libsql'],
    banner: {
      js: "import{createRequire as __required}from'node:module';const require=__required(import.meta.url);",
    },
  });
  return {
    client: join(outDir, 'client.mjs'),
    server: join(outDir, 'server.mjs'),
    remove: () => rm(outDir, { recursive: true, force: true }),
  };
}
