/*
 * Writes the declaration files of a package beside its bundle, one for each source file that an entry point shows, and
 * their maps: an editor that is asked for a definition opens the source, which is in the package.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

/** Matches the path of a source file of the same package in an import, an export or an import type. */
const relativeImport = /(?<=from '|from "|import\('|import\(")(\.\.?\/[^'"]+)\.ts(?=['"])/g;

interface Declaration {
  readonly text: string;
  readonly map: string;
}

/**
 * Writes the declarations of `entries`, paths below `src`, to `dist/esm`.
 *
 * @throws Error if a declaration cannot be made, such as for a type that has no name outside of its file.
 */
export function writeDeclarations(packageFolder: string, entries: readonly string[]): void {
  const src = join(packageFolder, 'src');
  const dist = join(packageFolder, 'dist/esm');
  const root = resolve(packageFolder, '../..');
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root);
  const program = ts.createProgram(
    entries.map((entry) => join(src, entry)),
    {
      ...options,
      noEmit: false,
      declaration: true,
      declarationMap: true,
      emitDeclarationOnly: true,
      stripInternal: true,
      rootDir: src,
      outDir: dist,
    },
  );

  function emit(file: string): Declaration {
    let text = '';
    let map = '';
    const { diagnostics } = program.emit(program.getSourceFile(file), (name, content) => {
      if (name.endsWith('.map')) map = content;
      else text = content;
    });
    if (diagnostics.length > 0 || text === '') {
      const words = diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
      throw new Error(`No declarations of ${relative(root, file)}: ${words.join('; ')}`);
    }
    return { text, map };
  }

  // Only what an entry point shows: what is imported by no declaration is nobody's business.
  const pending = entries.map((entry) => join(src, entry));
  const done = new Set<string>();
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (done.has(file)) continue;
    done.add(file);
    const { text, map } = emit(file);
    for (const [, path = ''] of text.matchAll(relativeImport))
      pending.push(resolve(dirname(file), `${path}.ts`));
    const target = join(dist, relative(src, file)).replace(/\.ts$/, '.d.ts');
    mkdirSync(dirname(target), { recursive: true });
    // As long as before, so that the map still fits.
    writeFileSync(target, text.replace(relativeImport, '$1.js'));
    writeFileSync(`${target}.map`, map);
  }
}
