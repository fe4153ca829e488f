import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeWrongCalls, wrongCalls } from '../../../packages/sdk/test-support/wrong-calls.ts';

/*
 * The declarations of the packages, as they are built, with each TypeScript that we support, from ES modules and from
 * CommonJS. No other types are installed, not even those of Node, and every declaration is checked.
 */

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default?: { readonly types: string } }>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** An error of the compiler. */
interface CompileError {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

const here = fileURLToPath(new URL('./', import.meta.url));
const root = join(here, '../../..');
const packages = ['sdk', 'mock-server', 'fleet'];
/** Folders of the project: what their package.json says decides which declarations a file gets. */
const moduleSystems = { esm: 'module', cjs: 'commonjs' };
const wrong = writeWrongCalls();
const project = mkdtempSync(join(tmpdir(), 'types-'));

const manifests = packages.map((name) => {
  const text = readFileSync(join(root, 'packages', name, 'package.json'), 'utf8');
  return { name, manifest: JSON.parse(text) as Partial<Manifest> };
});

/** The entry points that have types. */
const entries = manifests.flatMap(({ name, manifest }) =>
  Object.entries(manifest.exports ?? {})
    .filter(([, target]) => typeof target === 'object' && target.default !== undefined)
    .map(([path]) => posix.join('@orgchat', name, path)),
);
/** Who uses an entry point such as `@orgchat/mock-server/vitest` has installed the package that it is for. */
const peers = manifests.flatMap(({ manifest }) => Object.keys(manifest.peerDependencies ?? {}));

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(join(project, folder), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(project, folder, file), text);
}

/** The type tests of the SDK, with the package in place of its sources. */
function readTypeTests(): Record<string, string> {
  const folder = join(root, 'packages/sdk/test/types');
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  return Object.fromEntries(
    readdirSync(folder).map((file) => [
      file,
      read(file).replaceAll("'../../src/index.ts'", "'@orgchat/sdk'"),
    ]),
  );
}

function writeProject(): void {
  for (const name of packages) {
    const [from, to] = [join(root, 'packages', name), join(project, 'node_modules/@orgchat', name)];
    const filter = (path: string): boolean => !/\.(?:js|map)$/.test(path);
    cpSync(join(from, 'dist'), join(to, 'dist'), { recursive: true, filter });
    cpSync(join(from, 'package.json'), join(to, 'package.json'));
  }
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: false,
  };
  const include = Object.keys(moduleSystems);
  writeFiles('', { 'tsconfig.json': JSON.stringify({ compilerOptions, include }) });
  for (const [folder, type] of Object.entries(moduleSystems)) {
    writeFiles(folder, {
      'package.json': JSON.stringify({ private: true, type }),
      'entries.ts': entries.map((entry, index) => `export * as e${index} from '${entry}';\n`).join(''),
      'wrong-calls.ts': wrong.text,
      ...readTypeTests(),
    });
  }
}

function compile(compiler: string): CompileError[] {
  const tsc = join(here, 'node_modules', compiler, 'bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '--pretty', 'false'], {
    cwd: project,
    encoding: 'utf8',
  });
  // Details of an error are indented.
  const found = stdout.split('\n').filter((line) => /^\S/.test(line));
  return found.map((text) => {
    const [, file = '', line = ''] = /^(\S+?)\((\d+),\d+\): /.exec(text) ?? [];
    return { file, line: Number(line), text };
  });
}

beforeAll(() => {
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', '--no-package-lock'];
  execFileSync('npm', install, { cwd: here, stdio: 'inherit' });
  writeProject();
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Whether an error says that a package is not installed that its user has. */
const isAboutPeer = ({ text }: CompileError): boolean =>
  peers.includes(/: error TS2307: [^']*'([^']+)'/.exec(text)?.[1] ?? '');

describe.each([
  ['5.4', 'typescript-5.4'],
  ['5.9', 'typescript-5.9'],
  ['7', 'typescript-newest'],
])('TypeScript %s', (_, compiler) => {
  let errors: CompileError[];
  beforeAll(() => {
    errors = compile(compiler).filter((error) => !isAboutPeer(error));
  });

  test('accepts all entry points and the type tests, without other types', () => {
    expect(errors.filter(({ file }) => !file.endsWith('wrong-calls.ts'))).toEqual([]);
  });

  test.each(Object.keys(moduleSystems))('refuses each wrong call in a module of %s', (folder) => {
    const lines = errors.filter(({ file }) => file === `${folder}/wrong-calls.ts`).map(({ line }) => line);
    expect(wrongCalls.filter((_call, index) => !lines.includes(wrong.lines[index] ?? 0))).toEqual([]);
    expect(new Set(lines).size).toBe(wrongCalls.length);
  });
});
