import { ServerError } from '../errors/no-usable-answer.ts';
import type { ChangeOutcome } from '../results/change-outcome.ts';

/**
 * Returns the result of a change, or throws `RESULT_MISSING` (a `ServerError`) if the answer did not have the
 * expected shape. The change is applied in both cases. The `operationId` of the error is that of the change.
 *
 * @example
 * const { id } = requireResult(await client.tags.create({ name: 'VIP', color: 'pink' }));
 */
export function requireResult<R>({ operationId, result }: ChangeOutcome<R>): R {
  if (result !== undefined) return result;
  throw createResultMissingError(operationId, 'its answer has no usable result. Read the record instead');
}

/** Creates the error for a change that is applied, but whose record is not known. `why` completes the sentence. */
export function createResultMissingError(operationId: string, why: string, cause?: unknown): ServerError {
  const message = `Operation ${operationId} was applied, but ${why}.`;
  return new ServerError(message, { code: 'RESULT_MISSING', operationId, outcome: 'applied', cause });
}
