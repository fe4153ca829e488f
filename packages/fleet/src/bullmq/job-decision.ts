import { OutcomeUnknownError } from '@orgchat/sdk';

/**
 * What follows for a job whose call rejected.
 *
 * - `retry`: it is sent again under the same id, after the backoff of the job. An attempt is used up.
 * - `fail`: nothing that a program can repeat would help.
 * - `delay`: it is tried again later, and no attempt is used up.
 * - `limit`: the server limits the requests of the key. All its work waits, and no attempt is used up.
 */
export type JobDecision =
  | { readonly kind: 'retry' | 'fail'; readonly advice: string }
  | { readonly kind: 'delay' | 'limit'; readonly delayMs: number; readonly advice: string };

/** For work that another call has in progress: it ends with its process, and not only at its deadline. */
const inFlightDelayMs = 2_000;
/** If this process could not send, such as without its journal. */
const unsentDelayMs = 5_000;
/** If the server does not say how long its limit lasts. */
const unknownLimitMs = 5_000;
/** If the server does not say when a quota starts again. */
const unknownQuotaMs = 3_600_000;

/** Codes of the SDK that concern the process and not the work: nothing was sent. */
const ownCodes: readonly unknown[] = ['ABORTED', 'CLIENT_DRAINING', 'JOURNAL_FAILED', 'PACING_FAILED'];
/** Codes of the SDK that say, without an answer, that the work itself cannot be done. */
const finalCodes: readonly unknown[] = [
  ...['INPUT_CONFLICT', 'INVALID_INPUT', 'INVALID_OPTIONS', 'NOT_APPLIED'],
];

/** Decides about a job after an error of its call. `site` is that of keywords. */
export function decideJob(error: unknown, site: string | undefined, now = Date.now()): JobDecision {
  const { status, code, meaning, retryAt, reason } = Object(error) as {
    readonly status?: number;
    readonly code?: unknown;
    readonly meaning?: unknown;
    readonly retryAt?: unknown;
    readonly reason?: unknown;
  };
  const asked = retryAt instanceof Date ? Math.max(0, retryAt.getTime() - now) : undefined;
  if (error instanceof OutcomeUnknownError) {
    if (site !== undefined)
      return {
        kind: 'fail',
        advice: `The keywords may have been added, and sending them again could add them twice. Check the keywords of site "${site}". Enqueue the missing ones with another intent.`,
      };
    if (reason === 'intent-known')
      return {
        kind: 'fail',
        advice:
          'The server knows this intent with other input: an earlier call with it was applied, is uncertain, or is still running. Nothing is sent again. Read the records, then remove this job or enqueue another intent.',
      };
    return {
      kind: 'retry',
      advice:
        'The change may have been applied. The job is retried under the same id, so it is applied at most once.',
    };
  }
  if (code === 'OPERATION_IN_FLIGHT' && status === undefined)
    return {
      kind: 'delay',
      delayMs: inFlightDelayMs,
      advice: 'Another worker holds the operation, or died while holding it. The job is tried again later.',
    };
  if (code === 'JOURNAL_FAILED' && reason === 'journal-entry-unusable')
    return { kind: 'fail', advice: 'Nothing was sent. Repair the journal, then retry this job.' };
  if (status === undefined && ownCodes.includes(code))
    return {
      kind: 'delay',
      delayMs: unsentDelayMs,
      advice: 'Nothing was sent. The job is tried again later.',
    };
  if (meaning === 'quotaExceeded')
    return {
      kind: 'delay',
      delayMs: asked ?? unknownQuotaMs,
      advice: 'Nothing was changed. The quota is used up. The job is delayed until the quota is renewed.',
    };
  if (status === 429)
    return {
      kind: 'limit',
      delayMs: asked ?? unknownLimitMs,
      advice: 'Nothing was changed. The work waits until the server allows requests.',
    };
  if (status === 401 || status === 403)
    return {
      kind: 'fail',
      advice: 'Nothing was changed. Fix the API key or its permissions, then retry this job.',
    };
  if (status === undefined ? finalCodes.includes(code) : status >= 400 && status < 500 && status !== 408)
    return { kind: 'fail', advice: 'Nothing was changed. Enqueue corrected work with another intent.' };
  if (asked !== undefined)
    return {
      kind: 'delay',
      delayMs: asked,
      advice: 'Nothing was changed. The job is delayed until the time that the server named.',
    };
  return { kind: 'retry', advice: 'The job is retried under the same id.' };
}
