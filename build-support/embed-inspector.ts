import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'esbuild';
import { bundlePage, type PageBundle } from '../packages/inspector/build/bundle-page.ts';
import { docSources, renderDocs } from '../packages/inspector/build/render-docs.ts';
import { cached } from './cached.ts';

export { docSources };

let bundle: Promise<PageBundle> | undefined;

/** Bundles the page once for a build. */
export function loadInspectorBundle(): Promise<PageBundle> {
  bundle ??= bundlePage();
  return bundle;
}

/**
 * An esbuild plugin that puts the finished page and the documents into a bundle, compressed, in the place of the module
 * that builds them. Each is decompressed at the first request for it.
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
      const compress = (name: string, value: object): Promise<string> => {
        const text = JSON.stringify(value);
        return cached(name, [text], () => brotliCompressSync(text).toString('base64'));
      };
      const [page, docs] = await Promise.all([
        compress('inspector', files),
        compress('inspector-docs', await renderDocs()),
      ]);
      const contents = [
        "import { brotliDecompressSync } from 'node:zlib';",
        'let files, docs;',
        'const decompress = (text) => JSON.parse(brotliDecompressSync(Buffer.from(text, "base64")).toString());',
        `export const loadPage = async () => (files ??= decompress(${JSON.stringify(page)}));`,
        `export const loadDocs = async () => (docs ??= decompress(${JSON.stringify(docs)}));`,
      ];
      return { contents: contents.join('\n'), loader: 'js' };
    });
  },
};
