import { OutcomeUnknownError } from './outcome-unknown.ts';

/** Errors of operations that had an intent: what ran them derives the same id if it runs again. */
const repeatableErrors = new WeakSet<object>();

/** Runs a write that has an intent. */
export async function asRepeatable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OutcomeUnknownError) repeatableErrors.add(error);
    throw error;
  }
}

/** Whether the operation had an intent. False for the errors of another copy of this package. */
export const isRepeatable = (error: OutcomeUnknownError): boolean => repeatableErrors.has(error);
