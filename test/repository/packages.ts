/*
 * `npm run packages` checks what a user would install: publint and are-the-types-wrong check each packed package, and
 * the list of files and the size of the SDK are checked here.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishedPackages } from '../../build-support/release/package-metadata.ts';
import { missingAddress, parseRepository } from '../../build-support/release/repository-address.ts';
import { bundledSize, mostSdkBytes } from '../test-support/bundled-size.ts';

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, unknown>>;
}

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent?: readonly (string | null)[];
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const problems: string[] = [];

function run(command: string, args: readonly string[], cwd = root): string {
  return execFileSync(command, [...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function check(what: string, action: () => void): void {
  try {
    action();
    console.log(`ok      ${what}`);
  } catch (error) {
    const {
      stdout = '',
      stderr = '',
      message,
    } = error as { stdout?: string; stderr?: string; message: string };
    problems.push(what);
    console.log(`PROBLEM ${what}\n${stdout}${stderr}${stdout || stderr ? '' : message}`);
  }
}

function packedFiles(folder: string): string[] {
  const [packed] = JSON.parse(run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], folder)) as [
    { files: { path: string }[] },
  ];
  return packed.files.map((file) => file.path);
}

/** What users import, and what only the other packages of the repository can: it has no other condition than theirs. */
function listEntries({ exports }: Manifest): { readonly entries: string[]; readonly internal: string[] } {
  const objects = Object.entries(exports).filter(([, targets]) => typeof targets === 'object');
  const isInternal = ([, targets]: [string, unknown]): boolean =>
    Object.keys(targets ?? {}).every((name) => name === 'orgchat-source');
  const names = (found: typeof objects): string[] => found.map(([entry]) => entry);
  return {
    entries: names(objects.filter((one) => !isInternal(one))),
    internal: names(objects.filter(isInternal)),
  };
}

/** Throws unless a program of a user can neither import nor require a module. */
function requireRefused(module: string): void {
  const source = `
    import { createRequire } from 'node:module';
    const ways = [() => import('${module}'), async () => createRequire(import.meta.url)('${module}')];
    for (const load of ways) {
      const code = await load().then(() => 'no error', (error) => error.code);
      if (code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw new Error(\`\${load}: \${code}\`);
    }
  `;
  run(process.execPath, ['--input-type=module', '--eval', source]);
}

const coreBytes = await bundledSize([`${root}packages/sdk/dist/esm/index.js`], root);
check(`@orgchat/sdk: ${coreBytes} bytes as one file, gzipped, at most ${mostSdkBytes}`, () => {
  if (coreBytes > mostSdkBytes) throw new Error(`${coreBytes - mostSdkBytes} bytes too many`);
});

const packages = publishedPackages.map((name) => `${root}packages/${name}`);
const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Manifest;

for (const folder of packages) {
  const manifest = readManifest(folder);
  const { name } = manifest;
  check(`${name}: publint`, () => run('npx', ['--no', '--', 'publint', '--strict', folder]));
  const { entries, internal } = listEntries(manifest);
  for (const entry of internal) {
    check(`${name}: ${entry} is not for users`, () => requireRefused(join(name, entry)));
  }
  if (entries.length > 0) {
    check(`${name}: types of ${entries.join(', ')}`, () =>
      run('npx', ['--no', '--', 'attw', '--pack', folder, '--format', 'ascii', '--entrypoints', ...entries]),
    );
  }
  check(`${name}: files`, () => {
    const files = packedFiles(folder);
    for (const needed of ['README.md', 'CHANGELOG.md', 'LICENSE', 'THIRD_PARTY_LICENSES', 'package.json']) {
      if (!files.includes(needed)) throw new Error(`${needed} is missing`);
    }
    // The SDK is debugged and read by its users: its sources are in the package.
    const extra = files.filter(
      (file) =>
        /(^|\/)test\/|\.test(-d)?\.|tsconfig/.test(file) ||
        (file.startsWith('src/') && name !== '@orgchat/sdk'),
    );
    if (extra.length > 0) throw new Error(`not for users: ${extra.join(', ')}`);
  });
}

check('the entries for the packages of the repository alone are marked so', () => {
  const marked = packages.flatMap((folder) => {
    const manifest = readManifest(folder);
    return listEntries(manifest).internal.map((entry) => join(manifest.name, entry));
  });
  const expected = ['@orgchat/fleet/internal', '@orgchat/mock-server/mock-limits', '@orgchat/sdk/internal'];
  if (marked.sort().join() !== expected.join()) throw new Error(`they are ${marked.join(', ')}`);
});

