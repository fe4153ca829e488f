import type { EmitCallEvent } from '../events/events.ts';
import { dateAfter } from '../timing/deadline.ts';
import { renewHold } from '../write/renew-hold.ts';
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

/** Holds the entry of a write for longer, because the deadline does not count a wait of the pacing. */
async function keepHold<T>(context: CallContext<T>, waitMs: number): Promise<void> {
  const { operation, callOptions, deadline } = context;
  if (!operation || deadline.coversPacing) return;
  await renewHold(context, operation.entry, dateAfter(callOptions.timeoutMs + waitMs), waitMs);
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
    callEnd = await waitForSharedPacing(context, emit, { ...client.pacing, shared });
  } else if (!callEnd) {
    const delayMs = client.rateLimiter?.delay(callOptions.perMinute) ?? 0;
    const slot = client.rateLimiter?.acquire(callOptions.perMinute, deadline);
    if (slot) emit({ type: 'wait', reason: 'pacing', ms: delayMs });
    if (slot instanceof Promise) await keepHold(context, delayMs);
    // `slot` may resolve without an end before the renewal ended the call, so check again.
    callEnd = (await slot) ?? deadline.checkEnd();
  }
  return callEnd && { answer: 'stopped', ...callEnd };
}
