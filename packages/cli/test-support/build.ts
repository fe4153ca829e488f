import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const cli = join(root, 'packages/cli');

function sources(): string[] {
  const folders = [
    'spec/src',
    'packages/atomic-files/src',
    'packages/sdk/src',
    'packages/mock-server/src',
    'packages/inspector/src',
    'packages/cli/src',
    'packages/cli/build',
    'build-support',
  ];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(root, folder, name),
    ),
  );
  const code = files.filter((file) => /\.(?:tsx?|css|html)$/.test(file) && !file.endsWith('.test.ts')).sort();
  return [...code, bundler, fileURLToPath(import.meta.url), ...shipped.map((name) => join(cli, name))];
}

const bundler = join(cli, 'test-support/bundle-for-tests.ts');

/** What is not built. */
const shipped = ['package.json', 'bin/orgchat.cjs'];

const cache = join(cli, 'node_modules/.cache');
const dayMs = 24 * 60 * 60 * 1000;

function forgetOld(): void {
  if (!existsSync(cache)) return;
  for (const name of readdirSync(cache).filter((one) => one.startsWith('orgchat-'))) {
    const folder = join(cache, name);
    if (Date.now() - statSync(folder).mtimeMs > dayMs) rmSync(folder, { recursive: true, force: true });
  }
}

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
export function builtCommand(variant: Variant = 'standard'): BuiltCommand {
  const hash = createHash('sha256').update(variant);
  for (const file of sources()) hash.update(file).update(readFileSync(file));
  const folder = join(cache, `orgchat-${hash.digest('hex').slice(0, 16)}`);
  const command = {
    entry: join(folder, 'bin/orgchat.cjs'),
    bundle: join(folder, 'dist/cli.cjs'),
    wrapped: join(folder, 'in-process/cli.cjs'),
  };
  if (existsSync(folder)) return command;
  forgetOld();
  const draft = `${folder}-${process.pid}`;
  const run = ['--import', 'tsx', bundler, join(draft, 'dist'), variant];
  execFileSync(process.execPath, run, { cwd: cli, stdio: 'pipe' });
  for (const name of shipped) cpSync(join(cli, name), join(draft, name));
  // With the files that the bundle loads when it needs them.
  cpSync(join(draft, 'dist'), join(draft, 'in-process'), { recursive: true });
  for (const [name, wrap] of [
    ['cli.cjs', wrapBundle],
    ['cli.cjs.map', wrapMap],
  ] as const) {
    const text = readFileSync(join(draft, 'dist', name), 'utf8');
    writeFileSync(join(draft, 'in-process', name), wrap(text));
  }
  try {
    renameSync(draft, folder);
  } catch {
    // Another test file was faster.
    rmSync(draft, { recursive: true, force: true });
  }
  return command;
}
