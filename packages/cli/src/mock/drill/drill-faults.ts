import type { FaultInput, RequestLogEntry } from '@orgchat/mock-server';

/** What the drill does to a write, in the order of its report. */
export const drillFaults = [
  'drop-request',
  'lose-response',
  'cut-response',
  'delay',
  'uncertain-applied',
  'uncertain-unapplied',
  'kill',
] as const;
export type DrillFault = (typeof drillFaults)[number];

/** A write of the clean run, and its place among the requests that a fault counts. */
export interface DrillWrite {
  /** From 1, in the order in which the writes were applied. */
  readonly number: number;
  readonly operation: 'changeChat' | 'addSeoKeywords';
  /** The action of a change; the operation of a keyword write. */
  readonly action: string;
  /** The record that was changed; null if the log does not say. */
  readonly recordId: string | null;
  /** Number of requests of its operation before it: all of them, the successful ones, the applied ones. */
  readonly before: { readonly arrived: number; readonly succeeded: number; readonly applied: number };
}

/** The applied writes of a request log. */
export function listWrites(log: readonly RequestLogEntry[]): DrillWrite[] {
  const counts = {
    changeChat: { arrived: 0, succeeded: 0, applied: 0 },
    addSeoKeywords: { arrived: 0, succeeded: 0, applied: 0 },
  };
  const writes: DrillWrite[] = [];
  for (const { operation, action, recordId, status, applied } of log) {
    if (operation !== 'changeChat' && operation !== 'addSeoKeywords') continue;
    const count = counts[operation];
    if (applied) {
      const before = { ...count };
      writes.push({ number: writes.length + 1, operation, action: action ?? operation, recordId, before });
      count.applied++;
    }
    count.arrived++;
    if (status !== null && status < 300) count.succeeded++;
  }
  return writes;
}

/** Whether a fault can hit a write: a keyword write has no operationId, so its outcome cannot be uncertain. */
export const canHit = (fault: DrillFault, { operation }: DrillWrite): boolean =>
  operation === 'changeChat' || !fault.startsWith('uncertain');

/** Number of 409 answers before an uncertain operation is resolved. */
const uncertainAnswers = 1;

/** The fault of the mock that hits a write; undefined for `kill`, which the drill does itself. */
export function toMockFault(fault: DrillFault, write: DrillWrite, delayMs: number): FaultInput | undefined {
  const { operation, before } = write;
  const uncertain = { effect: 'uncertain', resolve: { afterRequests: uncertainAnswers } } as const;
  switch (fault) {
    case 'drop-request':
      return { effect: fault, operation, after: before.arrived };
    case 'lose-response':
    case 'cut-response':
      return { effect: fault, operation, after: before.succeeded };
    case 'delay':
      return { effect: fault, operation, after: before.arrived, delayMs, applied: true };
    case 'uncertain-applied':
      return { ...uncertain, operation, after: before.applied, applied: true };
    case 'uncertain-unapplied':
      return { ...uncertain, operation, after: before.applied, applied: false };
    case 'kill':
      return undefined;
  }
}
