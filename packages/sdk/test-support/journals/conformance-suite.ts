import { vi } from 'vitest';
import { createEntry } from '../../src/journal/conformance/assertions.ts';
import {
  type ConformanceOptions,
  journalConformance,
} from '../../src/journal/conformance/journal-conformance.ts';
import type { Journal, JournalEntry } from '../../src/journal/journal.ts';
import { createSoundJournal, type SynchronousJournal } from './flawed-journal.ts';
import { createRemoteJournal, type Network } from './remote-journal.ts';

/* All cases of the conformance suite, over a sound journal whose calls are checked and whose answers can be changed. */

/** `stats` is optional, and has a case of its own. */
export type Method = Exclude<keyof Journal, 'stats'>;
type Answers = { readonly [M in Method]: Awaited<ReturnType<Journal[M]>> };

export class Rejection extends Error {}
const rejects = (): never => {
  throw new Rejection('the call is made to reject');
};

const withAnotherToken = (entry: JournalEntry): JournalEntry => ({ ...entry, token: 'of nobody' });

/** What each method might answer instead. `answer` is the right one; undefined if the call rejects. */
export const otherAnswers: { readonly [M in Method]: readonly ((answer?: Answers[M]) => Answers[M])[] } = {
  add: [() => true, () => false, rejects],
  get: [() => undefined, () => createEntry(), (entry) => entry && withAnotherToken(entry), rejects],
  claim: [
    () => undefined,
    () => ({ entry: createEntry() }),
    (claim) => (claim?.entry ? { entry: withAnotherToken(claim.entry) } : claim),
    () => ({ heldUntil: undefined }),
    () => ({ heldUntil: new Date().toISOString() }),
    rejects,
  ],
  settle: [() => true, () => false, rejects],
  list: [() => ({ entries: [], problems: [] }), () => ({ entries: [createEntry()], problems: [] }), rejects],
  remove: [() => true, () => false, rejects],
};

/** Changes one answer of a run: the `nth` call answers with its `which`th other answer. */
export interface Change {
  readonly nth: number;
  readonly which: number;
}

export const noCheck = (): void => undefined;

/**
 * The cases over a store that ends holds, with all options. A change counts the calls of all journals of a case.
 * The clock must be a fake one.
 */
export function createSuite(repeats: boolean, check: (method: Method, input: readonly unknown[]) => void) {
  const state: { change: Change | undefined; calls: Method[] } = { change: undefined, calls: [] };
  const stores = new Map<Journal, { store: SynchronousJournal; network: Network }>();
  const open = (store: SynchronousJournal): Journal => {
    const network: Network = { isCut: false, isReplyLost: false };
    const remote = createRemoteJournal(store, network, { repeats });
    const watch = <M extends Method>(method: M, ...input: Parameters<Journal[M]>): unknown => {
      check(method, input);
      const nth = state.calls.push(method);
      const call = remote[method] as (...input: readonly unknown[]) => Promise<unknown>;
      if (state.change?.nth !== nth) return call(...input);
      const other = otherAnswers[method][state.change.which] as (answer?: unknown) => unknown;
      // The call is made all the same: its answer alone is changed.
      return call(...input).then(other, () => other());
    };
    const journal = Object.fromEntries(
      Object.keys(otherAnswers).map((method) => [
        method,
        (...input: Parameters<Journal[Method]>) => watch(method as Method, ...input),
      ]),
    ) as unknown as Journal;
    stores.set(journal, { store, network });
    return journal;
  };
  const networkOf = (journal: Journal): Network =>
    stores.get(journal)?.network ?? { isCut: false, isReplyLost: false };
  const cut = (journal: Journal) => {
    networkOf(journal).isCut = true;
    return () => {
      networkOf(journal).isCut = false;
    };
  };
  const options: ConformanceOptions = {
    holdsEnd: true,
    failWrites: cut,
    partition: cut,
    loseReply: (journal) => {
      networkOf(journal).isReplyLost = true;
    },
    reopen: (journal) => open(stores.get(journal)?.store ?? createSoundJournal()),
    setClock: (offsetMs) => {
      const now = Date.now();
      vi.setSystemTime(now + offsetMs);
      return () => void vi.setSystemTime(now);
    },
  };
  const make = (): Journal => {
    const store = createSoundJournal();
    return open({
      ...store,
      claim(key, hold) {
        const known = store.get(key);
        // Longer ago than the clocks of two machines differ in the cases.
        if (known && Date.parse(known.deadline) < Date.now() - 1_800_000) store.settle(known);
        return store.claim(key, hold);
      },
    });
  };
  return { state, cases: journalConformance(make, options) };
}
