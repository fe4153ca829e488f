import { ServerError } from '../errors/no-usable-answer.ts';
import { isRepeatable, markRepeatable } from '../errors/repeatable.ts';
import { type ApiResponse, type Call, startCall } from '../results/call-promise.ts';
import { captureCallSite, runHere } from '../results/call-site.ts';
import type { ChangeOutcome } from '../results/change-outcome.ts';
import { getRequestId, rememberRequestId } from '../results/request-ids.ts';

/** A call of a change: await it for its outcome, or use `requireResult()` for its result. */
export interface ChangeCall<R> extends Call<ChangeOutcome<R>> {
  /**
   * Resolves to the result of the change. Rejects as the call itself does, and as `requireResult` throws.
   *
   * @example
   * const { id } = await client.tags.create({ name: 'VIP', color: 'pink' }).requireResult();
   */
  requireResult(): Promise<R>;
}

/** Starts a change of a public method that was just called. */
export function startChange<R>(start: () => Promise<ApiResponse<ChangeOutcome<R>>>): ChangeCall<R> {
  // Also for a change that nobody awaits. Beside the work of a change, this costs little.
  const call = startCall(start, captureCallSite());
  return Object.assign(call, {
    requireResult: () =>
      runHere(async () => {
        const outcome = await call;
        const result = requireResult(outcome);
        rememberRequestId(result, { requestId: getRequestId(outcome) });
        return result;
      }),
  });
}

/**
 * Returns the result of a change, or throws `RESULT_MISSING` (a `ServerError`) if the answer did not have the
 * expected shape. The change is applied in both cases. The `operationId` of the error is that of the change.
 *
 * @example
 * const { id } = requireResult(await client.tags.create({ name: 'VIP', color: 'pink' }));
 */
export function requireResult<R>(outcome: ChangeOutcome<R>): R {
  const { operationId, result } = outcome;
  if (result !== undefined) return result;
  const why = 'its answer has no usable result. Read the record instead';
  const error = createResultMissingError(operationId, why);
  if (isRepeatable(outcome)) markRepeatable(error);
  throw error;
}

/** Creates the error for a change that is applied, but whose record is not known. `why` completes the sentence. */
export function createResultMissingError(operationId: string, why: string, cause?: unknown): ServerError {
  const message = `Operation ${operationId} was applied, but ${why}.`;
  return new ServerError(message, { code: 'RESULT_MISSING', operationId, outcome: 'applied', cause });
}
