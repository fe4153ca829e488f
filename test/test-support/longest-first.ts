import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** The slowest files, by parts of their paths. Used if no earlier run measured them. */
const longest = [
  'test/simulation/',
  '/config-apply',
  '/mock-server-options',
  '/journal/file/faults',
  '/records',
  '/config-plan',
  'test/model/',
  '/journal/file/crash',
  'test/contract-check/',
];

const rank = ({ moduleId }: TestSpecification): number => {
  const at = longest.findIndex((part) => moduleId.includes(part));
  return at === -1 ? longest.length : at;
};

/** Starts slow files first, so that no worker is left with one at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
