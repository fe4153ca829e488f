/*
 * `npm run test:services`: the tests that need more than Node and npm. What is missing is installed with apt-get; if
 * that is not possible, the run fails and says what to install. `npm run test:services -- terminal` runs one file.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const isLinux = process.platform === 'linux';
const isRoot = process.getuid?.() === 0;

/** Commands that the tests start, or files that they need, and the Debian packages that bring each. */
const systemPackages: Readonly<Record<string, string>> = {
  tmux: 'tmux',
  go: 'golang-go',
  python3: 'python3',
  pytest: 'python3-pytest',
  javac: 'default-jdk-headless',
  // Not a command: the jars of JUnit.
  '/usr/share/java/junit-platform-console.jar': 'junit5',
  // The engines of the fleet. Their programs are not in the path, or start nothing by themselves.
  ...(isLinux && { pg_createcluster: 'postgresql', pgbouncer: 'pgbouncer', 'redis-server': 'redis-server' }),
  // The browser and the containers are tested on Linux, and containers only as root.
  ...(isLinux && { chromium: 'chromium' }),
  // With the library that loads the OpenAPI documents.
  ...(isLinux && { go: 'golang-go golang-github-getkin-kin-openapi-dev' }),
  ...(isLinux && isRoot && { buildah: 'buildah', podman: 'podman', runc: 'runc' }),
};

function run(command: string, args: readonly string[]): boolean {
  console.log(`== ${command} ${args.join(' ')}`);
  return spawnSync(command, [...args], { stdio: 'inherit' }).status === 0;
}

const isInstalled = (command: string): boolean =>
  command.startsWith('/')
    ? existsSync(command)
    : spawnSync('sh', ['-c', 'command -v "$0"', command]).status === 0;

function installMissing(): boolean {
  const missing = Object.keys(systemPackages).filter((command) => !isInstalled(command));
  if (missing.length === 0) return true;
  const packages = missing.flatMap((command) => (systemPackages[command] ?? command).split(' '));
  const install = ['install', '-y', '--no-install-recommends', ...packages];
  if (isRoot && run('apt-get', ['update', '-q']) && run('apt-get', ['-q', ...install])) return true;
  console.error(`These tests need ${missing.join(', ')}. Install: apt-get install ${packages.join(' ')}`);
  return false;
}

const isDone =
  installMissing() &&
  run('npx', ['vitest', 'run', '--config', 'vitest.services.config.ts', ...process.argv.slice(2)]);
process.exitCode = isDone ? 0 : 1;
