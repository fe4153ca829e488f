/* The entry point for pages and workers, as one file: the sources of the mock with web interfaces instead of Node's. */
import { fileURLToPath } from 'node:url';
import { type BuildResult, build, type Plugin } from 'esbuild';
import { omitCallTexts } from '../../build-support/omit-call-texts.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** The only module of which browsers have another one. */
const replacePlatform: Plugin = {
  name: 'replace-platform',
  setup({ onResolve }) {
    const path = `${folder}src/browser/platform.ts`;
    onResolve({ filter: /[\\/]platform\.ts$/ }, () => ({ path }));
  },
};

interface BrowserBundle extends BuildResult<{ readonly write: false; readonly metafile: true }> {
  /** What the paths of the metafile are relative to. */
  readonly workingFolder: string;
}

/** Bundles the mock for browsers. An import of a module of Node is an error. */
export async function bundleBrowser(format: 'esm' | 'cjs', minify = false): Promise<BrowserBundle> {
  const result = await build({
    absWorkingDir: folder,
    entryPoints: [`${folder}src/browser/index.ts`],
    outfile: `${folder}dist/${format}/browser.js`,
    bundle: true,
    format,
    minify,
    platform: 'browser',
    target: 'es2022',
    conditions: ['orgchat-source'],
    tsconfigRaw: {},
    sourcemap: true,
    sourcesContent: false,
    plugins: [omitCallTexts, replacePlatform],
    logLevel: 'error',
    metafile: true,
    write: false,
  });
  return { ...result, workingFolder: folder };
}
