import type { Journal, MaybePromise } from '../journal.ts';
import { createClockCases } from './clock-cases.ts';
import { entryCases } from './entry-cases.ts';
import { createFailingStoreCases } from './failing-store-cases.ts';
import { expiredHoldCases, holdCases } from './hold-cases.ts';
import { listCases } from './list-cases.ts';
import { createLostReplyCases, createPartitionCases } from './network-cases.ts';
import { createReopenedStoreCases } from './reopened-store-cases.ts';

/**
 * One requirement of a journal. `run` rejects if the journal does not meet it.
 *
 * @example
 * const requirements: ConformanceCase[] = journalConformance(() => memoryJournal());
 * console.log(requirements.map(({ name }) => name));
 */
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
   *
   * @example
   * const store = { isFull: false };
   * const failWrites = () => {
   *   store.isFull = true;
   *   return () => void (store.isFull = false);
   * };
   * console.log(journalConformance(() => memoryJournal(), { failWrites }).length);
   */
  readonly failWrites?: (journal: Journal) => MaybePromise<() => MaybePromise<void>>;
  /**
   * Says that a hold ends five seconds after its deadline, even if its process is alive. Adds the cases for a holder
   * that comes too late.
   *
   * @example
   * console.log(journalConformance(() => memoryJournal(), { holdsEnd: true }).length);
   */
  readonly holdsEnd?: boolean;
  /**
   * Opens the store of a journal once more, as another process does. Adds the cases for what other processes see. Give it
   * for every journal that outlives its process.
   *
   * @example
   * const reopen = () => fileJournal('./journal'); // the same folder, as another process opens it
   * console.log(journalConformance(() => fileJournal('./journal'), { reopen }).length);
   */
  readonly reopen?: (journal: Journal) => MaybePromise<Journal>;
  /**
   * Makes the clock of this machine wrong by that many milliseconds until the returned function is called. Adds the
   * cases of machines whose clocks are ten minutes apart.
   *
   * @example
   * const setClock = (offsetMs: number) => {
   *   const { now } = Date;
   *   Date.now = () => now() + offsetMs;
   *   return () => void (Date.now = now);
   * };
   * console.log(journalConformance(() => memoryJournal(), { setClock }).length);
   */
  readonly setClock?: (offsetMs: number) => MaybePromise<() => MaybePromise<void>>;
  /**
   * Has the store of a journal do the next thing it is asked, and lose the reply. Adds the cases of a lost reply to each
   * call.
   *
   * @example
   * const network = { isReplyLost: false }; // read by the connection of the store
   * const loseReply = () => void (network.isReplyLost = true);
   * console.log(journalConformance(() => memoryJournal(), { loseReply }).length);
   */
  readonly loseReply?: (journal: Journal) => MaybePromise<void>;
  /**
   * Cuts a journal off from its store until the returned function is called. Adds the cases of a store out of reach.
   *
   * @example
   * const network = { isCut: false }; // read by the connection of the store
   * const partition = () => {
   *   network.isCut = true;
   *   return () => void (network.isCut = false);
   * };
   * console.log(journalConformance(() => memoryJournal(), { partition }).length);
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
  { failWrites, holdsEnd = false, loseReply, partition, reopen, setClock }: ConformanceOptions = {},
): ConformanceCase[] {
  const cases = [
    ...entryCases,
    ...holdCases,
    ...listCases,
    ...(failWrites ? createFailingStoreCases(failWrites) : []),
    ...(holdsEnd ? expiredHoldCases : []),
    ...(reopen ? createReopenedStoreCases(reopen) : []),
    ...(setClock ? createClockCases(setClock) : []),
    ...(loseReply ? createLostReplyCases(loseReply) : []),
    ...(partition ? createPartitionCases(partition) : []),
  ];
  return cases.map(([name, check]) => ({ name, run: async () => check(await make()) }));
}
