import { NotFoundError } from '../errors/refused.ts';
import { toComparableId } from '../shapes/ids.ts';
import type { FormSubmission, LinkClick } from '../types.ts';
import { createDeliveries, createGap, type Feed, findNewRows } from './deliveries.ts';
import { findFriend, type ListedRows, type Row, readListedRows } from './listed-rows.ts';
import type { Round } from './watch-messages.ts';
import type { WatchEvent } from './watch-options.ts';
import { type ListState, missingSince } from './watch-state.ts';

type ListResource = 'form-submissions' | 'link-clicks';

/** Reads what is new of the submissions of a form or the clicks on a link. */
export async function readNewRecords(round: Round, resource: ListResource, id: string): Promise<Feed> {
  const { api, state, since, options } = round;
  const key = `${resource} ${toComparableId(id)}`;
  const known = state.lists.get(key);
  let listed: ListedRows;
  try {
    listed = await readListedRows(api, { resource, id }, options);
  } catch (error) {
    if (!known || !(error instanceof NotFoundError)) throw error;
    const settle = (): void => {
      known.isGone = true;
    };
    return {
      deliveries: known.isGone ? [] : [createGap(resource, missingSince(known, state), { settle })],
      finish: settle,
    };
  }
  const own: ListState = known ?? { at: null, after: null, ids: '' };
  const times = { earlierAt: state.heardAt, heardAt: round.heardAt() };
  const found = findNewRows(listed, { state: own, isLearned: false, ...times });
  const settleTo = (index?: number): void => {
    found.settleTo(index);
    own.isGone = undefined;
    state.lists.set(key, own);
  };
  const finish = (): void => settleTo();
  if (!known && since === 'now') return { deliveries: [], finish };
  const gap = found.isGap ? [createGap(resource, missingSince(own, state))] : [];
  const deliveries = createDeliveries(listed, { ...found, settleTo }, (row, facts) =>
    toEvent(resource, row, facts),
  );
  return { deliveries: [...gap, ...deliveries], finish };
}

function toEvent(resource: ListResource, row: Row, facts: { id: string; at: string }): WatchEvent {
  const friend = findFriend(row);
  // The rows are what the types promise: each names its record.
  return resource === 'form-submissions'
    ? { type: 'submission', ...facts, friend, record: row as unknown as FormSubmission }
    : { type: 'click', ...facts, friend, record: row as unknown as LinkClick };
}
