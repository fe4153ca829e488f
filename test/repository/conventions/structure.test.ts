import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** Folders with sources, the contract included. */
const packages = [...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`), 'spec'].filter(
  (folder) => existsSync(join(root, folder, 'src')),
);

/** More files than this cannot be taken in at a glance. */
const limits = { root: 12, folder: 24 };

const listSources = (folder: string): string[] =>
  readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test(?:-d)?\.tsx?$/.test(file))
    .map((file) => join(root, folder, 'src', file));

/** Everything of a package in TypeScript, tests and their helpers included. */
const listFiles = (folder: string): string[] =>
  ['src', 'test', 'test-support']
    .map((inner) => join(root, folder, inner))
    .filter((inner) => existsSync(inner))
    .flatMap((inner) =>
      readdirSync(inner, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file))
        .map((file) => join(inner, file)),
    );

/** The folders with more files than they may have, and how many they have. */
function findCrowded(files: readonly string[], limit: (folder: string) => number): [string, number][] {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts].filter(([path, count]) => count > limit(path));
}

const isInPackage = (path: string): boolean => /^(?:packages|spec)[\\/]/.test(relative(root, path));

const isTest = (file: string): boolean => /\.test\.tsx?$|[\\/]test(?:-support)?[\\/]/.test(file);

/** The paths of a source's imports: types, and what is loaded only when it is needed, included. */
const listImports = (source: string): string[] =>
  ts.preProcessFile(source, true, true).importedFiles.map(({ fileName }) => fileName);

/** The files that a file imports by a relative path. */
const findImports = (file: string): string[] =>
  listImports(readFileSync(file, 'utf8'))
    .filter((path) => path.startsWith('.'))
    .map((path) => resolve(dirname(file), path));

/** Circles of imports, each as the files in it. */
function findCircles(files: readonly string[]): string[][] {
  const imports = new Map(files.map((file) => [file, findImports(file)]));
  const done = new Set<string>();
  const circles: string[][] = [];
  const visit = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at !== -1) circles.push(path.slice(at).map((one) => relative(root, one)));
    if (at !== -1 || done.has(file)) return;
    for (const next of imports.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  return circles;
}

/** Folders directly below `src` of which each imports the other, types included. Files of `src` itself do not count. */
function findFolderPairs(base: string, files: readonly string[]): string[] {
  const folderOf = (path: string): string | undefined => {
    const [folder = '', ...rest] = relative(join(base, 'src'), path).split(sep);
    return rest.length > 0 && folder !== '..' ? folder : undefined;
  };
  const uses = new Map<string, Set<string>>();
  for (const file of files) {
    const folder = folderOf(file);
    if (folder === undefined) continue;
    const used = uses.get(folder) ?? new Set();
    uses.set(folder, used);
    for (const path of findImports(file)) used.add(folderOf(path) ?? folder);
  }
  return [...uses.keys()].sort().flatMap((one) =>
    [...(uses.get(one) ?? [])]
      .filter((other) => one < other && uses.get(other)?.has(one))
      .sort()
      .map((other) => `${one} and ${other}`),
  );
}

test('an import is found in each form, and not in a string or a comment', () => {
  const source = `
    import { a, type A } from './a.ts';
    import type { B } from './b.ts';
    export { c } from './c.ts';
    export * from './d.ts';
    import './e.ts';
    const f = await import('./f.ts'); // import('./g.ts')
    write("export { it } from '../h.js';");
    write('export { it } from "../i.js";');
    const text = \`
export { it } from '../j.js';
\`;
  `;
  expect(listImports(source)).toEqual(['./a.ts', './b.ts', './c.ts', './d.ts', './e.ts', './f.ts']);
});

test('no files of the repository import each other in a circle, tests included', () => {
  const tracked = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs'], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = tracked
    .trim()
    .split('\n')
    .map((file) => join(root, file));
  expect(files.length).toBeGreaterThan(1_000);
  expect(findCircles(files.filter((file) => existsSync(file)))).toEqual([]);
});

