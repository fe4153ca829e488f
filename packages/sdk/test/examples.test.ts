import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, describe, expect, test } from 'vitest';
import { readPages } from '../../../test/test-support/read-pages.ts';
import * as sdk from '../src/index.ts';
import * as internal from '../src/internal.ts';
import * as conformance from '../src/journal-conformance.ts';
import * as node from '../src/node.ts';
import { type ExampleWorld, worldNames } from '../test-support/example-names.ts';
import { openHome, openWorld } from '../test-support/example-world.ts';
import { compilerOptions, createProgram, listPublicSymbols } from '../test-support/public-symbols.ts';

/*
 * Functions, methods, groups of options and classes have an example of their own in their docstring, and nothing else has.
 * It compiles and runs, against a mock in this process. What counts as a symbol, and which need an example, is in
 * test-support/public-symbols.ts, what an example may use in test-support/example-world.ts.
 */

/** The working directory, as the examples see it. */
const workingFolder = mkdtempSync(join(tmpdir(), 'examples-'));

const modules: Readonly<Record<string, object>> = {
  '@orgchat/sdk': sdk,
  '@orgchat/sdk/node': {
    ...node,
    fileJournal: (folder = 'journal') => node.fileJournal(resolve(workingFolder, folder)),
    fileCursor: (name: string) => node.fileCursor(name, { directory: join(workingFolder, 'cursors') }),
  },
  '@orgchat/sdk/journal-conformance': conformance,
};
const program = createProgram();
const symbols = listPublicSymbols(program);
const examples = symbols.flatMap(({ path, name, example }) =>
  example === undefined ? [] : [{ path, name, example }],
);

/** All examples as the functions of one file, and the line on which each begins. */
function writeFile(): { readonly text: string; readonly starts: readonly number[] } {
  const lines = Object.keys(modules).map((module) => {
    const entry = module.split('/')[2] ?? 'index';
    const names = symbols
      .filter((one) => one.entry === entry && !one.path.includes('.'))
      .map(({ name }) => name);
    return `import { ${names.join(', ')} } from '${module}';`;
  });
  lines.push("import type { ExampleWorld } from '../test-support/example-names.ts';");
  lines.push('export const run: ((world: ExampleWorld) => Promise<void>)[] = [];');
  const starts = examples.map(({ example }) => {
    lines.push(`run.push(async ({ ${worldNames.join(', ')} }) => {{`);
    const start = lines.length + 1;
    // A return would end the function around the example.
    lines.push(...example.split('\n'), '}});');
    return start;
  });
  return { text: lines.join('\n'), starts };
}

const { text, starts } = writeFile();

describe('the example of a public symbol', () => {
  test('exists where it teaches how something is called, and nowhere else', () => {
    expect(symbols.length).toBeGreaterThan(300);
    const paths = (list: typeof symbols) => list.map(({ path }) => path);
    expect(paths(symbols.filter((one) => one.needsExample && one.example === undefined))).toEqual([]);
    expect(paths(symbols.filter((one) => !one.needsExample && one.example !== undefined))).toEqual([]);
  });

  test('is in no other docstring', () => {
    const root = fileURLToPath(new URL('../src', import.meta.url));
    const tags = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.ts$/.test(file) && !/\.test(-d)?\.ts$/.test(file) && !file.includes('openapi.ts'))
      .flatMap((file) => readFileSync(join(root, file), 'utf8').match(/^\s*\* @example/gm) ?? []);
    expect(tags).toHaveLength(examples.length);
  });

  test('comes after a sentence, which every symbol has', () => {
    expect(symbols.flatMap(({ path, words }) => (words.length < 10 ? [path] : []))).toEqual([]);
  });

  test('shows the symbol, and is of no other', () => {
    const withoutName = examples.filter(({ name, example }) => !new RegExp(`\\b${name}\\b`).test(example));
    expect(withoutName.map(({ path }) => path)).toEqual([]);
    const texts = new Map<string, string>();
    const repeated = examples.filter(({ path, example }) => {
      const isKnown = texts.has(example);
      texts.set(example, path);
      return isKnown;
    });
    expect(repeated.map(({ path }) => path)).toEqual([]);
  });

  test('compiles', () => {
    const file = fileURLToPath(new URL('../src/all-examples.virtual.ts', import.meta.url));
    const withExamples = createProgram(new Map([[file, text]]), program);
    const compiled = withExamples.getSourceFile(file);
    const found = [
      ...withExamples.getSyntacticDiagnostics(compiled),
      ...withExamples.getSemanticDiagnostics(compiled),
    ];
    const problems = found.map(({ start = 0, messageText }) => {
      const line = (compiled?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
      const index = starts.findLastIndex((first) => first <= line);
      return `${examples[index]?.path}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
    expect(problems).toEqual([]);
  });
});

test('no text for users names what only the command imports', () => {
  const names = Object.keys(internal).filter((name) => !(name in sdk));
  expect(names).toContain('createOnce');
  const pages = Array.from(readPages('sdk'), ([path, words]) => ({ path, words, example: '' }));
  const texts = [...pages, ...symbols];
  const found = texts.flatMap(({ path, words, example }) =>
    names
      .filter((name) => new RegExp(`\\b${name}\\b`).test(words + example))
      .map((name) => `${path}: ${name}`),
  );
  expect(found).toEqual([]);
});

/** The values that comments say are printed: `console.log(status); // 400: an id is a UUID`. */
function findPrintedValues(example: string): string[] {
  const comments = example.matchAll(/console\.log\(.*\); \/\/ ((?:true|false|undefined|\d+| )+)(?:$|:)/gm);
  return Array.from(comments, ([, value = '']) => value);
}

describe('the example runs', async () => {
  const home = await openHome();
  const { module: _, customConditions: __, ...options } = compilerOptions;
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { ...options, module: ts.ModuleKind.CommonJS },
  });
  let opened = openWorld(home);
  const reports: string[] = [];
  const report = (...parts: unknown[]): void => void reports.push(parts.map(String).join(' '));
  const silent = { debug: report, info: report, log: report, warn: report, error: report };
  const environment = { env: { JOURNAL_KEY: 'a'.repeat(64) }, once: () => undefined, exit: () => undefined };
  const require = (name: string): object =>
    name === '@orgchat/sdk'
      ? { ...sdk, createClient: (given: sdk.ClientOptions) => opened.create(given) }
      : (modules[name] ?? {});
  const exported: { run?: ((world: ExampleWorld) => Promise<void>)[] } = {};
  const load = new Function('require', 'exports', 'console', 'process', 'fetch', outputText);
  load(require, exported, silent, environment, (request: Request) => opened.fetch(request));

  afterAll(() => expect(reports.length).toBeGreaterThan(50));

  test.each(examples.map((one, index) => ({ ...one, index })))('$path', async ({ index, example }) => {
    opened = openWorld(home);
    const before = reports.length;
    await exported.run?.[index]?.(opened.world);
    const printed = reports.slice(before);
    for (const value of findPrintedValues(example)) expect(printed).toContain(value);
  });
});
