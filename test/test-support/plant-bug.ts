import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/** An esbuild plugin that adds a bug to the files that `file` matches: it is thrown after `code`, on the same line. */
export const plantBug = (file: RegExp, code: string): Plugin => ({
  name: 'plant-bug',
  setup(build) {
    build.onLoad({ filter: file }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const contents = source.replace(code, '$& throw new TypeError("planted");');
      if (contents === source) throw new Error(`${path} does not contain ${code}`);
      return { contents, loader: 'ts' };
    });
  },
});
