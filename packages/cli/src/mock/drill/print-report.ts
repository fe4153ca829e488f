import type { Output } from '../../output/output.ts';
import { type DrillReport, type DrillRow, explain, type NotTried } from './report.ts';

/** Prints a row per write and fault as a table for people, otherwise everything as one document. Lists what was not tried. */
export async function printReport(output: Output, { command, rows, notTried }: DrillReport): Promise<void> {
  const count = (verdict: DrillRow['verdict']): number =>
    rows.filter((row) => row.verdict === verdict).length;
  const summary = { runs: rows.length, ok: count('ok'), lost: count('lost'), doubled: count('doubled') };
  if (output.isView) {
    const shown = rows.map((row) => ({ ...row, why: explain(row) }));
    await output.many(shown, ['write', 'action', 'record', 'fault', 'verdict', 'exit', 'why']);
    output.note(`${summary.runs} runs: ${summary.ok} ok, ${summary.lost} lost, ${summary.doubled} doubled.`);
  } else {
    const shown = rows.map(({ output: text, ...row }) =>
      row.verdict === 'ok' ? row : { ...row, output: text },
    );
    const writes = new Set(rows.map(({ write }) => write)).size;
    await output.one({ command, writes, ...summary, rows: shown, notTried });
  }
  for (const line of describeNotTried(notTried)) output.note(line);
}

/** A line per reason: `Not tried at write 3: uncertain-applied, uncertain-unapplied: a keyword write has …`. */
export function describeNotTried(notTried: readonly NotTried[]): string[] {
  const groups = new Map<string, NotTried[]>();
  for (const one of notTried) {
    const key = JSON.stringify([one.writes, one.why]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((group) => {
    const [{ writes, why } = { writes: [], why: '' }] = group;
    const faults = group.flatMap(({ fault }) => fault ?? []).join(', ');
    const where =
      writes.length === 0 ? '' : ` at write${writes.length === 1 ? '' : 's'} ${writes.join(', ')}`;
    return `Not tried${where}: ${faults === '' ? '' : `${faults}: `}${why}.`;
  });
}
