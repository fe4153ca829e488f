import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const workflows = `${root}.github/workflows/`;

interface LockEntry {
  readonly link?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
}

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

  it('has an integrity hash for every installed package', () => {
    const lock = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')) as {
      packages: Readonly<Record<string, LockEntry>>;
    };
    const installed = Object.entries(lock.packages).filter(
      ([path, entry]) => path.includes('node_modules/') && !entry.link,
    );
    expect(installed.length).toBeGreaterThan(100);
    expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
  });
});
