import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildSync, type Metafile } from 'esbuild';

/** The paths of an output and of everything that is loaded with it. What it imports dynamically is not. */
function loadedWith(path: string, outputs: Metafile['outputs'], loaded = new Set<string>()): Set<string> {
  if (loaded.has(path)) return loaded;
  loaded.add(path);
  for (const { path: imported, kind } of outputs[path]?.imports ?? [])
    if (kind === 'import-statement') loadedWith(imported, outputs, loaded);
  return loaded;
}

/**
 * The gzipped size of everything that is loaded with modules, dependencies included, minified for Node as a consumer's
 * bundler would do it. What they load later, with `import()`, does not count. Package names are resolved from the
 * folder `from`.
 */
export async function bundledSize(modules: readonly string[], from: string): Promise<number> {
  const exported = modules.map(async (module) => {
    const name = JSON.stringify(module);
    // `export *` omits the default export.
    const hasDefault = 'default' in (await import(module));
    return `export * from ${name};${hasDefault ? `export { default } from ${name};` : ''}`;
  });
  const { outputFiles, metafile } = buildSync({
    stdin: { contents: (await Promise.all(exported)).join('\n'), resolveDir: from },
    bundle: true,
    splitting: true,
    outdir: '.',
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    tsconfigRaw: {},
    logLevel: 'error',
    metafile: true,
    write: false,
  });
  const entry =
    Object.keys(metafile.outputs).find((path) => metafile.outputs[path]?.entryPoint === '<stdin>') ?? '';
  const loaded = [...loadedWith(entry, metafile.outputs)].map((path) => resolve(path));
  const contents = outputFiles.filter(({ path }) => loaded.includes(path)).map((file) => file.contents);
  return gzipSync(Buffer.concat(contents), { level: 9 }).length;
}
