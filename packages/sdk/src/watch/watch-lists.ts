import { toComparableId } from '../shapes/ids.ts';
import type { FormSubmission, LinkClick } from '../types.ts';
import type { Feed } from './deliveries.ts';
import { findFriend, type Row } from './listed-rows.ts';
import { type Round, readFeed } from './read-feed.ts';
import type { WatchEvent } from './watch-options.ts';
import type { ListState } from './watch-state.ts';

type ListResource = 'form-submissions' | 'link-clicks';

/** Reads what is new of the submissions of a form or the clicks on a link. */
export function readNewRecords(round: Round, resource: ListResource, id: string): Promise<Feed> {
  const { lists } = round.state;
  const key = `${resource} ${toComparableId(id)}`;
  const known = lists.get(key);
  const own: ListState = known ?? { at: null, after: null, ids: '' };
  return readFeed(round, {
    query: { resource, id },
    own,
    isLearned: false,
    mayBeGone: known !== undefined,
    learnsOnly: !known && round.since === 'now',
    keep: () => void lists.set(key, own),
    toEvent: (row, facts) => toEvent(resource, row, facts),
  });
}

function toEvent(resource: ListResource, row: Row, facts: { id: string; at: string }): WatchEvent {
  const friend = findFriend(row);
  // The rows are what the types promise: each names its record.
  return resource === 'form-submissions'
    ? { type: 'submission', ...facts, friend, record: row as unknown as FormSubmission }
    : { type: 'click', ...facts, friend, record: row as unknown as LinkClick };
}
