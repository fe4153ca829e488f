import type { RequestLogEntry } from '@orgchat/mock-server';
import { type DrillFault, drillFaults } from './drill-faults.ts';
import { type DrillWrite, explainImpossible } from './drill-writes.ts';
import type { DrillRow, NotTried } from './report.ts';

/** What was not tried, by fault and reason, in the order of the report. */
export function listNotTried(
  cleanLog: readonly RequestLogEntry[],
  writes: readonly DrillWrite[],
  asked: readonly string[] | undefined,
  rows: readonly DrillRow[],
): NotTried[] {
  const byReason = new Map<string, NotTried>();
  for (const fault of drillFaults) {
    for (const write of writes) {
      const row = rows.find((one) => one.fault === fault && one.write === write.number);
      const why = explainMissing(fault, write, asked) ?? (row && explainUnproven(row));
      if (why === undefined) continue;
      const key = JSON.stringify([fault, why]);
      byReason.set(key, { fault, writes: [...(byReason.get(key)?.writes ?? []), write.number], why });
    }
  }
  const list = [...byReason.values()];
  const others = cleanLog.filter(({ applied }) => !applied).length;
  if (others > 0)
    list.push({
      fault: null,
      writes: [],
      why: `faults hit only writes that are applied, not the other requests of a run (here ${others})`,
    });
  return list;
}

/** Why a fault was not injected at a write. */
const explainMissing = (
  fault: DrillFault,
  write: DrillWrite,
  asked: readonly string[] | undefined,
): string | undefined =>
  explainImpossible(fault, write) ??
  (asked === undefined || asked.includes(fault) ? undefined : 'left out by --fault');

/** Why the verdict of a run says nothing about its fault; undefined if it does. */
export function explainUnproven({ hit, waited, verdict }: DrillRow): string | undefined {
  if (verdict !== 'ok') return undefined;
  if (!hit)
    return 'the fault hit no request: the command sent fewer writes than in its clean run, or in another order';
  if (waited) return 'the client waited for the answer: use a --delay that is longer than its timeout';
  return undefined;
}
