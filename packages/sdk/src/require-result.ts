import { ServerError } from './errors/failed.ts';
import type { ChangeOutcome } from './outcome.ts';

/**
 * Returns the result of a change, or throws `RESULT_MISSING` (a `ServerError`) if the answer had none of the expected
 * shape. The change is applied then as well: the error speaks of the answer, and its `operationId` is that of the change.
 *
 * @example
 * const { id } = requireResult(await client.tags.create({ name: 'VIP', color: 'pink' }));
 */
export function requireResult<R>({ operationId, result }: ChangeOutcome<R>): R {
  if (result !== undefined) return result;
  const message = `The change ${operationId} is applied, but the answer to it has no result of the expected shape. Do not repeat the change; read the record instead.`;
  throw new ServerError(message, { code: 'RESULT_MISSING', operationId });
}
