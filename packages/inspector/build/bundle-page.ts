import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Metafile } from 'esbuild';

/** What a browser loads, as text. */
export interface PageFiles {
  readonly html: string;
  readonly script: string;
  readonly style: string;
}

export interface PageBundle {
  readonly files: PageFiles;
  /** What the script is made of. Its paths are relative to `workingFolder`. */
  readonly metafile: Metafile;
  readonly workingFolder: string;
}

const workingFolder = fileURLToPath(new URL('../', import.meta.url));

/** Not a literal in import(), so that a bundle with a mock from its sources does not contain esbuild. */
const bundler: string = 'esbuild';

/** Bundles the page from its sources with esbuild. */
export async function bundlePage(): Promise<PageBundle> {
  const { build }: typeof import('esbuild') = await import(bundler);
  const [html, { outputFiles, metafile }] = await Promise.all([
    readFile(`${workingFolder}src/page.html`, 'utf8'),
    build({
      absWorkingDir: workingFolder,
      entryPoints: { inspector: 'src/main.tsx' },
      outdir: 'dist',
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      // light-dark() and nesting are left to the browser.
      supported: { nesting: true },
      legalComments: 'none',
      metafile: true,
      write: false,
      logLevel: 'warning',
    }),
  ]);
  const read = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  return { files: { html, script: read('.js'), style: read('.css') }, metafile, workingFolder };
}
