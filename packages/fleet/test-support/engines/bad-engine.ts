import type { Journal, JournalEntry } from '@orgchat/sdk';
import type { FleetError } from '../../src/postgres.ts';

/** A case of an engine that cannot be used: a journal in it, and its error. */
export type BadCase = readonly [
  what: string,
  open: () => Journal | Promise<Journal>,
  code: string,
  says: RegExp,
];

/** An engine, how it can be bad, and what its administrator can do to it. */
export interface BadEngine {
  readonly cases: readonly BadCase[];
  start(): Promise<void>;
  stop(): Promise<unknown>;
  open(options?: { readonly keepSettledDays?: number }): Journal;
  /** Journals in engines that are read-only. */
  openReadOnly(): Journal[];
  /** Entries of the target `problems` to be damaged, each with the problem that it then is. */
  readonly damaged: Readonly<Record<string, string>>;
  damage(): Promise<unknown>;
  /** Changes when entries of the target `cleaning` were settled: three days ago. */
  age(ids: readonly string[]): Promise<unknown>;
  /** Waits until an entry that was read counts as used. */
  untilUsed(id: string): Promise<unknown>;
  /** Programs that open a journal, add an entry, and then have nothing more to do. */
  readonly programs: readonly [what: string, write: () => string][];
}

export const createEntry = (id: string, changes: Partial<JournalEntry> = {}): JournalEntry => ({
  ...{ format: 2, kind: 'change', path: '/chat/changes', body: '{}', state: 'pending', attempts: 0 },
  ...{ operationId: id, target: 'bad-engine', token: id },
  ...{ createdAt: new Date().toISOString(), updatedAt: new Date().toISOString() },
  deadline: new Date(Date.now() + 60_000).toISOString(),
  ...changes,
});

export async function getError(call: unknown): Promise<FleetError> {
  return Promise.resolve(call).then(
    () => Promise.reject(new Error('expected a rejection')),
    (error: FleetError) => error,
  );
}
