import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { bench, root } from '../support/places.ts';

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

function commit(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const isChanged = git('status', '--porcelain', '--', 'packages', 'spec') !== '';
  return git('rev-parse', '--short', 'HEAD') + (isChanged ? ' with changes not committed' : '');
}

/** What a reader needs to know before the figures; `busy` is the load of the machine before the first of them. */
export function surroundings(busy: number): string {
  const { dependencies = {} } = manifest(bench);
  const versions = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
  return `# How fast, beside the others

Written by \`npm run bench\`; do not edit. Every comparison is made round by round: the contestants take turns, in the
other order every second round, and each figure of one is compared with the other's of the same round. What is held
to a target is the median; the least and the most stand beside it.

- Date: ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC
- Machine: ${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB of memory; ${busy.toFixed(1)} processes wanted a core on the average of the minute before
- System: ${system()}
- Node: ${process.version}
- orgchat: ${manifest(join(root, 'packages/cli')).version}, commit ${commit()}
- Beside: ${versions.join(', ')}

![Each figure beside its target](results.svg)
`;
}
