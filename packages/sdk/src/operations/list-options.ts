import { createInvalidOptionsError, requireKnown } from '../errors/refused.ts';
import type { JournalListOptions } from '../journal/journal.ts';
import { listOptions } from '../options/resolve-options.ts';
import { describeType, isObject } from '../values.ts';
import type { ListOperationsOptions } from './operations-api.ts';

/** How many operations a list has by default, and how many of them a journal is asked for at once. */
export const maxListed = 1_000;

const optionNames = listOptions<ListOperationsOptions>({ after: true, limit: true, open: true, state: true });

/** Checks the options of `operations.list()`, and fills in what is not given. Throws `INVALID_OPTIONS`. */
export function resolveListOptions(
  given: ListOperationsOptions,
): Omit<JournalListOptions, 'limit'> & { readonly limit: number } {
  requireKnown(given, optionNames, 'operations.list()');
  // An unknown operation need not be open, a pending one is.
  const { state, open = state === 'pending', after, limit = maxListed } = given;
  if (!Number.isInteger(limit) || limit < 1) {
    const got = typeof limit === 'number' ? String(limit) : describeType(limit);
    throw createInvalidOptionsError(`limit must be a whole number, 1 or greater; got ${got}.`);
  }
  if (after !== undefined && !isPosition(after)) {
    throw createInvalidOptionsError(
      `after must be the last operation of the page before, with its createdAt and operationId; got ${describeType(after)}.`,
    );
  }
  return { state, open, after, limit };
}

const isPosition = (value: unknown): boolean =>
  isObject(value) && typeof value.createdAt === 'string' && typeof value.operationId === 'string';
