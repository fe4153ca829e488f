import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync } from 'esbuild';
import { findCached } from './find-cached.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'node_modules/.cache/orgchat-programs');
const bundles = new Map<string, string>();

/** The packages of others that a program loads itself. A process reads the hundred files of zod slower than one. */
function listForeign(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, object>>;
  };
  return Object.keys(packages)
    .flatMap((path) => path.split('node_modules/').slice(1))
    .map((name) => name.replace(/\/$/, ''))
    .filter((name) => !name.startsWith('@orgchat/') && name !== 'zod');
}

/**
 * Makes one file of a TypeScript program and the sources of the packages that it uses, and returns its path. A process of it starts in a
 * third of the time that it takes with `fromSources`: for programs that a test starts often.
 */
export const bundleProgram = (program: string): string =>
  bundle(program, `${basename(dirname(program))}-${basename(program, '.ts')}`, { entryPoints: [program] });

/** The same, of the text of a program. Its imports are those of a file in the root folder of the repository. */
export const bundleText = (contents: string): string =>
  bundle(contents, 'program', { stdin: { contents, resolveDir: root, loader: 'ts' } });

function bundle(program: string, name: string, entry: BuildOptions): string {
  const known = bundles.get(program);
  if (known !== undefined) return known;
  const { outputFiles } = buildSync({
    ...{ ...entry, absWorkingDir: root, bundle: true, write: false },
    ...{ platform: 'node', format: 'esm', target: 'node20', conditions: ['orgchat-source'] },
    ...{ external: [...new Set(listForeign())], sourcemap: 'inline', sourcesContent: false },
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  const digest = createHash('sha256').update(code).digest('hex').slice(0, 16);
  const file = join(folder, `${name}-${digest}.mjs`);
  if (!findCached(file)) {
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, code);
    renameSync(draft, file);
  }
  bundles.set(program, file);
  return file;
}
