/*
 * Writes a package for both module systems of Node. The CommonJS build is made from the ES modules, file by file. The
 * ES modules that Node imports only re-export it, so that classes and process-wide state exist once in a process,
 * whether a program imports the package, requires it or does both.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { transform } from 'esbuild';
import { writeDeclarations } from './declarations.ts';

/** Returns the code of an ES module with its source map inside it, where esbuild reads it. */
function readWithMap(file: string): string {
  const code = readFileSync(file, 'utf8');
  return code.replace(/(?<=^\/\/# sourceMappingURL=)\S+\.map$/m, (map) => {
    const text = readFileSync(join(file, '..', map));
    return `data:application/json;base64,${text.toString('base64')}`;
  });
}

/**
 * Writes the CommonJS build of the ES modules in `from`, with their declarations, to the folder `to`. Its package.json
 * makes `.js` and `.d.ts` in it CommonJS, so every import keeps its path.
 */
export async function writeCommonJs(from: string, to: string, { sourcesContent = true } = {}): Promise<void> {
  rmSync(to, { recursive: true, force: true });
  for (const path of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    const target = join(to, path);
    if (path.endsWith('.js')) {
      mkdirSync(join(target, '..'), { recursive: true });
      const source = readWithMap(join(from, path));
      const sourcemap = source.includes('//# sourceMappingURL=') && 'external';
      const { code, map } = await transform(source, {
        format: 'cjs',
        platform: 'node',
        target: 'node20',
        // Where a program runs in a sandbox of its own, such as Jest's, only require() works in CommonJS.
        supported: { 'dynamic-import': false },
        // createRequire() takes a path too.
        define: { 'import.meta.url': '__filename' },
        sourcemap,
        sourcesContent,
        sourcefile: relative(to, join(from, path)),
      });
      writeFileSync(target, sourcemap ? `${code}//# sourceMappingURL=${path}.map\n` : code);
      if (sourcemap) writeFileSync(`${target}.map`, map);
    } else if (/\.d\.ts(\.map)?$/.test(path)) {
      mkdirSync(join(target, '..'), { recursive: true });
      copyFileSync(join(from, path), target);
    }
  }
  writeFileSync(join(to, 'package.json'), '{ "type": "commonjs" }\n');
}

/** Returns the names that a module of the CommonJS build exports. */
function exportsOf(file: string): string {
  return Object.keys(createRequire(import.meta.url)(file) as object).join(', ');
}

/** Writes an ES module to the folder `to` for each entry point, which exports what the CommonJS build of it exports. */
export function writeReexports(commonJs: string, to: string, entries: readonly string[]): void {
  mkdirSync(to, { recursive: true });
  for (const entry of entries) {
    const file = join(commonJs, `${entry}.js`);
    writeFileSync(join(to, `${entry}.js`), `export { ${exportsOf(file)} } from '${relative(to, file)}';\n`);
  }
}

/**
 * Does the same for Node alone, and quicker: the first CommonJS module that a process imports costs it 15 ms, for a
 * parser that finds out what it exports, and one that it requires costs nothing of the kind. Bundlers do not follow
 * such a require(), so they need the condition `module` in package.json.
 */
function writeRequiringReexports(commonJs: string, to: string, entries: readonly string[]): void {
  mkdirSync(to, { recursive: true });
  for (const entry of entries) {
    const file = join(commonJs, `${entry}.js`);
    const code = [
      "import { createRequire } from 'node:module';",
      `export const { ${exportsOf(file)} } = createRequire(import.meta.url)('${relative(to, file)}');`,
    ];
    writeFileSync(join(to, `${entry}.js`), `${code.join('\n')}\n`);
  }
}

/** Writes what a package with these entry points has beside its ES modules, in `dist/esm`: declarations and CommonJS. */
export async function writeModuleSystems(folder: string, entries: readonly string[]): Promise<void> {
  writeDeclarations(
    folder,
    entries.map((entry) => `${entry}.ts`),
  );
  await writeCommonJs(`${folder}dist/esm`, `${folder}dist/cjs`);
  writeRequiringReexports(`${folder}dist/cjs`, `${folder}dist/node-esm`, entries);
}
