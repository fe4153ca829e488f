import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Lock, resolveInLock } from '../../build-support/release/lock-file.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const workflows = `${root}.github/workflows/`;

const readJson = <T>(path: string): T => JSON.parse(readFileSync(root + path, 'utf8')) as T;
const readLock = (path: string): Lock => readJson<{ packages: Lock }>(path).packages;
const locks = execFileSync('git', ['ls-files', '*package-lock.json'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n');

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
  });

  it('refuses every install script by name', () => {
    const { allowScripts } = readJson<{ allowScripts: Readonly<Record<string, boolean>> }>('package.json');
    const withScript = Object.entries(readLock('package-lock.json'))
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([folder]) => folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length));
    expect(Object.keys(allowScripts).sort()).toEqual([...new Set(withScript)].sort());
    expect(Object.values(allowScripts)).not.toContain(true);
  });
});
