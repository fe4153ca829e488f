/*
 * `npm run test:consumers`: what a user of the packed SDK meets. It is installed from its tarball into an empty
 * project, compiled under each module resolution by several TypeScripts, imported and required.
 * `npm run test:consumers -- --nodes` does the last with Node 20 to 26 as well.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('./', import.meta.url));
const root = join(here, '../..');
const project = mkdtempSync(join(tmpdir(), 'consumer-'));
const compilers = ['typescript-5.4', 'typescript-5.9', 'typescript-newest'];
const resolutions = [
  { module: 'node16', moduleResolution: 'node16' },
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
];
const failed: string[] = [];

function run(what: string, command: string, args: readonly string[], cwd = project): void {
  try {
    const said = execFileSync(command, [...args], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    console.log(`ok      ${what} ${said.trim().split('\n').at(-1) ?? ''}`);
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    failed.push(what);
    console.log(`FAILED  ${what}\n${stdout}${stderr}`);
  }
}

const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
run('the compilers', 'npm', [...install, '--no-package-lock'], here);
run('build', 'npm', ['run', 'build', '--silent', '--workspace', '@orgchat/sdk'], root);
run(
  'pack',
  'npm',
  ['pack', '--silent', '--ignore-scripts', '--pack-destination', project],
  join(root, 'packages/sdk'),
);

cpSync(join(here, 'project'), project, { recursive: true });
writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
const tarball = readdirSync(project).find((name) => name.endsWith('.tgz')) ?? '';
run('install', 'npm', [...install, `./${tarball}`, '@types/node@20.19.43']);

for (const compiler of compilers) {
  for (const resolution of resolutions) {
    const name = `tsconfig.${compiler}.${resolution.module}.json`;
    const compilerOptions = {
      ...resolution,
      target: 'es2022',
      lib: ['es2022'],
      types: ['node'],
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      exactOptionalPropertyTypes: true,
    };
    writeFileSync(join(project, name), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
    const tsc = join(here, 'node_modules', compiler, 'bin/tsc');
    run(`${compiler}, ${resolution.moduleResolution}`, process.execPath, [tsc, '-p', name]);
  }
}

run('import', process.execPath, ['smoke.mjs']);
run('require', process.execPath, ['required.cjs']);
if (process.argv.includes('--nodes')) {
  for (const major of [20, 22, 24, 26]) {
    run(`Node ${major}`, 'npx', ['--yes', '--package', `node@${major}`, 'node', 'smoke.mjs']);
  }
}

rmSync(project, { recursive: true });
if (failed.length > 0) {
  console.error(`${failed.length} failed: ${failed.join('; ')}`);
  process.exitCode = 1;
}
