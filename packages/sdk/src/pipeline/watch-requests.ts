import type { ClientContext } from '../client-context.ts';
import { classify } from '../results/classify.ts';
import { onAbort } from '../timing/on-abort.ts';

/** A client whose calls end by a signal only while they wait. */
export interface WatchedRequests {
  readonly client: ClientContext;
  /** For the calls: aborted by the caller's signal, but not while a request is on its way. */
  readonly signal: AbortSignal | undefined;
  /** Stops listening to the caller's signal. */
  end(): void;
}

/**
 * Cutting off a write leaves its outcome open, and that of a keyword write cannot be found out later. So an abort ends
 * the waits before a write is sent, and lets a request that is on its way finish. A change whose last answer decided
 * nothing is still on its way: it is sent again until it is settled or its deadline passes.
 */
export function watchRequests(client: ClientContext, signal: AbortSignal | undefined): WatchedRequests {
  if (!signal) return { client, signal, end: () => undefined };
  const controller = new AbortController();
  let sending = 0;
  const undecidedCalls = new Set<number>();
  const abort = (): void => {
    if (signal.aborted && sending === 0 && undecidedCalls.size === 0) controller.abort(signal.reason);
  };
  const stopListening = onAbort(signal, abort);
  abort();
  return {
    client: {
      ...client,
      transport() {
        sending++;
        return client.transport();
      },
      emit(create) {
        const event = create();
        // Each attempt ends with an event, and so does each call.
        if (event.type === 'attempt') {
          sending--;
          const { callId, operationId, answer } = event;
          const isUndecided = classify('change', 'fresh', answer).outcome === 'unknown';
          if (operationId !== undefined && isUndecided) undecidedCalls.add(callId);
        }
        if (event.type === 'outcome') undecidedCalls.delete(event.callId);
        abort();
        client.emit(() => event);
      },
    },
    signal: controller.signal,
    end: stopListening,
  };
}
