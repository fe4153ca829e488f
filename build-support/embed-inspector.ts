import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'esbuild';
import { bundlePage, type PageBundle } from '../packages/inspector/build/bundle-page.ts';
import { cached } from './cached.ts';

let bundle: Promise<PageBundle> | undefined;

/** Bundles the page once for a build. */
export function loadInspectorBundle(): Promise<PageBundle> {
  bundle ??= bundlePage();
  return bundle;
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
      const { files } = await loadInspectorBundle();
      const page = JSON.stringify(files);
      const compressed = await cached('inspector', [page], () => brotliCompressSync(page).toString('base64'));
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
