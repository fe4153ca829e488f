import { OutcomeUnknownError } from './outcome-unknown.ts';

/**
 * Marks the errors of operations that had an intent: what ran them derives the same id if it runs again. All copies of
 * this package share the symbol, and it is not enumerable, so that it is not printed.
 */
const repeatable = Symbol.for('@orgchat/sdk/repeatable');

/** Runs a write that has an intent. */
export async function asRepeatable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OutcomeUnknownError) Reflect.defineProperty(error, repeatable, { value: true });
    throw error;
  }
}

/** Whether the operation had an intent. */
export const isRepeatable = (error: OutcomeUnknownError): boolean => repeatable in error;
