/*
 * `npm run test:consumers` tests the packed SDK, mock server and fleet as users install them. They are installed from their
 * tarballs into an empty project and compiled by several versions of TypeScript, for each module resolution, from ES
 * modules and from CommonJS; the type tests are in `types.services.test.ts`. Then they are imported and required, bundled,
 * and used by tests under Jest, vitest, Playwright and node:test. The fleet is used with engines and the lowest versions of
 * the drivers that it allows.
 * `npm run test:consumers -- --nodes` imports and requires them with Node 20 to 26 as well. A word, such as
 * `npm run test:consumers -- fleet`, runs only the checks with it in their name.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../../../packages/fleet/test-support/engines/postgres-server.ts';
import { startRedis } from '../../../packages/fleet/test-support/engines/redis-server.ts';

interface Resolution {
  readonly module: string;
  readonly moduleResolution: string;
  /** Versions of TypeScript that have it; all of them if absent. */
  readonly compilers?: readonly string[];
}

const here = fileURLToPath(new URL('./', import.meta.url));
const root = join(here, '../../..');
const project = mkdtempSync(join(tmpdir(), 'consumer-'));
const compilers = ['typescript-5.4', 'typescript-5.9', 'typescript-newest'];
const resolutions: readonly Resolution[] = [
  // TypeScript 7 has no node10.
  { module: 'commonjs', moduleResolution: 'node10', compilers: ['typescript-5.4', 'typescript-5.9'] },
  { module: 'node16', moduleResolution: 'node16' },
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
];
/** Folders of the project: what their package.json says decides how a file is compiled and loaded. */
const moduleSystems = { esm: 'module', cjs: 'commonjs' } as const;
/** What users write. It is compiled together with the types of our packages. */
const checkedFiles = ['consumer.ts', 'fleet-consumer.ts', 'mock-consumer.ts'];
/** The types of vitest, msw and the drivers do not compile with every TypeScript, so these leave libraries unchecked. */
const uncheckedFiles = ['fleet-drivers.ts', 'mock-in-tests.ts'];
const failed: string[] = [];
const word = process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? '';

/** Runs a check, unless another one was asked for. */
function check(what: string, command: string, args: readonly string[]): void {
  if (what.includes(word)) run(what, command, args);
}

function run(what: string, command: string, args: readonly string[], cwd = project): void {
  try {
    const said = execFileSync(command, [...args], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      // Without what npm and a test runner around this one set.
      env: { ...process.env, NODE_OPTIONS: '', NODE_ENV: '' },
    });
    console.log(`ok      ${what} ${said.trim().split('\n').at(-1) ?? ''}`);
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    failed.push(what);
    console.log(`FAILED  ${what}\n${stdout}${stderr}`);
  }
}

function pack(name: string): string {
  const before = new Set(readdirSync(project));
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', project];
  run(`pack ${name}`, 'npm', args, join(root, 'packages', name));
  return `./${readdirSync(project).find((file) => file.endsWith('.tgz') && !before.has(file)) ?? ''}`;
}

/** Installs the lowest version of each driver that the fleet allows, compiles against them, and uses them. */
async function checkLowestDrivers(): Promise<void> {
  const folder = join(project, 'lowest-drivers');
  const { peerDependencies } = JSON.parse(readFileSync(join(root, 'packages/fleet/package.json'), 'utf8'));
  const drivers = Object.entries<string>(peerDependencies)
    .filter(([name]) => !name.startsWith('@orgchat/'))
    .map(([name, range]) => `${name}@${range.replace(/^\D+/, '')}`);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const types = ['@types/node@20.19.43', '@types/pg@8.11.0'];
  run(
    'install the lowest drivers',
    'npm',
    [...install, ...tarballs.map((tarball) => join('..', tarball)), ...drivers, ...types],
    folder,
  );
  const options = ['--module', 'nodenext', '--target', 'es2022', '--types', 'node', '--strict', '--noEmit'];
  const tsc = join(here, 'node_modules/typescript-5.9/bin/tsc');
  const checked = ['--skipLibCheck', '--exactOptionalPropertyTypes', 'types.ts'];
  run('types of the fleet with the lowest drivers', process.execPath, [tsc, ...options, ...checked], folder);
  const what = 'the fleet with the lowest drivers';
  const engines: { readonly port: number; stop(): Promise<void> }[] = [];
  try {
    engines.push(await startPostgres());
    engines.push(await startRedis());
    run(what, process.execPath, ['engines.mjs', ...engines.map(({ port }) => String(port))], folder);
  } catch (error) {
    // An engine is not installed.
    failed.push(what);
    console.log(`FAILED  ${what}: ${(error as Error).message}`);
  } finally {
    await Promise.all(engines.map((engine) => engine.stop()));
  }
}

