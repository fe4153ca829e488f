import { setTimeout as sleep } from 'node:timers/promises';
import type { FleetError } from './fleet-error.ts';

/** How long a call of an engine is repeated, and what its failures mean. */
export interface RepeatOptions {
  readonly timeoutMs: number;
  /** Whether a call that failed may succeed a moment later. */
  isTransient(cause: unknown): boolean;
  /** Whether a call that failed may have been executed. */
  isAmbiguous(cause: unknown): boolean;
  toError(cause: unknown): FleetError;
  createTimeoutError(): FleetError;
}

/**
 * Returns whether a code of Node says that the certificate of an engine was refused. Nothing was sent, and the next try
 * ends in the same way.
 */
export const isCertificateCode = (code: string | undefined): boolean =>
  /^(CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(GET|VERIFY)_|HOSTNAME_MISMATCH)/.test(code ?? '');

/**
 * How long an attempt may take at most, in milliseconds. A timer that is longer than 2 ** 31 - 1 ends at once, and those
 * of stores and drivers are made from what `send` is given.
 */
const longestMs = 2e9;

const isLate = Symbol('late');

/**
 * Sends a call that may be repeated, and repeats it while the engine cannot be reached, at most for the time limit.
 * `onDoubt` is called if the call may have been executed although this rejects, and again if it ends after this has
 * rejected.
 */
export async function repeatCall<T>(
  send: (restMs: number) => Promise<T>,
  { timeoutMs, isTransient, isAmbiguous, toError, createTimeoutError }: RepeatOptions,
  onDoubt?: () => void,
): Promise<T> {
  const endsAt = performance.now() + timeoutMs;
  let isInDoubt = false;
  /** What the engine said when it refused the attempt before. */
  let refusal: unknown;
  for (let delayMs = 25; ; delayMs = Math.min(delayMs * 2, 400)) {
    try {
      const answer = await sendInTime(send, Math.min(endsAt - performance.now(), longestMs), onDoubt);
      if (answer !== isLate) return answer;
      isInDoubt = true;
      throw refusal ?? createTimeoutError();
    } catch (error) {
      // A later attempt that was refused says nothing about an earlier one whose reply was lost.
      isInDoubt ||= isAmbiguous(error);
      refusal = isAmbiguous(error) ? undefined : error;
      if (!isTransient(error) || performance.now() + delayMs >= endsAt) {
        if (isInDoubt) onDoubt?.();
        throw toError(error);
      }
      await sleep(delayMs);
    }
  }
}

async function sendInTime<T>(
  send: (restMs: number) => Promise<T>,
  ms: number,
  onDoubt?: () => void,
): Promise<T | typeof isLate> {
  let isOver = false;
  // A driver that throws fails as one that rejects.
  const answer = (async () => send(ms))();
  const settled = (): void => {
    if (isOver) onDoubt?.();
  };
  answer.then(settled, settled);
  let timer: ReturnType<typeof setTimeout> | undefined;
  // No AbortController: its error costs more than the rest of a call.
  const tooLate = new Promise<typeof isLate>((resolve) => {
    timer = setTimeout(resolve, Math.max(1, ms), isLate);
    timer.unref();
  });
  try {
    const first = await Promise.race([answer, tooLate]);
    isOver = first === isLate;
    return first;
  } finally {
    clearTimeout(timer);
  }
}
