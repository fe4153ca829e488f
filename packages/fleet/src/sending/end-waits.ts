import type { CallOptions } from '@orgchat/sdk';
import type { DecidingFields } from './classify-error.ts';

/** The key of an option of the SDK without a name: `options/internal-options.ts` there has the same. */
const endingKey = Symbol.for('@orgchat/sdk/ending');

/**
 * Returns options of a call whose signal ends waits, such as the one in line, and lets a request that is on its way finish.
 * With `atLimit`, a 429 ends the call, too, and is not waited for.
 */
export function endWaits(
  signal: AbortSignal | undefined,
  { atLimit = false }: { readonly atLimit?: boolean } = {},
): Pick<CallOptions, 'signal'> {
  return { signal, [endingKey]: { inDoubt: true, atLimit } } as Pick<CallOptions, 'signal'>;
}

/** Returns whether a call ended by its signal before anything was sent. */
export function isUnsentAbort(error: unknown): boolean {
  const { code, outcome } = Object(error) as DecidingFields;
  return code === 'ABORTED' && outcome !== 'unknown';
}