const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
run('the compilers', 'npm', [...install, '--no-package-lock'], here);
const packages = ['sdk', 'mock-server', 'fleet'];
const workspaces = packages.flatMap((name) => ['--workspace', `@orgchat/${name}`]);
run('build', 'npm', ['run', 'build', '--silent', ...workspaces], root);

cpSync(join(here, 'project'), project, { recursive: true });
const tarballs = packages.map(pack);
run('install', 'npm', [...install, ...tarballs, `orgchat-sdk-again@${tarballs[0]}`]);
for (const [folder, type] of Object.entries(moduleSystems)) {
  mkdirSync(join(project, folder));
  writeFileSync(join(project, folder, 'package.json'), JSON.stringify({ private: true, type }));
  for (const file of [...checkedFiles, ...uncheckedFiles])
    cpSync(join(project, file), join(project, folder, file));
}

for (const compiler of compilers) {
  for (const { module, moduleResolution, compilers: only = compilers } of resolutions) {
    if (!only.includes(compiler)) continue;
    for (const folder of Object.keys(moduleSystems)) {
      const compilerOptions = {
        module,
        moduleResolution,
        target: 'es2022',
        lib: ['es2022'],
        types: ['node'],
        strict: true,
        noEmit: true,
        exactOptionalPropertyTypes: true,
      };
      for (const [files, skipLibCheck] of [
        [['consumer.ts', 'mock-consumer.ts'], false],
        [['fleet-consumer.ts'], false],
        ...uncheckedFiles.map((file) => [[file], true] as const),
      ] as const) {
        const tsconfig = join(project, folder, `tsconfig.${compiler}.${module}.${files[0]}.json`);
        writeFileSync(
          tsconfig,
          JSON.stringify({ compilerOptions: { ...compilerOptions, skipLibCheck }, files }),
        );
        const tsc = join(here, 'node_modules', compiler, 'bin/tsc');
        check(`${compiler}, ${moduleResolution}, ${folder}, ${files.join(', ')}`, process.execPath, [
          tsc,
          '-p',
          tsconfig,
        ]);
      }
    }
  }
}

check('import', process.execPath, ['imported.mjs']);
check('require', process.execPath, ['required.cjs']);
check('import the fleet', process.execPath, ['fleet.mjs']);
check('require the fleet', process.execPath, ['fleet.cjs']);
check('two versions in one process', process.execPath, ['two-versions.mjs']);
check('node:test', process.execPath, ['--test', 'tests/node-test.test.mjs', 'tests/node-test.test.cjs']);
check('Jest', process.execPath, ['node_modules/jest/bin/jest.js', '--silent', '--ci']);
check('Playwright', process.execPath, ['node_modules/@playwright/test/cli.js', 'test', 'tests/playwright']);
check('vitest', process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--silent']);
for (const platform of ['node', 'neutral', 'browser']) {
  const out = `--outfile=bundled-${platform}.mjs`;
  const args = ['bundle-entry.mjs', '--bundle', '--format=esm', `--platform=${platform}`, out];
  check(`bundle for ${platform}`, 'npx', ['--no-install', 'esbuild', ...args, '--log-level=error']);
  check(`run what was bundled for ${platform}`, process.execPath, [`bundled-${platform}.mjs`]);
}
if (process.argv.includes('--nodes')) {
  for (const major of [20, 22, 24, 26]) {
    for (const file of ['imported.mjs', 'required.cjs', 'fleet.mjs', 'fleet.cjs'])
      check(`Node ${major}: ${file}`, 'npx', ['--yes', '--package', `node@${major}`, 'node', file]);
  }
}

if ('fleet with the lowest drivers'.includes(word)) await checkLowestDrivers();

rmSync(project, { recursive: true });
if (failed.length > 0) {
  console.error(`${failed.length} failed: ${failed.join('; ')}`);
  process.exitCode = 1;
}
