import type { OrgChatError } from '../errors/base.ts';
import { OutcomeUnknownError } from '../errors/outcome-unknown.ts';
import { emitUnwritten } from '../events/emitter.ts';
import type { EmitCallEvent } from '../events/events.ts';
import { isOpen } from '../journal/entries.ts';
import { createNextAttempt } from '../journal/next-attempt.ts';
import type { ApiResponse } from '../results/call-promise.ts';
import type { CallOutcome } from '../retry/classify.ts';
import { createCallJournal, leastRecordMs } from '../write/call-journal.ts';
import type { AttemptResult, CallContext } from './call-context.ts';
import { createCallError } from './call-error.ts';
import { explainUnknownCode } from './unrecognized-code.ts';

/** Returns whether another call has taken the entry of this one, so that this one must not record anything. */
export function wasTakenOver({ answer, code }: AttemptResult): boolean {
  return answer === 'stopped' && code === 'OPERATION_IN_FLIGHT';
}

/** How a call ended. */
export interface EndedCall<T> {
  readonly result: AttemptResult<T>;
  readonly outcome: CallOutcome;
  readonly attempts: number;
  readonly retryAt?: Date | undefined;
}

/** Records the outcome of a call in the journal, emits it, and returns the response or the error to throw. */
export async function settleCall<T>(
  context: CallContext<T>,
  emit: EmitCallEvent,
  { result, outcome: proven, attempts, retryAt }: EndedCall<T>,
): Promise<ApiResponse<T> | OrgChatError> {
  const { client, operation, deadline } = context;
  // Without an attempt, the call was answered from the journal.
  const { value, status, headers = new Headers(), requestId } = result;
  const entry = operation?.entry;
  const operationId = entry?.operationId;
  // An applied operation stays applied, whatever a later attempt returns.
  const outcome = entry?.state === 'applied' ? entry.state : proven;
  const error =
    proven === 'applied'
      ? undefined
      : createCallError(
          context,
          result,
          outcome,
          { operationId, attempts, retryAt },
          findHint(context, result),
        );
  const reason = error instanceof OutcomeUnknownError ? error.reason : undefined;
  if (entry && !wasTakenOver(result)) {
    const report = (cause: unknown): void => emitUnwritten(client, entry.operationId, cause);
    const journal = createCallJournal(client.journal, (answer) => deadline.finish(answer, leastRecordMs));
    try {
      const journaled =
        outcome === 'applied' || !error
          ? undefined
          : { code: error.code, meaning: error.meaning, reason, status, requestId };
      const wasRepeated = operation.history === 'ambiguous' && attempts > 0;
      const nextAttempt = wasRepeated ? createNextAttempt(entry) : entry.nextAttempt;
      const settled = {
        format: 2 as const,
        state: outcome,
        updatedAt: new Date().toISOString(),
        attempts: entry.attempts + attempts,
        error: journaled,
        nextAttempt: isOpen({ state: outcome, error: journaled }) ? nextAttempt : undefined,
        // A keyword write cannot be sent again, so its answer is kept.
        result: (proven === 'applied' && entry.kind === 'keywords' ? value : undefined) ?? entry.result,
      };
      // Much cheaper than a spread, to which fields are added.
      const isRecorded = await journal.settle(Object.assign({}, entry, settled));
      // An entry that was removed on purpose stays removed.
      if (!isRecorded && (await journal.get(entry)))
        report('The outcome was not recorded: another process has the operation.');
    } catch (cause) {
      // The answer is still valid. The entry stays pending, and resumeAll() sends it again.
      report(cause);
    }
  }
  const durationMs = performance.now() - deadline.startedAt;
  const { code: errorCode, meaning } = error ?? {};
  const errorReason = reason;
  emit({
    type: 'outcome',
    outcome,
    attempts,
    errorCode,
    meaning,
    errorReason,
    status,
    requestId,
    durationMs,
  });
  // With a value, the caller accepts that the server knows the intent with other input.
  const isAccepted = result.answer === '409 intentKnown';
  if (error && !(isAccepted && value !== undefined)) return error;
  if (value === undefined) throw new TypeError('The answer of an applied call has no value.');
  return {
    data: value,
    body: value,
    status: (isAccepted ? undefined : status) ?? (entry?.kind === 'change' ? 200 : 201),
    headers,
    requestId,
    attempts,
    operationId,
  };
}

/** Returns what an error says about a code of the server that is not known. */
function findHint<T>({ client, request }: CallContext<T>, result: AttemptResult<T>): string | undefined {
  const { status = 0, meaning, versions } = result;
  // Only the codes of these statuses decide anything.
  if (![404, 409, 429].includes(status) || (meaning !== undefined && !versions)) return undefined;
  try {
    return explainUnknownCode(request, result, client.redactor);
  } catch {
    // The error of the call matters more than a hint that cannot be made.
    return undefined;
  }
}
