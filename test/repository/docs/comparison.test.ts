import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/* docs/comparison.md claims nothing of this SDK that no page or test shows. test/repository/conventions/links.test.ts follows the links. */

const page = readFileSync(new URL('../../../docs/comparison.md', import.meta.url), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => /^\| [^|-]/.test(line) && !line.startsWith('| | '))
  .map((line) => line.split(' | '));

it.each(rows.map(([feature = '', ours = '', ...others]) => ({ feature, ours, others })))(
  '$feature',
  ({ ours, others }) => {
    expect(ours).toMatch(/^–$|\]\(/);
    // One cell for each of the four others.
    expect(others).toHaveLength(4);
  },
);
