/*
 * `npm run test:node-versions`: the packages as they are packed, on other Nodes. The tarballs are installed into an empty
 * project with msw 3, and one suite of node:test runs there under each Node of the npm package `node`.
 * `npm run test:node-versions -- 24` asks for one of them.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('./', import.meta.url));
const root = join(here, '../../..');
const given = process.argv.slice(2);
const majors = given.length > 0 ? given : ['22', '24', '26'];
const packages = ['sdk', 'mock-server', 'cli', 'fleet'];
const failed: string[] = [];

function run(what: string, command: string, args: readonly string[], cwd: string): boolean {
  console.log(`== ${what}`);
  try {
    execFileSync(command, [...args], { cwd, stdio: 'inherit' });
    return true;
  } catch {
    failed.push(what);
    return false;
  }
}

const project = mkdtempSync(join(tmpdir(), 'nodes-'));
try {
  cpSync(join(here, 'project'), project, {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  });
  const quiet = ['--no-audit', '--no-fund', '--silent'];
  let ready = run('build', 'npm', ['run', 'build', '--silent'], root);
  for (const name of packages) {
    const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', project];
    ready = ready && run(`pack ${name}`, 'npm', pack, join(root, 'packages', name));
  }
  const tarballs = readdirSync(project).filter((file) => file.endsWith('.tgz'));
  ready = ready && run('install', 'npm', ['ci', ...quiet], project);
  const install = ['install', '--no-save', ...quiet, ...tarballs.map((file) => `./${file}`)];
  ready = ready && run('install the packages', 'npm', install, project);
  for (const major of ready ? majors : []) {
    // The suite is run as a program: how `node --test` finds files differs from Node to Node.
    const node = ['--yes', '--package', `node@${major}`, 'node', '--test-reporter=spec'];
    run(`Node ${major}`, 'npx', [...node, 'suite.mjs'], project);
  }
} finally {
  rmSync(project, { recursive: true, force: true });
}
if (failed.length > 0) {
  console.error(`${failed.length} failed: ${failed.join('; ')}`);
  process.exitCode = 1;
}
