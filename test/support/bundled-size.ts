import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

/**
 * Bytes of everything that modules export, with all they depend on: one file for Node as a consumer's bundler would
 * ship it, minified, after gzip. Names of packages are resolved from a folder; it must be installed there, and where
 * this runs.
 */
export async function bundledSize(modules: readonly string[], from: string): Promise<number> {
  const exported = modules.map(async (module) => {
    const name = JSON.stringify(module);
    // `export *` leaves the default out.
    const hasDefault = 'default' in (await import(module));
    return `export * from ${name};${hasDefault ? `export { default } from ${name};` : ''}`;
  });
  const { outputFiles } = buildSync({
    stdin: { contents: (await Promise.all(exported)).join('\n'), resolveDir: from },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    tsconfigRaw: {},
    logLevel: 'error',
    write: false,
  });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
}
