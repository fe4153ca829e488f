import { AbortedError } from '../errors/no-usable-answer.ts';
import { createInvalidInputError } from '../errors/refused.ts';
import { onAbort } from '../timing/on-abort.ts';
import { describeSource } from '../values.ts';

/** Creates the error for an import that its signal ended. `rest` says what was not sent. */
export function createAbortedError(rest: string, cause: unknown): AbortedError {
  return new AbortedError(`The signal aborted the import. ${rest}`, {
    code: 'ABORTED',
    operation: 'addSeoKeywords',
    cause,
  });
}

/** Reads a source as a whole, so that everything is checked before anything is sent. Rejects as the source does. */
export async function readSource(source: unknown, signal: AbortSignal | undefined): Promise<unknown[]> {
  const given = Object(source) as Partial<Iterable<unknown> & AsyncIterable<unknown>>;
  const open = given[Symbol.asyncIterator];
  // A string is an iterable of characters, which nobody means.
  const isIterable = typeof source === 'object' && typeof given[Symbol.iterator] === 'function';
  if (typeof open !== 'function') {
    if (isIterable) return [...(given as Iterable<unknown>)];
    const message = `keywords.import() requires an iterable of keywords, such as an array; got ${describeSource(source)}.`;
    throw createInvalidInputError(message);
  }
  const iterator = open.call(given as AsyncIterable<unknown>);
  const items: unknown[] = [];
  let stopListening: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    const abort = (): void => reject(createAbortedError('Nothing was sent.', signal?.reason));
    if (signal?.aborted) abort();
    stopListening = signal && onAbort(signal, abort);
  });
  aborted.catch(() => undefined);
  try {
    for (;;) {
      const result = await Promise.race([aborted, iterator.next()]);
      if (result.done) return items;
      items.push(result.value);
    }
  } catch (error) {
    // Only an abort leaves a source that has not ended. Nobody waits for it.
    if (error instanceof AbortedError) Promise.resolve(iterator.return?.()).catch(() => undefined);
    throw error;
  } finally {
    stopListening?.();
  }
}
