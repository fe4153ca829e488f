import { EarlierAttemptStaleError } from '../errors/create-errors.ts';
import { createInvalidInputError, StaleRevisionError } from '../errors/refused.ts';
import type { CallOptions, ChangeOptions } from '../options/options.ts';
import type { ApiResponse } from '../results/call-promise.ts';
import type { ChangeOutcome } from '../results/change-outcome.ts';
import { describeType } from '../values.ts';
import { deriveOperationId } from '../write/operation-id.ts';

/**
 * Options of `edit` and of the tags of friends.
 *
 * @example
 * const stubborn: EditOptions = { maxAttempts: 10, intent: ['recolor', 1] };
 * await client.tags.edit(id, (data) => ({ ...data, color: 'blue' }), stubborn);
 */
export interface EditOptions extends ChangeOptions {
  /** How often it may read and write, the first time included. Default 4, for tags of friends 10. */
  readonly maxAttempts?: number | undefined;
  /**
   * Not accepted: each attempt is a new operation. Pass `intent`, from which the id of each attempt is derived.
   */
  readonly operationId?: undefined;
}

interface GuardedRecord {
  readonly revision: string;
  readonly label: string;
}

/**
 * Reads a record, makes new data from it, and writes them. If the change was stale, it continues from the current
 * record: the one that proved it, or else another read.
 */
export async function runEdit<Record extends GuardedRecord, Data>(
  read: (options: CallOptions) => Promise<Record>,
  dataFor: (record: Record) => Data | Promise<Data>,
  write: (record: Record, data: Data, options: ChangeOptions) => Promise<ApiResponse<ChangeOutcome<Record>>>,
  options: EditOptions | undefined,
): Promise<ApiResponse<ChangeOutcome<Record>>> {
  const { maxAttempts = 4, operationId, intent, ...call } = { ...options };
  requireMaxAttempts(maxAttempts);
  if (operationId) {
    throw createInvalidInputError(
      'An edit has attempts of its own and does not accept operationId. Pass intent instead.',
    );
  }
  // It reads before it writes.
  const intentId = intent ? deriveOperationId(intent) : undefined;
  let record = await read(call);
  for (let number = 1, tries = 0; ; number++) {
    const data = await dataFor(record);
    try {
      return await write(record, data, {
        ...call,
        intent: intentId === undefined ? undefined : [intentId, number],
      });
    } catch (error) {
      if (error instanceof EarlierAttemptStaleError) continue;
      if (!(error instanceof StaleRevisionError) || error.outcome === 'applied') throw error;
      // The record that proved it was read in the same way.
      const current = (error.versions?.current as Record | undefined) ?? (await read(call));
      if (!(++tries < maxAttempts)) {
        const versions = { expected: record, current, data };
        const { message, headers } = error;
        throw new StaleRevisionError(message, { ...error, headers, cause: error, versions });
      }
      record = current;
    }
  }
}

/** Throws unless what makes new data from a record is a function. */
export function requireChange(change: unknown): void {
  if (typeof change === 'function') return;
  throw createInvalidInputError(
    `edit() requires a function that returns the new data; got ${describeType(change)}.`,
  );
}

/** Throws unless the number of attempts is one that ends, or Infinity. */
export function requireMaxAttempts(maxAttempts: number): void {
  if (maxAttempts === Infinity || (Number.isInteger(maxAttempts) && maxAttempts >= 1)) return;
  throw createInvalidInputError(
    `maxAttempts must be an integer, 1 or greater, or Infinity; got ${String(maxAttempts)}.`,
  );
}
