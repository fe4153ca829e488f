import type { Journal, MaybePromise } from '../journal.ts';
import { createClockCases } from './clock-cases.ts';
import { entryCases } from './entry-cases.ts';
import { createFailingStoreCases } from './failing-store-cases.ts';
import { expiredHoldCases, holdCases } from './hold-cases.ts';
import { listCases } from './list-cases.ts';
import { createLostReplyCases, createPartitionCases } from './network-cases.ts';
import { createOwnClockCases, nextAttemptCases } from './next-attempt-cases.ts';
import { createReopenedStoreCases } from './reopened-store-cases.ts';

/** One requirement of a journal. `run` rejects if the journal does not meet it. */
export interface ConformanceCase {
  readonly name: string;
  /**
   * Checks the requirement on a new journal; rejects if it is not met.
   *
   * @example
   * const [first] = journalConformance(() => memoryJournal());
   * await first?.run(); // rejects if the journal does not meet it
   */
  run(): Promise<void>;
}

/**
 * What a journal can do in tests, which adds cases.
 *
 * @example
 * const options: ConformanceOptions = { holdsEnd: true, reopen: (journal) => journal };
 * console.log(journalConformance(() => memoryJournal(), options).length);
 */
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
   * Says that the store has a clock of its own, so that those of the machines do not matter. With `setClock`, adds the cases
   * for when an operation is sent again.
   */
  readonly hasOwnClock?: boolean;
  /**
   * Opens the store of a journal once more, as another process does. Adds the cases for what other processes see. Give it
   * for every journal that outlives its process.
   */
  readonly reopen?: (journal: Journal) => MaybePromise<Journal>;
  /**
   * Makes the clock of this machine wrong by that many milliseconds until the returned function is called. Adds the
   * cases of machines whose clocks are ten minutes apart.
   */
  readonly setClock?: (offsetMs: number) => MaybePromise<() => MaybePromise<void>>;
  /**
   * Has the store of a journal do the next thing it is asked, and lose the reply. Adds the cases of a lost reply to each
   * call.
   */
  readonly loseReply?: (journal: Journal) => MaybePromise<void>;
  /**
   * Cuts a journal off from its store until the returned function is called. Adds the cases of a store out of reach.
   */
  readonly partition?: (journal: Journal) => MaybePromise<() => MaybePromise<void>>;
}

/**
 * Returns the requirements of a journal as cases for any test runner. `make` creates an empty journal; the cases do not
 * close it.
 *
 * @example
 * for (const { name, run } of journalConformance(() => memoryJournal())) test(name, run);
 */
export function journalConformance(
  make: () => Journal | Promise<Journal>,
  {
    failWrites,
    hasOwnClock = false,
    holdsEnd = false,
    loseReply,
    partition,
    reopen,
    setClock,
  }: ConformanceOptions = {},
): ConformanceCase[] {
  const cases = [
    ...entryCases,
    ...holdCases,
    ...listCases,
    ...nextAttemptCases,
    ...(failWrites ? createFailingStoreCases(failWrites) : []),
    ...(holdsEnd ? expiredHoldCases : []),
    ...(reopen ? createReopenedStoreCases(reopen) : []),
    ...(setClock ? createClockCases(setClock) : []),
    ...(setClock && hasOwnClock ? createOwnClockCases(setClock) : []),
    ...(loseReply ? createLostReplyCases(loseReply) : []),
    ...(partition ? createPartitionCases(partition) : []),
  ];
  return cases.map(([name, check]) => ({ name, run: async () => check(await make()) }));
}
