import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

/** The most that all of `@orgchat/sdk` may take as one file, in bytes. */
export const mostSdkBytes = 58_800;

/**
 * The gzipped size of modules as one file, dependencies and what is loaded later included, minified for Node as a
 * consumer's bundler would do it. Package names are resolved from the folder `from`.
 */
export async function bundledSize(modules: readonly string[], from: string): Promise<number> {
  const exported = modules.map(async (module) => {
    const name = JSON.stringify(module);
    // `export *` omits the default export.
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
  return gzipSync(Buffer.concat(outputFiles.map(({ contents }) => contents)), { level: 9 }).length;
}
