import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCached } from '../../../test/test-support/find-cached.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const cli = join(root, 'packages/cli');

/** Everything below a folder, if there is one, without tests. */
function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test(?:-d)?\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** All that the bundle may depend on: whatever package it takes in, and whatever builds it. */
function sources(): string[] {
  const packages = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name));
  const files = [join(root, 'spec'), ...packages].flatMap((folder) => [
    join(folder, 'package.json'),
    ...filesBelow(join(folder, 'src')),
    ...filesBelow(join(folder, 'build')),
  ]);
  const builders = [join(root, 'test/test-support/plant-bug.ts'), ...filesBelow(join(root, 'build-support'))];
  const locked = join(root, 'package-lock.json');
  // The mock serves the texts of the contract and of its decisions.
  const texts = ['SPECIFICATION.md', 'DECISIONS.md'].map((name) => join(root, 'spec', name));
  const own = [bundler, keyring, fileURLToPath(import.meta.url), launcher];
  return [...files, ...texts, ...builders, locked, ...own].sort();
}

/** A source outside these would leave a stale bundle in use when it changes. */
function requireHashed(inputs: readonly string[], hashed: readonly string[]): void {
  const missed = inputs.filter((file) => !hashed.includes(file));
  if (missed.length > 0) throw new Error(`Not in sources() of ${import.meta.url}: ${missed.join(', ')}`);
}

const bundler = join(cli, 'test-support/bundle-for-tests.ts');

const keyring = join(cli, 'test-support/keyring-stand-in.mjs');

const launcher = join(cli, 'bin/orgchat.cjs');

/** What is not built. */
const shipped = ['package.json', 'bin/orgchat.cjs'];

const cache = join(cli, 'node_modules/.cache/orgchat-commands');

export interface BuiltCommand {
  /** The script that people run. */
  readonly entry: string;
  /** What it loads. */
  readonly bundle: string;
  /** The bundle as a function, for runs in the process of the tests. */
  readonly wrapped: string;
}

/** In `crashing`, `orgchat account` has a bug. */
export type Variant = 'standard' | 'crashing';

/** The bundle as a module that exports a function of what a process gives to a module: one line more, at the start. */
const wrapBundle = (source: string): string =>
  `module.exports = (exports, require, module, __filename, process, globalThis, fetch) => {\n${source}\n};\n`;

/** The map of the wrapped bundle. */
function wrapMap(text: string): string {
  const map = JSON.parse(text) as { readonly mappings: string };
  return JSON.stringify({ ...map, mappings: `;${map.mappings}` });
}

/**
 * The built command of the sources as they are, laid out as in its package. Each state of them has a folder of its own, so that test files
 * that run at the same time neither build twice nor see a half-built command.
 */
function build(variant: Variant): BuiltCommand {
  const hash = createHash('sha256').update(variant);
  const hashed = sources();
  for (const file of hashed) hash.update(file).update(readFileSync(file));
  const folder = join(cache, hash.digest('hex').slice(0, 16));
  const command = {
    entry: join(folder, 'bin/orgchat.cjs'),
    bundle: join(folder, 'dist/cli.cjs'),
    wrapped: join(folder, 'in-process/cli.cjs'),
  };
  if (findCached(folder)) return command;
  const draft = `${folder}-${process.pid}`;
  const run = ['--import', 'tsx', bundler, draft, variant];
  const printed = execFileSync(process.execPath, run, { cwd: cli, stdio: 'pipe', encoding: 'utf8' });
  requireHashed(JSON.parse(printed) as string[], hashed);
  for (const name of shipped) cpSync(join(cli, name), join(draft, name));
  for (const [name, wrap] of [
    ['cli.cjs', wrapBundle],
    ['cli.cjs.map', wrapMap],
  ] as const) {
    const file = join(draft, 'in-process', name);
    writeFileSync(file, wrap(readFileSync(file, 'utf8')));
  }
  try {
    renameSync(draft, folder);
  } catch {
    // Another test file was faster.
    rmSync(draft, { recursive: true, force: true });
  }
  return command;
}

const built = new Map<Variant, BuiltCommand>();

/** The built command, which a process looks for once: to read all sources takes longer than most tests. */
export function builtCommand(variant: Variant = 'standard'): BuiltCommand {
  const command = built.get(variant) ?? build(variant);
  built.set(variant, command);
  return command;
}
