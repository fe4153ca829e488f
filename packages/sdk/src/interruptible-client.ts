import { createClientWithin } from './client.ts';
import type { OrgChatClient } from './client-interface.ts';
import type { ClientOptions } from './options/options.ts';
import { type WatchedRequests, watchRequests } from './pipeline/watch-requests.ts';

/** A client for one operation that may be interrupted without leaving its outcome open. */
export interface InterruptibleClient {
  readonly client: OrgChatClient;
  /** For the calls of `client`: aborted by the caller's signal, but not while a request is on its way. */
  readonly signal: AbortSignal;
  /** Stops listening to the caller's signal. */
  end(): void;
}

/** Creates a client and the signal for its calls. An abort ends their waits, and lets a request that is on its way finish. */
export function createInterruptibleClient(options: ClientOptions, signal: AbortSignal): InterruptibleClient {
  let watched: WatchedRequests | undefined;
  const client = createClientWithin(options, [], (context) => {
    watched = watchRequests(context, signal);
    return watched.client;
  });
  return { client, signal: watched?.signal ?? signal, end: () => watched?.end() };
}
