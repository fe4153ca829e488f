import type { Row } from '../support/row.ts';
import { groups, summary } from './summary.ts';
import { table } from './table.ts';

/** The whole of RESULTS.md. */
export function results(rows: readonly Row[], failed: readonly string[], surroundings: string): string {
  return `# How fast, beside the others

Written by \`npm run bench\`; do not edit. The same command, in a copy of this repository, measures it again; the
targets are held on a machine that has two cores and does nothing else.

${summary(rows, failed)}
![Answers a second of each server, and every figure beside its target](results.svg)

${surroundings}
## How to read the table

Every comparison is made round by round: the contestants take turns, there and back, and the figure of one is
compared with that of the other in the same round. **Result** is the median of these comparisons (÷: ours divided by
the other's; −: ours less the other's) and, in brackets, between what the middle half of the rounds lies. It is what
is held to the target. A figure that is compared with nothing is its own result.

${groups(rows)}
${table(rows)}`;
}