check('@orgchat/sdk: every map leads to a source in the package', () => {
  const folder = `${root}packages/sdk/`;
  const files = packedFiles(folder);
  const maps = files.filter((file) => file.endsWith('.map'));
  const lost = maps.flatMap((map) => {
    const { sources, sourcesContent = [] } = JSON.parse(readFileSync(folder + map, 'utf8')) as SourceMap;
    return sources.filter((source, n) => {
      const path = relative(folder, resolve(dirname(folder + map), source));
      return !files.includes(path) && typeof sourcesContent[n] !== 'string';
    });
  });
  const declarations = maps.filter((map) => map.endsWith('.d.ts.map'));
  if (declarations.length === 0 || maps.length === declarations.length) throw new Error('there are no maps');
  if (lost.length > 0) throw new Error(`not in the package: ${lost.join(', ')}`);
});

for (const name of ['mock-server', 'cli']) {
  check(`@orgchat/${name}: a map for stacks beside each file of code, without sources`, () => {
    const folder = `${root}packages/${name}/`;
    const files = packedFiles(folder);
    const code = files.filter(
      (file) => /\.c?js$/.test(file) && readFileSync(folder + file, 'utf8').includes('//# sourceMappingURL='),
    );
    const maps = files.filter((file) => file.endsWith('.map'));
    const wrong = code.filter((file) => !maps.includes(`${file}.map`));
    const large = maps.filter((map) => {
      const { sourcesContent = [] } = JSON.parse(readFileSync(folder + map, 'utf8')) as SourceMap;
      return sourcesContent.some((text) => typeof text === 'string');
    });
    if (maps.length === 0 || maps.length !== code.length) throw new Error(`${maps.length} maps`);
    if (wrong.length > 0) throw new Error(`without a map: ${wrong.join(', ')}`);
    if (large.length > 0) throw new Error(`with sources: ${large.join(', ')}`);
  });
}

for (const name of [
  '@orgchat/sdk',
  '@orgchat/mock-server',
  '@orgchat/fleet/bullmq',
  '@orgchat/fleet/postgres',
  '@orgchat/fleet/redis',
]) {
  const source = `
    import * as imported from '${name}';
    import { createRequire } from 'node:module';
    const required = createRequire(import.meta.url)('${name}');
    const names = Object.keys(required);
    if (names.length === 0 || names.some((name) => imported[name] !== required[name])) process.exit(1);
  `;
  check(`${name}: what is imported is what is required`, () =>
    run(process.execPath, ['--input-type=module', '--eval', source]),
  );
}

for (const way of ['import', 'require']) {
  check(`@orgchat/mock-server: what is loaded only when it is needed, by a program that ${way}s it`, () =>
    run(process.execPath, [`${root}test/test-support/use-built-mock.mjs`, way]),
  );
}

// Libraries that each package bundles. The generated file must list each of them.
const bundled: Readonly<Record<string, readonly string[]>> = {
  sdk: [],
  fleet: [],
  'mock-server': ['@noble/hashes', '@preact/signals', 'fastest-levenshtein', 'preact', 'yaml', 'zod'],
  cli: [
    '@preact/signals',
    'cli-progress',
    'commander',
    'diff',
    'fastest-levenshtein',
    'openapi-fetch',
    'preact',
    'string-width',
    'yaml',
    'zod',
  ],
};
for (const [folder, names] of Object.entries(bundled)) {
  check(`@orgchat/${folder}: license texts of what it bundles`, () => {
    const text = readFileSync(`${root}packages/${folder}/THIRD_PARTY_LICENSES`, 'utf8');
    const missing = names.filter((name) => !text.includes(`\n${name} `));
    if (missing.length > 0) throw new Error(`THIRD_PARTY_LICENSES does not name ${missing.join(', ')}.`);
  });
}

check('@orgchat/cli: a bundle with its separate files, and what starts it', () => {
  const own = packedFiles(`${root}packages/cli`).filter((file) => /^(bin|dist)\//.test(file));
  const code = ['cli', 'control-openapi', 'inspector', 'openapi', 'yaml'].map((name) => `dist/${name}.cjs`);
  const expected = ['bin/orgchat.cjs', ...code, ...code.map((file) => `${file}.map`), 'dist/help.txt'];
  if (own.sort().join() !== expected.sort().join()) throw new Error(`it has ${own.join(', ')}`);
});

// A release requires it (`npm run release:check`), and everything else works without.
check('the address of the repository', () => {
  const { repository } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  if (parseRepository(repository) === undefined) console.log(`NOTE    ${missingAddress}`);
});

if (problems.length > 0) {
  console.error(`${problems.length} problems: ${problems.join('; ')}`);
  process.exitCode = 1;
}
