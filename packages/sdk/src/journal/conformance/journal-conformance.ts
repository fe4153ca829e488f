import type { Journal, MaybePromise } from '../journal.ts';
import { entryCases } from './entry-cases.ts';
import { createFailingStoreCases } from './failing-store-cases.ts';
import { expiredHoldCases, holdCases } from './hold-cases.ts';
import { listCases } from './list-cases.ts';
import { createReopenedStoreCases } from './reopened-store-cases.ts';

/** One requirement of a journal. `run` rejects if the journal does not meet it. */
export interface ConformanceCase {
  readonly name: string;
  run(): Promise<void>;
}

export interface ConformanceOptions {
  /**
   * Makes the store of a journal fail like a full disk until the returned function is called: nothing new can be
   * written, existing entries can be read and removed. Adds the cases for a store that fails.
   */
  readonly failWrites?: (journal: Journal) => MaybePromise<() => MaybePromise<void>>;
  /**
   * Says that a hold ends five seconds after its deadline, even if its process is alive. Adds the cases for a holder
   * that comes too late.
   */
  readonly holdsEnd?: boolean;
  /**
   * Opens the store of a journal once more, as another process does. Adds the cases for what other processes see. Give it
   * for every journal that outlives its process.
   */
  readonly reopen?: (journal: Journal) => MaybePromise<Journal>;
}

/**
 * Returns the requirements of a journal as cases for any test runner. `make` creates an empty journal; the cases do not
 * close it.
 *
 * @example
 * for (const { name, run } of journalConformance(() => myJournal())) test(name, run);
 */
export function journalConformance(
  make: () => Journal | Promise<Journal>,
  { failWrites, holdsEnd = false, reopen }: ConformanceOptions = {},
): ConformanceCase[] {
  const cases = [
    ...entryCases,
    ...holdCases,
    ...listCases,
    ...(failWrites ? createFailingStoreCases(failWrites) : []),
    ...(holdsEnd ? expiredHoldCases : []),
    ...(reopen ? createReopenedStoreCases(reopen) : []),
  ];
  return cases.map(([name, check]) => ({ name, run: async () => check(await make()) }));
}
