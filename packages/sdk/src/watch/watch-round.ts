import type { CallOptions } from '../options/options.ts';
import type { ChatApi } from '../pipeline/chat-api.ts';
import type { ReadQuery } from '../types/read-query.ts';
import { createAccountReader, createConversationReader } from './conversation-lists.ts';
import { createGap, type Delivery, type Feed, mergeDeliveries } from './deliveries.ts';
import { getServerTime } from './listed-rows.ts';
import { readNewRecords } from './watch-lists.ts';
import { readNewMessages } from './watch-messages.ts';
import type { ResolvedWatch, WatchGap } from './watch-options.ts';
import { clockToleranceMs, earlierOf, type WatchState } from './watch-state.ts';

/** What a round found: its events in order, and what is left to note when all of them are handled. */
export interface RoundResult {
  readonly deliveries: readonly Delivery[];
  /** The time of the server, in milliseconds. */
  readonly heardAt: number;
  finish(): void;
}

/** Reads round after round. */
export interface RoundReader {
  read(state: WatchState): Promise<RoundResult>;
  /** Returns how many requests a round takes in which nothing changed. */
  countRequests(): number;
}

/** Lowers the times before which records are not new: the clock of the server was set back to this time. */
function setBack(state: WatchState, time: number): void {
  if (state.startedAt !== undefined) state.startedAt = earlierOf(state.startedAt, time);
  for (const [account, floor] of state.floors) state.floors.set(account, earlierOf(floor, time));
  for (const one of [...state.conversations.values(), ...state.lists.values()])
    one.after = earlierOf(one.after, time);
}

/** Creates what reads the rounds of a watch. */
export function createRoundReader(
  api: Pick<ChatApi, 'read' | 'shapes'>,
  { messages, submissions, clicks, since, signal }: ResolvedWatch,
): RoundReader {
  const accountId = typeof messages === 'object' ? messages.accountId : undefined;
  const reader = accountId ? createAccountReader(accountId) : createConversationReader();
  const resources: readonly WatchGap['resource'][] = [
    ...(messages ? ['messages' as const] : []),
    ...(submissions.length > 0 ? ['form-submissions' as const] : []),
    ...(clicks.length > 0 ? ['link-clicks' as const] : []),
  ];
  return {
    countRequests: () => (messages ? reader.countRequests() : 0) + submissions.length + clicks.length,
    async read(state) {
      const before = { heardAt: state.heardAt, localAt: state.localAt };
      let first:
        | { readonly heardAt: number; readonly localAt: number; readonly wentBack: boolean }
        | undefined;
      const round = {
        state,
        since,
        options: { signal },
        heardAt: () => first?.heardAt ?? before.heardAt,
        api: {
          shapes: api.shapes,
          async read<A extends object>(query: ReadQuery, options?: CallOptions) {
            const askedAt = Date.now();
            const answer = await api.read<A>(query, options);
            if (first === undefined) {
              const heardAt = getServerTime(answer);
              // At least so much time has passed since, if the clock of this machine was not set in the meantime.
              const least = before.heardAt + Math.max(0, askedAt - before.localAt);
              const wentBack = before.localAt > 0 && heardAt < least - clockToleranceMs;
              first = { heardAt, localAt: Date.now(), wentBack };
              // Before anything is compared with times from before.
              if (wentBack) setBack(state, heardAt);
            }
            return answer;
          },
        },
      };
      const feeds: Feed[] = messages ? await readNewMessages(round, reader) : [];
      for (const id of submissions) feeds.push(await readNewRecords(round, 'form-submissions', id));
      for (const id of clicks) feeds.push(await readNewRecords(round, 'link-clicks', id));
      const gaps = first?.wentBack ? resources.map((resource) => createGap(resource, null)) : [];
      return {
        deliveries: [...gaps, ...mergeDeliveries(feeds)],
        heardAt: round.heardAt(),
        finish() {
          for (const feed of feeds) feed.finish();
          const { heardAt, localAt } = first ?? before;
          Object.assign(state, { heardAt, localAt });
        },
      };
    },
  };
}
