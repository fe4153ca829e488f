import { basename, resolve } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * An esbuild plugin that puts modules into files of their own beside a CommonJS bundle, where they are required when they
 * are needed: Node parses the whole of a file when it loads it. Each key is the name of a file, each value the name of a
 * package or the path of a module.
 */
export const separateFiles = (modules: Readonly<Record<string, string>>): Plugin => ({
  name: 'separate-files',
  setup(build) {
    build.initialOptions.entryPoints = { ...(build.initialOptions.entryPoints as object), ...modules };
    // Asked for every import, esbuild would wait for this process most of the time.
    const names = Object.values(modules).map((module) => basename(module).replaceAll('.', String.raw`\.`));
    build.onResolve(
      { filter: new RegExp(`(?:^|[\\\\/])(?:${names.join('|')})$`) },
      ({ kind, path, resolveDir }) => {
        if (kind === 'entry-point') return undefined;
        const file = Object.keys(modules).find((name) =>
          [path, resolve(resolveDir, path)].includes(modules[name] ?? ''),
        );
        return file === undefined ? undefined : { path: `./${file}.cjs`, external: true };
      },
    );
  },
});
