import type { EmitCallEvent } from '../events/events.ts';
import type { CallEnd } from '../timing/deadline.ts';
import { getRateLimiter, type RateLimiter } from '../timing/rate-limiter.ts';
import { keepHold } from '../write/renew-hold.ts';
import type { AttemptResult, CallContext } from './call-context.ts';
import type { LimitWait } from './limit-waits.ts';
import { waitForSharedPacing } from './wait-for-shared-pacing.ts';

/** Tells the pacing how an attempt ended: that of other machines when its place is free, and that of this process. */
export function tellPacing<T>(
  { client, releasePlace }: CallContext<T>,
  result: AttemptResult<T>,
  limitWait: LimitWait | undefined,
): void {
  const pauseMs = limitWait?.pauseMs;
  releasePlace?.(result, pauseMs);
  if (pauseMs !== undefined) client.rateLimiter?.pause(pauseMs);
}

/** Waits until the window of the minute limit can have moved. */
export async function waitForLimit<T>(
  context: CallContext<T>,
  emit: EmitCallEvent,
  ms: number,
): Promise<void> {
  const { deadline } = context;
  emit({ type: 'wait', reason: 'pacing', ms });
  const slot = deadline.sleepForPacing(ms);
  await keepHold(context, ms);
  await slot;
}

/** Waits until the rate limit allows a request. Returns why the call ended if it ends before that. */
export async function waitForRateLimit<T>(
  context: CallContext<T>,
  emit: EmitCallEvent,
): Promise<AttemptResult<T> | undefined> {
  const { client, callOptions, deadline } = context;
  const { shared } = client.pacing;
  let callEnd = deadline.checkEnd();
  if (shared && !callEnd) {
    const answer = await waitForSharedPacing(context, emit, { ...client.pacing, shared });
    const isDown = answer !== undefined && 'perMinute' in answer;
    const alone = getRateLimiter(() => `${client.target()} alone`);
    callEnd = isDown ? await waitForSlot(context, emit, alone, answer.perMinute) : answer;
  } else if (!callEnd && client.rateLimiter) {
    callEnd = await waitForSlot(context, emit, client.rateLimiter, callOptions.perMinute);
  }
  // A store that answers late moves the deadline as well.
  if (!callEnd) await keepHold(context, 0);
  callEnd ??= deadline.checkEnd();
  return callEnd && { answer: 'stopped', ...callEnd };
}

/** Waits for a slot in the line of this process. */
async function waitForSlot<T>(
  context: CallContext<T>,
  emit: EmitCallEvent,
  limiter: RateLimiter,
  perMinute: number,
): Promise<CallEnd | undefined> {
  const delayMs = limiter.delay(perMinute);
  const slot = limiter.acquire(perMinute, context.deadline);
  if (slot) emit({ type: 'wait', reason: 'pacing', ms: delayMs });
  if (slot instanceof Promise) await keepHold(context, delayMs);
  return slot;
}
