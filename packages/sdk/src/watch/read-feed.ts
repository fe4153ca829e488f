import { NotFoundError } from '../errors/refused.ts';
import type { CallOptions } from '../options/options.ts';
import type { ChatApi } from '../pipeline/chat-api.ts';
import type { FriendRef } from '../types.ts';
import { createGap, type Delivery, type Feed, findNewRows } from './deliveries.ts';
import { type ListedRows, type Row, readListedRows } from './listed-rows.ts';
import type { WatchEvent, WatchGap } from './watch-options.ts';
import { type ListState, missingSince, type WatchState } from './watch-state.ts';

/** What a round needs. */
export interface Round {
  readonly api: Pick<ChatApi, 'read' | 'shapes'>;
  readonly state: WatchState;
  readonly since: 'now' | 'all';
  readonly options: CallOptions;
  /** The time of the server at the first answer of the round, in milliseconds. */
  heardAt(): number;
}

/** A list of records to read, and what is known of it. */
interface WatchedList {
  readonly query: { readonly resource: WatchGap['resource'] } & Parameters<ChatApi['read']>[0];
  readonly friend?: FriendRef;
  /** What was handled of it; changes when events are. */
  readonly own: ListState;
  /** Whether the newest record that is as old as its `at` was there when the list was learned. */
  readonly isLearned: boolean;
  /** Whether it is gone if it is not found. Otherwise that rejects. */
  readonly mayBeGone: boolean;
  /** Whether its records are noted as handled, and not delivered. */
  readonly learnsOnly: boolean;
  /** Keeps `own` in the state of the watch. */
  keep(): void;
  /** Returns undefined for a record that is not delivered. */
  toEvent(
    row: Row,
    facts: { readonly id: string; readonly at: string },
    listed: ListedRows,
  ): WatchEvent | undefined;
}

/** Reads what is new of a list. */
export async function readFeed(
  { api, state, options, heardAt }: Round,
  { query, friend, own, isLearned, mayBeGone, learnsOnly, keep, toEvent }: WatchedList,
): Promise<Feed> {
  const { resource } = query;
  const settleGone = (): void => {
    own.isGone = true;
    keep();
  };
  let listed: ListedRows;
  try {
    listed = await readListedRows(api, query, options);
  } catch (error) {
    if (!mayBeGone || !(error instanceof NotFoundError)) throw error;
    const gap = createGap(resource, missingSince(own, state), { friend, settle: settleGone });
    return { deliveries: own.isGone ? [] : [gap], finish: settleGone };
  }
  const times = { earlierAt: state.heardAt, heardAt: heardAt() };
  const found = findNewRows(listed, { state: own, isLearned, ...times });
  const settleTo = (index?: number): void => {
    found.settleTo(index);
    own.isGone = undefined;
    keep();
  };
  const finish = (): void => settleTo();
  const newestAt = listed.hasUsualTimes ? (listed.times[0] ?? -Infinity) : undefined;
  if (learnsOnly) return { deliveries: [], finish };
  const gaps = found.isGap ? [createGap(resource, missingSince(own, state), { friend })] : [];
  const deliveries = found.indices.flatMap((index): Delivery[] => {
    const row = listed.rows[index] ?? {};
    const time = listed.times[index] ?? 0;
    const event = toEvent(row, { id: String(row.id), at: new Date(time).toISOString() }, listed);
    return event ? [{ event, time, settle: () => settleTo(index) }] : [];
  });
  return { deliveries: [...gaps, ...deliveries], newestAt, hasNew: found.indices.length > 0, finish };
}
