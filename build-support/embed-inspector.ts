import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'esbuild';
import { bundlePage, type PageBundle } from '../packages/inspector/build/bundle-page.ts';
import { cached } from './cached.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

let bundle: Promise<PageBundle> | undefined;

/** Bundles the page once for a build. */
export function loadInspectorBundle(): Promise<PageBundle> {
  bundle ??= bundlePage();
  return bundle;
}

/** The texts of all files that the page is made of, with the versions of its packages. */
function readPageSources(): Buffer[] {
  const folders = ['packages/inspector/src', 'packages/inspector/build'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return ['package-lock.json', ...files.sort()].map((file) => readFileSync(resolve(root, file)));
}

async function compressPage(): Promise<string> {
  const { files } = await loadInspectorBundle();
  return brotliCompressSync(JSON.stringify(files)).toString('base64');
}

/**
 * An esbuild plugin that puts the finished page into a bundle, compressed, in the place of the module that builds it. It
 * is decompressed at the first request for the page.
 */
export const embedInspector: Plugin = {
  name: 'embed-inspector',
  setup(build) {
    build.onResolve({ filter: /^@orgchat\/inspector$/ }, ({ path }) => ({
      path,
      namespace: 'embedded-inspector',
      sideEffects: false,
    }));
    build.onLoad({ filter: /.*/, namespace: 'embedded-inspector' }, async () => {
      const compressed = await cached('inspector', readPageSources(), compressPage);
      const contents = [
        "import { brotliDecompressSync } from 'node:zlib';",
        'let files;',
        `const compressed = ${JSON.stringify(compressed)};`,
        'const decompress = () => JSON.parse(brotliDecompressSync(Buffer.from(compressed, "base64")).toString());',
        'export const loadPage = async () => (files ??= decompress());',
      ];
      return { contents: contents.join('\n'), loader: 'js' };
    });
  },
};
