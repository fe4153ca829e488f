import type { ClientContext } from '../client-context.ts';
import { onAbort } from '../pipeline/on-abort.ts';

/** A client whose calls end by a signal only while they wait. */
export interface WatchedRequests {
  readonly client: ClientContext;
  /** For the calls: aborted by the caller's signal, but not while a request is on its way. */
  readonly signal: AbortSignal | undefined;
  /** Stops listening to the caller's signal. */
  end(): void;
}

/**
 * The outcome of a keyword write that was cut off cannot be found out later. So an abort ends the waits of a call, and
 * lets a request that is on its way finish.
 */
export function watchRequests(client: ClientContext, signal: AbortSignal | undefined): WatchedRequests {
  if (!signal) return { client, signal, end: () => undefined };
  const controller = new AbortController();
  let isSending = false;
  const abort = (): void => {
    if (signal.aborted && !isSending) controller.abort(signal.reason);
  };
  const stopListening = onAbort(signal, abort);
  return {
    client: {
      ...client,
      transport() {
        isSending = true;
        return client.transport();
      },
      emit(create) {
        // Each attempt ends with an event.
        const event = create();
        if (event.type === 'attempt') {
          isSending = false;
          abort();
        }
        client.emit(() => event);
      },
    },
    signal: controller.signal,
    end: stopListening,
  };
}
