import { createInvalidInputError } from '../errors/refused.ts';
import { onAbort } from '../timing/on-abort.ts';
import { describeSource } from '../values.ts';

/** The items that are not read yet. An iterable that is not asynchronous is read as a whole instead. */
export interface BulkSource<T> {
  /**
   * Reads one item and adds it, one call after the other. Resolves to undefined if the source ended or failed, or if the
   * signal aborts first. The item that it was waiting for is then the first one of the next call.
   */
  next<I>(add: (item: T) => I, signal: AbortSignal | undefined): Promise<I | undefined>;
  hasEnded(): boolean;
  /** What the source failed with, until it gives another item. */
  error(): unknown;
  /** Lets `next()` read from a source that failed. */
  reopen(): void;
}

type Read<T> = IteratorResult<T, unknown> | { readonly failure: unknown };

/** Reads without rejecting: nobody may be waiting when a source fails. */
async function readOne<T>(iterator: AsyncIterator<T, unknown>): Promise<Read<T>> {
  try {
    return await iterator.next();
  } catch (error) {
    return { failure: error ?? new Error('The source of the items failed without an error.') };
  }
}

/** Resolves as the promise does, which must not reject, or to undefined if the signal aborts first. */
function untilAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  if (!signal) return promise;
  return new Promise((resolve) => {
    const finish = (value?: T): void => {
      stopListening();
      resolve(value);
    };
    const stopListening = onAbort(signal, finish);
    void promise.then(finish);
  });
}

export function openSource<T>(items: Iterable<T> | AsyncIterable<T>): BulkSource<T> {
  const given = Object(items) as Partial<Iterable<T> & AsyncIterable<T>>;
  const iterator = given[Symbol.asyncIterator]?.();
  if (!iterator && typeof given[Symbol.iterator] !== 'function') {
    throw createInvalidInputError(
      `bulk() requires an iterable of items, such as an array; got ${describeSource(items)}.`,
    );
  }
  let hasEnded = iterator === undefined;
  let hasFailed = false;
  let error: unknown;
  /** A read that no one has used yet. */
  let pending: Promise<Read<T>> | undefined;
  let before: Promise<unknown> = Promise.resolve();

  async function read<I>(add: (item: T) => I, signal: AbortSignal | undefined): Promise<I | undefined> {
    if (!iterator || hasEnded || hasFailed || signal?.aborted) return undefined;
    pending ??= readOne(iterator);
    const result = await untilAbort(pending, signal);
    if (!result || signal?.aborted) return undefined;
    pending = undefined;
    if ('failure' in result) {
      hasFailed = true;
      error = result.failure;
      return undefined;
    }
    if (result.done) {
      hasEnded = true;
      return undefined;
    }
    error = undefined;
    return add(result.value);
  }

  return {
    next(add, signal) {
      const item = before.then(() => read(add, signal));
      before = item;
      return item;
    },
    hasEnded: () => hasEnded,
    error: () => error,
    reopen() {
      hasFailed = false;
    },
  };
}
