import type { OrgChatClient, WatchCursor, WatchEvent, WatchOptions, WatchTargets } from '../src/index.ts';

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
