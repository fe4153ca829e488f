import type { OrgChatClient, WatchCursor, WatchEvent, WatchOptions, WatchTargets } from '../src/index.ts';
import { mocked } from './mocked.ts';

/** A cursor whose text a test can see. */
export interface VisibleCursor extends WatchCursor {
  stored: string | undefined;
  onSave: () => void;
}

export function visibleCursor(): VisibleCursor {
  const cursor: VisibleCursor = {
    stored: undefined,
    onSave: () => undefined,
    open: () => ({
      stored: cursor.stored,
      save(text) {
        cursor.stored = text;
        cursor.onSave();
      },
      close: () => undefined,
    }),
  };
  return cursor;
}

/** Watches for one round, and returns what it delivered. All of it is handled. */
export async function oneRound(
  client: OrgChatClient,
  targets: WatchTargets,
  cursor: VisibleCursor,
  options: WatchOptions = {},
): Promise<WatchEvent[]> {
  const end = new AbortController();
  const readTime = (): unknown => JSON.parse(cursor.stored ?? '{}').localAt;
  const before = readTime();
  cursor.onSave = () => {
    // It changes when all events of the round are handled.
    if (readTime() !== 0 && readTime() !== before) end.abort();
  };
  const events: WatchEvent[] = [];
  const quiet = { everyMs: 1, onWarning: () => undefined };
  // The clock of this machine shows that a round is over.
  await new Promise((resolve) => setTimeout(resolve, 2));
  try {
    for await (const event of client.watch(targets, { ...quiet, ...options, cursor, signal: end.signal }))
      events.push(event);
  } catch (error) {
    if (!end.signal.aborted) throw error;
  }
  return events;
}

/** The demo in a mock with lists of this size, its friends, and a client that does not know the size. */
export function small(pageSize: number) {
  const { mock, client } = mocked({ server: { server: 1, limits: { pageSize } } });
  const friends = mock.records({ resource: 'friends', limit: 50 }).records.map(({ accountId, userId }) => ({
    accountId: String(accountId),
    userId: String(userId),
  }));
  return { mock, client, friends };
}

/** The texts of messages, and the types of other events. */
export const texts = (events: readonly WatchEvent[]): unknown[] =>
  events.map((event) => (event.type === 'message' ? event.record.text : event.type));
