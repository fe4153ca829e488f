import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Lock, resolveInLock } from '../../build-support/release/lock-file.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const workflows = `${root}.github/workflows/`;

interface Job {
  readonly permissions: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

interface Workflow {
  readonly on: unknown;
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const readJson = <T>(path: string): T => JSON.parse(readFileSync(root + path, 'utf8')) as T;
const readLock = (path: string): Lock => readJson<{ packages: Lock }>(path).packages;
const locks = execFileSync('git', ['ls-files', '*package-lock.json'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n');

/** Their packages fetch the program itself, and only `npm run test:runtimes` installs them. */
const runtimes = ['bun', 'deno', 'workerd'];

describe('supply chain', () => {
  it('pins every action of the workflows by commit, with its version beside it', () => {
    const uses = readdirSync(workflows).flatMap(
      (file) => readFileSync(workflows + file, 'utf8').match(/uses:.*/g) ?? [],
    );
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter((line) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual(
      [],
    );
  });

  describe('publishing', () => {
    const { on, permissions, jobs } = parse(readFileSync(`${workflows}publish.yml`, 'utf8')) as Workflow;
    const publishing = Object.values(jobs).filter((job) => job.permissions['id-token'] === 'write');
    const steps = (job: Job | undefined): string[] => job?.steps.flatMap(({ run = [] }) => run) ?? [];

    it('begins with a tag, and requires a person and no stored token', () => {
      expect(on).toEqual({ push: { tags: ['v*'] } });
      expect(publishing).toMatchObject([{ environment: 'npm' }]);
      expect(readFileSync(`${workflows}publish.yml`, 'utf8')).not.toMatch(/secrets\.|NODE_AUTH_TOKEN/);
    });

    it('is allowed to one job, which runs nothing of the repository and of what it depends on', () => {
      expect(permissions).toEqual({});
      expect(publishing).toHaveLength(1);
      expect(publishing[0]?.steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout'))).toEqual([]);
      expect(steps(publishing[0]).filter((run) => /npm (?:ci|run|test)|npx|node /.test(run))).toEqual([]);
    });

    it('stages with provenance, and never publishes by itself', () => {
      const published = Object.values(jobs)
        .flatMap(steps)
        .filter((run) => run.includes('publish'));
      expect(published).toHaveLength(1);
      expect(published[0]).toContain('npm stage publish');
      expect(published[0]).toContain('--provenance');
      expect(published[0]).not.toMatch(/npm publish/);
    });

    it('checks the commit before it installs anything of the repository, and runs no install script', () => {
      const runs = steps(jobs.pack);
      const check = runs.findIndex((run) => run.includes('build-support/release/check.ts'));
      const install = runs.findIndex((run) => run.startsWith('npm ci'));
      expect(check).toBeGreaterThan(-1);
      expect(install).toBeGreaterThan(check);
      expect(runs[install]).toContain('--ignore-scripts');
    });
  });

  describe.each(locks)('%s', (path) => {
    const lock = readLock(path);

    it('has an integrity hash for every installed package', () => {
      const installed = Object.entries(lock).filter(
        ([folder, entry]) => folder.includes('node_modules/') && !entry.link,
      );
      expect(installed.length).toBeGreaterThan(0);
      expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
    });

    // npm leaves out, without a message, what the registry of that day does not serve.
    it('has an entry for every optional package, for every platform', () => {
      const missing = Object.entries(lock).flatMap(([folder, { optionalDependencies = {} }]) =>
        Object.keys(optionalDependencies).filter((name) => resolveInLock(lock, folder, name) === undefined),
      );
      expect(missing).toEqual([]);
    });

    it('has no install script that package.json does not name, and allows those of runtimes alone', () => {
      const manifest = path.replace(/package-lock\.json$/, 'package.json');
      const { allowScripts = {} } = readJson<{ allowScripts?: Readonly<Record<string, boolean>> }>(manifest);
      const withScript = Object.entries(lock)
        .filter(([, { hasInstallScript }]) => hasInstallScript)
        .map(([folder]) => folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length));
      expect(Object.keys(allowScripts).sort()).toEqual([...new Set(withScript)].sort());
      const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name] !== false);
      expect(allowed).toEqual(allowed.filter((name) => runtimes.includes(name)));
    });
  });
});
