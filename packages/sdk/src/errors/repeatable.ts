import { OrgChatError } from './base.ts';
import { OutcomeUnknownError } from './outcome-unknown.ts';

/**
 * Marks errors and outcomes of operations that had an intent, and errors of upserts that are applied: what ran them derives
 * the same id if it runs again, or finds what it wrote. All copies of this package share the symbol, and it is not
 * enumerable, so that it is not printed.
 */
const repeatable = Symbol.for('@orgchat/sdk/repeatable');

export const markRepeatable = (value: object): boolean =>
  Reflect.defineProperty(value, repeatable, { value: true });

/** Runs a write that has an intent. */
export async function asRepeatable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isApplied = error instanceof OrgChatError && error.outcome === 'applied';
    if (isApplied || error instanceof OutcomeUnknownError) markRepeatable(error);
    throw error;
  }
}

/** Whether what led to an error or an outcome may run again. */
export const isRepeatable = (value: object): boolean => repeatable in value;
