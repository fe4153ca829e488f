import { AssertionError } from 'node:assert';
import type { Verification } from '../generated/public-types.ts';
import type { Mock } from '../mock.ts';
import type { JournalEntry } from './journal.ts';

/** Which requests are meant; what is left out is any. */
export type Sought = Omit<Verification, 'times'>;

/** Assertions over what a mock was asked; each throws an `AssertionError` that shows the requests it is about. */
export class JournalAssertions {
  readonly #mock: Mock;

  constructor(mock: Mock) {
    this.#mock = mock;
  }

  /** That an operation was applied by exactly one request, and every other one got its stored answer or a 409. */
  appliedExactlyOnce(operationId: string): JournalEntry {
    const about = this.#of(operationId);
    const applied = about.filter((entry) => entry.applied);
    const [first] = applied;
    if (first === undefined || applied.length > 1) {
      fail(`${operationId} was applied ${applied.length} times, not once.`, about, applied.length, 1);
    }
    const strange = about.filter(
      (entry) => entry !== first && entry.status === 200 && entry.replayOf === null,
    );
    if (strange.length > 0)
      fail(`${operationId} was answered anew after it was applied.`, about, strange.length, 0);
    return first;
  }

  /** That nothing was applied of an operation. */
  neverApplied(operationId: string): void {
    const about = this.#of(operationId);
    const count = about.filter((entry) => entry.applied).length;
    if (count > 0) fail(`${operationId} was applied ${count} times.`, about, count, 0);
  }

  /** That so many requests fit. */
  requested(sought: Sought, times: number): void {
    try {
      this.#mock.requests.verify({ ...sought, times });
    } catch (error) {
      const { message } = error as Error;
      fail(message, this.#mock.requests.list(), undefined, times);
    }
  }

  /** The kept entries of an operation; fails if entries were dropped, since they could be about it too. */
  #of(operationId: string): JournalEntry[] {
    const { entries } = this.#mock.requests.dropped();
    if (entries > 0) {
      const advice = 'Make the mock with a larger journalSize, or call requests.clear() before.';
      fail(
        `The request log dropped ${entries} entries that could be of ${operationId}. ${advice}`,
        [],
        entries,
        0,
      );
    }
    const sought = operationId.toLowerCase();
    return this.#mock.requests.list().filter((entry) => entry.operationId === sought);
  }
}

function fail(message: string, about: readonly JournalEntry[], actual: unknown, expected: unknown): never {
  const lines = about.map(
    ({ requestId, operation, action, status, error, applied, replayOf, faults }) =>
      `  ${requestId} ${action ?? operation ?? '?'} ${status ?? 'no answer'}${error === null ? '' : ` ${error}`}${
        applied ? ', applied' : ''
      }${replayOf === null ? '' : `, replay of ${replayOf}`}${faults.map((fault) => `, ${fault}`).join('')}`,
  );
  throw new AssertionError({
    message: [message, ...lines].join('\n'),
    actual,
    expected,
    operator: 'journal',
  });
}
