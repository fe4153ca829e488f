import { backoffDelay } from '../sending/backoff.ts';
import { classifyError, type DecidingFields } from '../sending/classify-error.ts';
import { goneAdvice } from '../sending/client-organization.ts';

/**
 * What follows for a job whose call rejected.
 *
 * - `retry`: it is sent again under the same id, after the backoff of the job. An attempt is used up.
 * - `fail`: nothing that a program can repeat would help.
 * - `delay`: it is tried again later, and no attempt is used up.
 * - `wait`: all work of its organization waits, and no attempt is used up. `code` is that of a warning.
 */
export type JobDecision =
  | { readonly kind: 'retry' | 'fail'; readonly advice: string }
  | { readonly kind: 'delay'; readonly delayMs: number; readonly advice: string }
  | {
      readonly kind: 'wait';
      readonly delayMs: number;
      readonly advice: string;
      readonly code: 'KEY_REFUSED' | 'QUOTA_EXCEEDED' | 'RATE_LIMITED';
    };

/** What a job is, as far as it decides. */
export interface FailedJob {
  /** The site, if it adds keywords. */
  readonly site: string | undefined;
  /** Returns how many times in a row the key of its organization was refused, this time included. */
  countRefusal(): number;
}

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

/** What a person does with a job after its client was given another base URL. */
export const retryAdvice = 'Then retry this job.';

/** Decides about a job after an error of its call. */
export function decideJob(error: unknown, { site, countRefusal }: FailedJob, now = Date.now()): JobDecision {
  const { status, code, meaning, outcome, retryAt, reason } = Object(error) as DecidingFields;
  const asked = retryAt instanceof Date ? Math.max(0, retryAt.getTime() - now) : undefined;
  const kind = classifyError(error);
  if (kind === 'known-intent')
    return {
      kind: 'fail',
      advice:
        'An earlier call with this id was applied, is uncertain, or is still running. Read the records to see what it did. If its work is not there, enqueue it with another intent.',
    };
  if (kind === 'final')
    return { kind: 'fail', advice: 'Nothing was changed. Enqueue corrected work with another intent.' };
  if ((kind === 'unknown' || (kind === 'gone' && outcome === 'unknown')) && site !== undefined)
    return {
      kind: 'fail',
      advice: `The keywords may have been added, and sending them again could add them twice. Check the keywords of site "${site}". Enqueue the missing ones with another intent.`,
    };
  if (kind === 'gone') return { kind: 'fail', advice: `${goneAdvice} ${retryAdvice}` };
  if (kind === 'unknown')
    return {
      kind: 'retry',
      advice:
        'The change may have been applied. The job is retried under the same id, so it is applied at most once.',
    };
  if (code === 'OPERATION_IN_FLIGHT' && status === undefined)
    return {
      kind: 'delay',
      delayMs: inFlightDelayMs,
      advice: 'Another worker holds the operation, or died while holding it. The job is tried again later.',
    };
  if (code === 'JOURNAL_FAILED' && reason === 'journal-entry-unusable')
    return {
      kind: 'retry',
      advice: 'Nothing was sent. The journal has an entry of this operation that cannot be read: repair it.',
    };
  if (status === undefined && ownCodes.includes(code))
    return {
      kind: 'delay',
      delayMs: unsentDelayMs,
      advice: 'Nothing was sent. The job is tried again later.',
    };
  if (meaning === 'quotaExceeded')
    return {
      kind: 'wait',
      code: 'QUOTA_EXCEEDED',
      delayMs: asked ?? unknownQuotaMs,
      advice: 'Nothing was changed. The quota is used up. The job is delayed until the quota is renewed.',
    };
  if (status === 429)
    return {
      kind: 'wait',
      code: 'RATE_LIMITED',
      delayMs: asked ?? unknownLimitMs,
      advice: 'Nothing was changed. The work waits until the server allows requests.',
    };
  if (status === 401 || status === 403)
    return {
      kind: 'wait',
      code: 'KEY_REFUSED',
      delayMs: backoffDelay(countRefusal(), error, now),
      advice: 'Nothing was changed. Fix the API key or its permissions. The job is tried again later.',
    };
  if (asked !== undefined)
    return {
      kind: 'delay',
      delayMs: asked,
      advice: 'Nothing was changed. The job is delayed until the time that the server named.',
    };
  return { kind: 'retry', advice: 'The job is retried under the same id.' };
}
