import type { DrillFault } from './drill-faults.ts';
import type { Judgment } from './judge.ts';

/** The result of one write and one fault. */
export interface DrillRow extends Judgment {
  /** The number of the write in the clean run, from 1. */
  readonly write: number;
  readonly action: string;
  /** The name of the record; null if it is not known. */
  readonly record: string | null;
  readonly fault: DrillFault;
  /** Whether the fault hit a request of this run. */
  readonly hit: boolean;
  /** Whether the client got an answer that the fault delayed. */
  readonly waited: boolean;
  /** The exit code of the command; null if it ran out of time. */
  readonly exit: number | null;
  readonly durationMs: number;
  readonly output: string;
}

/** What a drill did not try, so that its exit code proves nothing about it. */
export interface NotTried {
  /** Null for requests that no fault hits. */
  readonly fault: DrillFault | null;
  /** The numbers of the writes. */
  readonly writes: readonly number[];
  readonly why: string;
}

/** What a drill found. */
export interface DrillReport {
  readonly command: readonly string[];
  readonly rows: readonly DrillRow[];
  readonly notTried: readonly NotTried[];
}

/** Why a run has its verdict, in words. */
export const explain = ({ lost, doubled, note, hit }: DrillRow): string =>
  [
    ...lost,
    ...doubled,
    ...(note === undefined ? [] : [note]),
    ...(hit ? [] : ['the fault hit no request']),
  ].join('; ');
