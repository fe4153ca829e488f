import type { FaultInput, RequestLogEntry } from '@orgchat/mock-server';
import { declares } from '@orgchat/spec';
import type { DrillFault } from './drill-faults.ts';

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

/** The status that a fault answers with. */
const statuses: Partial<Record<DrillFault, number>> = {
  'status-500-applied': 500,
  'status-500-unapplied': 500,
  'status-502-applied': 502,
  'status-502-unapplied': 502,
  'rate-limited': 429,
};

/** Faults that a keyword write cannot meet, and why. */
const changesOnly: Partial<Record<DrillFault, string>> = {
  'uncertain-applied': 'a keyword write has no operationId, so it is never answered 409',
  'uncertain-unapplied': 'a keyword write has no operationId, so it is never answered 409',
  'runtime-unavailable': 'a keyword write does not need the runtime',
  'not-applied': 'the answer to a keyword write has no field "applied"',
};

/** Why a fault cannot hit a write; undefined if it can. */
export function explainImpossible(fault: DrillFault, { operation }: DrillWrite): string | undefined {
  const status = statuses[fault];
  if (status !== undefined && !declares(operation, status))
    return `${operation} does not declare the status ${status}`;
  return operation === 'addSeoKeywords' ? changesOnly[fault] : undefined;
}

/** Number of 409 answers before an uncertain operation is resolved. */
const uncertainAnswers = 1;

/** Seconds that a rate limited client is told to wait. */
const retryAfter = 1;

/** What the faults of a drill depend on, beside the write. */
export interface FaultSettings {
  /** How late an answer or a change is, in milliseconds. */
  readonly delayMs: number;
  /** The error code of an unavailable runtime. */
  readonly runtimeCode: string;
}

/** The fault of the mock that hits a write; undefined for `kill`, which the drill does itself. */
export function toMockFault(
  fault: DrillFault,
  { operation, before }: DrillWrite,
  { delayMs, runtimeCode }: FaultSettings,
): FaultInput | undefined {
  const uncertain = { effect: 'uncertain', resolve: { afterRequests: uncertainAnswers } } as const;
  const onArrival = { operation, after: before.arrived };
  switch (fault) {
    case 'drop-request':
      return { effect: fault, ...onArrival };
    case 'lose-response':
    case 'cut-response':
      return { effect: fault, operation, after: before.succeeded };
    case 'delay':
      return { effect: 'delay', ...onArrival, delayMs, applied: true };
    case 'applied-late':
      return { effect: 'delay', ...onArrival, delayMs };
    case 'uncertain-applied':
      return { ...uncertain, operation, after: before.applied, applied: true };
    case 'uncertain-unapplied':
      return { ...uncertain, operation, after: before.applied, applied: false };
    case 'status-500-applied':
      return { effect: 'fail-response', operation, after: before.succeeded, status: 500 };
    case 'status-502-applied':
      return { effect: 'fail-response', operation, after: before.succeeded, status: 502 };
    case 'status-500-unapplied':
      return { effect: 'respond', ...onArrival, status: 500 };
    case 'status-502-unapplied':
      return { effect: 'respond', ...onArrival, status: 502 };
    case 'rate-limited':
      return { effect: 'respond', ...onArrival, status: 429, retryAfter };
    case 'runtime-unavailable':
      return { effect: 'respond', ...onArrival, status: 404, error: runtimeCode };
    case 'not-applied':
      return { effect: fault, operation, after: before.applied };
    case 'kill':
      return undefined;
  }
}

/** What a correct client may do when a fault hit a write. */
export interface Allowance {
  /** Why a nonzero exit code is a correct report; undefined if the client could have settled the write. */
  readonly report?: string;
  /** Whether a keyword write may be sent again. */
  readonly resend: boolean;
}

/**
 * No request can settle a keyword write, and the contract forbids to send it again automatically (clause 4.2.7), unless it
 * was refused. A change that was not applied may be sent again or reported (D66).
 */
export function getAllowance(fault: DrillFault, { operation }: Pick<DrillWrite, 'operation'>): Allowance {
  if (operation === 'addSeoKeywords' && fault !== 'rate-limited')
    return { resend: false, report: 'The client reported a keyword write that nothing can settle.' };
  if (fault === 'not-applied')
    return { resend: true, report: 'The client reported a change that was not applied.' };
  return { resend: true };
}
