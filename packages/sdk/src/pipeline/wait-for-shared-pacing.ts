import type { EmitCallEvent } from '../events/events.ts';
import { rateWindowMs } from '../generated/limits.ts';
import { type CallEnd, createNoSlotEnd } from '../timing/deadline.ts';
import type { PacingOptions, PlaceAnswer, PlaceKey, SharedPacing } from '../timing/shared-pacing.ts';
import { sha256 } from '../write/digest.ts';
import { keepHold } from '../write/renew-hold.ts';
import type { AttemptResult, CallContext } from './call-context.ts';
import { findAskedMs } from './limit-waits.ts';

/** How long a store may take to answer before it counts as down, in milliseconds. */
const storeTimeoutMs = 2_000;

/** The store of a shared pacing is down: the call waits in the line of its process, which has a limit of its own. */
export interface StoreDown {
  readonly perMinute: number;
}

/**
 * Waits until the shared pacing grants a place to the next request of a call. Returns why the call ended if it ends
 * before that, or that the store is down. Otherwise the call releases the place after its attempt, by
 * `context.releasePlace`.
 */
export async function waitForSharedPacing<T>(
  context: CallContext<T>,
  emit: EmitCallEvent,
  { shared, onStoreDown = 'fail' }: PacingOptions & { readonly shared: SharedPacing },
): Promise<CallEnd | StoreDown | undefined> {
  const { client, callOptions, deadline } = context;
  const key: PlaceKey = { line: getLineName(client.target()), place: crypto.randomUUID() };
  const leave = (): void => void release(shared, { ...key, isUnused: true });
  // The place of an earlier attempt is not that of this one, even if this one is sent without a place.
  context.releasePlace = undefined;
  for (let isFirst = true; ; isFirst = false) {
    const restMs = deadline.endsAt - performance.now();
    const request = {
      ...key,
      perMinute: callOptions.perMinute,
      // The engine grants a place at most this much before this process learns it.
      holdMs: callOptions.attemptTimeoutMs + storeTimeoutMs,
      maxWaitMs: deadline.coversPacing && restMs < Infinity ? Math.max(0, Math.floor(restMs)) : undefined,
    };
    const asked = ask(() => shared.reserve(request));
    await deadline.sleepForPacing(storeTimeoutMs, asked.settled);
    const callEnd = deadline.checkEnd();
    const { answer, cause } = asked.result();
    // A place that is granted later, or to a call that has ended, is not used.
    if (!answer || callEnd) void asked.settled.then(leave);
    if (callEnd) return callEnd;
    if (!answer) {
      if (onStoreDown === 'fail') return { code: 'PACING_FAILED', detail: describeFailure(cause), cause };
      return onStoreDown;
    }
    if (answer.state === 'granted') {
      context.releasePlace = (result, limitWaitMs) => releaseAfter(shared, key, result, limitWaitMs);
      return undefined;
    }
    if (answer.state === 'refused')
      return createNoSlotEnd('shared pacing', callOptions.perMinute, answer.waitMs, deadline.startedAt);
    if (isFirst) emit({ type: 'wait', reason: 'pacing', ms: answer.waitMs });
    await keepHold(context, answer.waitMs, 0);
    const ended = await deadline.sleepForPacing(answer.askAgainMs);
    if (ended) {
      leave();
      return ended;
    }
  }
}

/** Returns the name of the line of a base URL and key, which reveals neither. */
function getLineName(target: string): string {
  return sha256(`orgchat pacing ${target}`).slice(0, 32);
}

/** Asks a store. `settled` never rejects; until then the result is that the store did not answer in time. */
function ask(reserve: () => Promise<PlaceAnswer>) {
  type Result = { readonly answer?: PlaceAnswer; readonly cause?: unknown };
  let result: Result = { cause: new Error(`The store did not answer within ${storeTimeoutMs} ms.`) };
  // A store that throws is down, as one that rejects.
  const settled = (async () => reserve())().then(
    (answer) => {
      result = { answer };
    },
    (cause: unknown) => {
      result = { cause };
    },
  );
  return { settled, result: () => result };
}

function describeFailure(cause: unknown): string {
  const why = cause instanceof Error ? cause.message : String(cause);
  return `The shared pacing failed: ${why} This request was not sent. Check its store, or set pacing.onStoreDown to { perMinute } to continue without it.`;
}

/** Releases the place of a request that was answered or not sent. Of any other, nobody knows when it arrives. */
function releaseAfter(
  shared: SharedPacing,
  key: PlaceKey,
  result: AttemptResult,
  limitWaitMs: number | undefined,
): void {
  const { answer, status, meaning } = result;
  if (answer === 'lost' || answer === 'interrupted') return;
  const asked =
    // A used-up quota concerns a month, so the next request may learn the same at once.
    status === 429 && meaning !== 'quotaExceeded' ? (findAskedMs(result) ?? limitWaitMs) : undefined;
  release(shared, {
    ...key,
    isUnused: answer === 'unsent' || answer === 'unsent-permanently',
    retryAfterMs: asked === undefined ? undefined : Math.min(asked, rateWindowMs),
  });
}

/** Releases a place in the background. If that fails, the place counts until its hold ends. */
function release(shared: SharedPacing, place: Parameters<SharedPacing['release']>[0]): void {
  (async () => shared.release(place))().catch(() => undefined);
}