describe.each(packages)('the sources of %s', (folder) => {
  const files = listSources(folder);
  const base = join(root, folder);

  test('have at most 12 files at the root and 24 in any other folder', () => {
    expect(findCrowded(files, (path) => (path === join(base, 'src') ? limits.root : limits.folder))).toEqual(
      [],
    );
  });

  test('have tests, and what these share, in folders of at most 24 files', () => {
    const outside = listFiles(folder).filter((file) => !file.startsWith(join(base, 'src')));
    expect(findCrowded(outside, () => limits.folder)).toEqual([]);
  });

  test('and its tests import no other package by a relative path', () => {
    const crossing = listFiles(folder).flatMap((file) =>
      findImports(file)
        .filter((path) => relative(base, path).startsWith('..'))
        // Tests may use the helpers of other packages and of the whole repository.
        .filter((path) => !(isTest(file) && path.includes('/test-support/')))
        .filter((path) => isInPackage(path) || file.startsWith(join(base, 'src')))
        .map((path) => `${relative(root, file)} imports ${relative(root, path)}`),
    );
    expect(crossing).toEqual([]);
  });

  test('have beside them only tests that are named after one of them', () => {
    const names = readdirSync(join(base, 'src'), { recursive: true, encoding: 'utf8' });
    const isAlone = (name: string): boolean => !names.some((one) => one.replace(/\.tsx?$/, '') === name);
    const tests = names.filter((name) => /\.test(?:-d)?\.tsx?$/.test(name));
    expect(tests.filter((test) => isAlone(test.replace(/(?:\.[\w-]+)+$/, '')))).toEqual([]);
  });

  test('are in folders of which no two need each other', () => {
    expect(findFolderPairs(base, files)).toEqual([]);
  });
});

test('in the mock server only the root uses the control API, which uses all the rest', () => {
  const source = join(root, 'packages/mock-server/src');
  const isControl = (path: string): boolean => path.startsWith(join(source, 'control', sep));
  const users = listSources('packages/mock-server').filter(
    (file) => dirname(file) !== source && !isControl(file) && findImports(file).some(isControl),
  );
  expect(users.map((file) => relative(root, file))).toEqual([]);
});

/** The packages of which a source takes names by a dynamic import; that of a default export is not one. */
function findLazyNames(source: string): string[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const takesDefault = ({ parent }: ts.Node): boolean =>
    ts.isVariableDeclaration(parent.parent) &&
    ts.isObjectBindingPattern(parent.parent.name) &&
    parent.parent.name.elements.every(({ propertyName }) => propertyName?.getText() === 'default');
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [path] = node.arguments;
      if (
        path &&
        ts.isStringLiteral(path) &&
        !/^(?:\.|node:|@orgchat\/)/.test(path.text) &&
        !takesDefault(node)
      )
        found.push(path.text);
    }
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

test('names that a dynamic import takes of a package are found', () => {
  const source = `
    const { parse } = await import('yaml');
    const { default: bars } = await import('cli-progress');
    const { own } = await import('./own.ts');
    const load = () => import('diff');
  `;
  expect(findLazyNames(source)).toEqual(['yaml', 'diff']);
});

test.each(packages)('%s takes no names of a bundled package by a dynamic import', (folder) => {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Record<
    string,
    Readonly<Record<string, string>> | undefined
  >;
  // What users install is not bundled. Of a bundled CommonJS package, a dynamic import has only the default export: a
  // file that imports it statically can be imported dynamically instead.
  const installed = ['dependencies', 'optionalDependencies', 'peerDependencies'].flatMap((field) =>
    folder === 'spec' ? [] : Object.keys(manifest[field] ?? {}),
  );
  const lazy = listSources(folder).flatMap((file) =>
    findLazyNames(readFileSync(file, 'utf8'))
      .filter((name) => !installed.includes(name))
      .map((name) => `${relative(root, file)} imports ${name}`),
  );
  expect(lazy).toEqual([]);
});
