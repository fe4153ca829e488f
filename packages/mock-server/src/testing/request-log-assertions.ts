import { AssertionError } from 'node:assert';
import type { Verification } from '../generated/public-types.ts';
import type { Mock } from '../mock-interface.ts';
import { formatRequest } from '../request-log/format-request-log.ts';
import type { RequestLogEntry } from '../request-log/trace.ts';

/** Selects requests; omitted fields match any value. */
export type RequestFilter = Omit<Verification, 'times'>;

/** Assertions on the request log of a mock. Each throws an `AssertionError` that lists the requests in question. */
export class RequestLogAssertions {
  readonly #mock: Mock;

  constructor(mock: Mock) {
    this.#mock = mock;
  }

  /** Asserts that exactly one request applied an operation, and every other got the stored answer or a 409. */
  appliedExactlyOnce(operationId: string): RequestLogEntry {
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
      fail(
        `${operationId} got a new answer instead of the stored one after it was applied.`,
        about,
        strange.length,
        0,
      );
    return first;
  }

  /** Asserts that an operation was never applied. */
  neverApplied(operationId: string): void {
    const about = this.#of(operationId);
    const count = about.filter((entry) => entry.applied).length;
    if (count > 0) fail(`${operationId} was applied ${count} times.`, about, count, 0);
  }

  /** Asserts the number of requests that match a filter: a number, or `{ atLeast, atMost }`. */
  requested(filter: RequestFilter, times: Verification['times']): void {
    try {
      this.#mock.requests.verify({ ...filter, times });
    } catch (error) {
      const { message } = error as Error;
      fail(message, this.#mock.requests.list(), undefined, times);
    }
  }

  /** The entries of an operation; fails if entries were dropped, since they could belong to it. */
  #of(operationId: string): RequestLogEntry[] {
    const { entries } = this.#mock.requests.dropped();
    if (entries > 0) {
      const advice = 'Create the mock with a larger requestLogSize, or call requests.clear() first.';
      fail(
        `The request log dropped ${entries} entries that may belong to ${operationId}. ${advice}`,
        [],
        entries,
        0,
      );
    }
    const id = operationId.toLowerCase();
    return this.#mock.requests.list().filter((entry) => entry.operationId === id);
  }
}

function fail(message: string, about: readonly RequestLogEntry[], actual: unknown, expected: unknown): never {
  const lines = about.map((entry) => `  ${formatRequest(entry)}`);
  throw new AssertionError({
    message: [message, ...lines].join('\n'),
    actual,
    expected,
    operator: 'requestLog',
  });
}
