import { createHash } from 'node:crypto';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** The slowest files, by parts of their paths. Used if no earlier run measured them. */
export const longest = [
  '/cli/test/config/unfinished-apply',
  'test/models/reference-model/',
  '/contract/write-outages',
  '/control/strict.test',
  '/cli/test/settings/keys.test',
  '/mock-server/test/behavior/adapters.test',
  '/test/history/model',
  '/answer-check/body-agreement',
  '/resources/list-servers',
  '/test/data-file/size',
  '/server-family/contract-check',
  // Of `npm run test:services`.
  'test/services/site/site.test',
  '/sdk/test/journal/faults',
  '/server-family/family-commands',
  'test/services/drill',
  '/fleet/test/processes.services',
  'test/services/runtimes',
  'test/scale/fleet/',
  '/fleet/test/journal.services',
  'test/models/concurrent-apply/',
  '/docs/cookbook-commands',
  '/cli/test/output/hostile-text',
  'test/models/simulation/',
  '/server-family/family.services',
  '/fleet/test/outages',
  '/prism/',
  '/organizations.services',
  '/postgres/outbox.services',
  '/cli/test/config/export-merge',
  '/accessibility.services',
  '/cli/test/shared-journal',
  '/postgres/embedded',
  '/exit-code-table',
  '/watch/many-friends',
  '/old-snapshot',
  'test/scale/load/',
  '/planted-violations',
  '/postgres/idle',
];

const rank = ({ moduleId }: TestSpecification): number => {
  const at = longest.findIndex((part) => moduleId.includes(part));
  return at === -1 ? longest.length : at;
};

/** A place that follows from the seed alone. */
const chance = (seed: number, { moduleId }: TestSpecification): string =>
  createHash('sha256').update(`${seed} ${moduleId}`).digest('hex');

/**
 * Starts slow files first, so that no worker is left with one at the end. With `--sequence.seed N` the order is random
 * instead, to find files that depend on what ran before them.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence;
    if (seed !== undefined)
      return files
        .map((file) => ({ file, place: chance(seed, file) }))
        .sort((a, b) => (a.place < b.place ? -1 : 1))
        .map(({ file }) => file);
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
