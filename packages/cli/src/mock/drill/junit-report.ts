import { type JunitCase, writeJunitFile } from '../../output/junit.ts';
import { explainUnproven } from './not-tried.ts';
import { type DrillReport, type DrillRow, explain } from './report.ts';

/**
 * Writes a JUnit report: one test case per write and fault. What was not tried is skipped, with the reason. A class is a
 * write.
 */
export async function writeJunit(file: string, report: DrillReport): Promise<void> {
  const { command, rows, notTried } = report;
  const names = new Map(rows.map((row) => [row.write, getName(row)]));
  const tried = new Set(rows.map(({ write, fault }) => `${write} ${fault}`));
  const missing = notTried.flatMap(({ fault, writes, why }): JunitCase[] =>
    fault === null
      ? [{ group: 'other requests', name: 'every fault', skipped: why }]
      : writes
          .filter((write) => !tried.has(`${write} ${fault}`))
          .map((write) => ({ group: names.get(write) ?? `write ${write}`, name: fault, skipped: why })),
  );
  await writeJunitFile(file, `mock drill of ${command.join(' ')}`, [...rows.map(toCase), ...missing]);
}

const getName = ({ write, action, record }: DrillRow): string =>
  [`write ${write}`, action, record].filter(Boolean).join(' ');

function toCase(row: DrillRow): JunitCase {
  const { fault: name, durationMs, verdict, output } = row;
  const skipped = explainUnproven(row);
  const isFailure = skipped === undefined && verdict !== 'ok';
  const failure = isFailure ? { type: verdict, message: explain(row), details: output } : undefined;
  return { group: getName(row), name, durationMs, skipped, failure };
}
