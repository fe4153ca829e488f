import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build, type Metafile, type Plugin } from 'esbuild';
import { embedInspector } from '../../../build-support/embed-inspector.ts';
import { omitCallTexts } from '../../../build-support/omit-call-texts.ts';
import { separateFiles } from '../../../build-support/separate-files.ts';

/** The folder of this package. */
export const packageFolder = fileURLToPath(new URL('../', import.meta.url));
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The help of the root is written now, so that printing it later takes no more than that. */
async function writeHelp(folder: string): Promise<void> {
  const run = 'void require(process.argv[1]).main(["--help"])';
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', run, join(folder, 'cli.cjs')]);
  await writeFile(join(folder, 'help.txt'), stdout);
}

/**
 * Bundles the command into a folder, for its package and for its tests. bin/orgchat.cjs reads one file; in it, what is
 * imported dynamically still waits until it is asked for. What is large and rarely needed has a file of its own, so that
 * the other commands do not parse it.
 *
 * @param plugins What else esbuild does, such as to write licenses.
 * @returns What is in the bundle. Its paths are relative to `packageFolder`.
 */
export async function bundleCommand(folder: string, plugins: readonly Plugin[] = []): Promise<Metafile> {
  const outdir = resolve(folder);
  const { metafile } = await build({
    absWorkingDir: packageFolder,
    entryPoints: { cli: 'src/main.ts' },
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minify: true,
    metafile: true,
    logLevel: 'warning',
    // bin/orgchat.cjs reads the maps only for --debug. A stack needs no sources; Node would print a line of kilobytes.
    sourcemap: true,
    sourcesContent: false,
    lineLimit: 200,
    // The other packages are bundled from their sources, so that building the command depends on no build order.
    conditions: ['orgchat-source', 'module'],
    mainFields: ['module', 'main'],
    // What is native and optional stays a package of its own, and so does undici: half as much as all the rest, it would
    // be read at every start, and is needed behind a proxy alone.
    external: ['libsql', '@napi-rs/keyring', 'undici'],
    // In CommonJS the place of a module is a path, and createRequire() takes that too.
    define: { 'import.meta.url': '__filename' },
    plugins: [
      ...plugins,
      separateFiles({
        yaml: 'yaml',
        openapi: `${root}spec/src/generated/openapi-yaml.ts`,
        'control-openapi': `${root}packages/mock-server/src/generated/control-openapi-yaml.ts`,
        inspector: '@orgchat/inspector',
      }),
      embedInspector,
      omitCallTexts,
    ],
  });
  await writeHelp(outdir);
  return metafile;
}
