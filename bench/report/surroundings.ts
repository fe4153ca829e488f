import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { bench, root } from '../support/paths.ts';

interface Manifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const manifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

function system(): string {
  const file = '/etc/os-release';
  const named = existsSync(file)
    ? /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync(file, 'utf8'))?.[1]
    : undefined;
  return `${named ?? platform()} (${platform()} ${release()}, ${arch()})`;
}

/** Empty for a copy without the Git history. */
function commit(): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    const isChanged = git('status', '--porcelain', '--', 'packages', 'spec') !== '';
    return `, commit ${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes not committed' : ''}`;
  } catch {
    return '';
  }
}

/** `busy` is the load average of the minute before the first figure. */
function load(busy: number): string {
  const quiet = busy < 0.5 * availableParallelism();
  const others = `load before the run: ${busy.toFixed(1)} processes (one-minute average)`;
  return quiet ? others : `${others}: **the machine was not idle, so the spreads are wider**`;
}

/** The machine, the versions and the time. */
export function surroundings(busy: number, minutes: number): string {
  const { dependencies = {} } = manifest(bench);
  const versions = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
  const memory = Math.round(totalmem() / 2 ** 30);
  return `- Date: ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC; duration: ${Math.round(minutes)} minutes
- Machine: ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, ${memory} GiB of memory; ${load(busy)}
- System: ${system()}
- Node: ${process.version}
- orgchat: ${manifest(join(root, 'packages/cli')).version}${commit()}
- Compared with: ${versions.join(', ')}
`;
}
