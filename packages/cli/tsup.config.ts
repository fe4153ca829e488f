import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { defineConfig, type Options } from 'tsup';
import { embedInspector, loadInspectorBundle } from '../../build-support/embed-inspector.ts';
import { omitCallTexts } from '../../build-support/omit-call-texts.ts';
import { separateFiles } from '../../build-support/separate-files.ts';
import { thirdPartyLicenses } from '../../build-support/third-party-licenses.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The help of the root is written now, so that printing it later takes no more than that. */
async function writeHelp(folder: string): Promise<void> {
  const run = 'void require(process.argv[1]).main(["--help"])';
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', run, resolve(folder, 'cli.cjs')]);
  await writeFile(join(folder, 'help.txt'), stdout);
}

/**
 * bin/orgchat.cjs reads one file; in it, what is imported dynamically still waits until it is asked for. What is large and
 * rarely needed has a file of its own, so that the other commands do not parse it.
 */
export const createConfig = ({ outDir = 'dist' }: Options) =>
  ({
    entry: { cli: 'src/main.ts' },
    outDir,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minify: true,
    // bin/orgchat.cjs reads the maps only for --debug. A stack needs no sources; Node would print a line of kilobytes.
    sourcemap: true,
    esbuildOptions(options) {
      // The other packages are bundled from their sources, so that building the command depends on no build order.
      options.conditions = ['orgchat-source', 'module'];
      options.sourcesContent = false;
      options.lineLimit = 200;
    },
    clean: true,
    // What is native and optional stays a package of its own, and so does undici: half as much as all the rest, it would
    // be read at every start, and is needed behind a proxy alone.
    external: ['libsql', '@napi-rs/keyring', 'undici'],
    noExternal: [/^(?!libsql$|@napi-rs\/keyring$|undici$)/],
    // In CommonJS the place of a module is a path, and createRequire() takes that too.
    define: { 'import.meta.url': '__filename' },
    esbuildPlugins: [
      separateFiles({
        yaml: 'yaml',
        openapi: `${root}spec/src/generated/openapi-yaml.ts`,
        'control-openapi': `${root}packages/mock-server/src/generated/control-openapi-yaml.ts`,
        inspector: '@orgchat/inspector',
      }),
      embedInspector,
      omitCallTexts,
      thirdPartyLicenses(fileURLToPath(new URL('.', import.meta.url)), loadInspectorBundle),
    ],
    onSuccess: () => writeHelp(outDir),
  }) satisfies Options;

export default defineConfig(createConfig);
