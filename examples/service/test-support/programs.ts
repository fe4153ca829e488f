import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('./', import.meta.url));

/** Bundles the service and the mock into a file each, because they start many times. Returns their paths. */
export async function buildPrograms(): Promise<{ readonly service: string; readonly mock: string }> {
  const outdir = mkdtempSync(join(tmpdir(), 'service-programs-'));
  await build({
    entryPoints: { service: join(here, 'service-program.ts'), mock: join(here, 'mock-program.ts') },
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['libsql'],
    // Some packages of the mock are CommonJS.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  return { service: join(outdir, 'service.mjs'), mock: join(outdir, 'mock.mjs') };
}
