import { createMock, type Mock } from '@orgchat/mock-server';
import { vi } from 'vitest';
import {
  createClient,
  type FriendRef,
  type WatchCursor,
  type WatchEvent,
  type WatchOptions,
  type WatchTargets,
} from '../src/index.ts';

/** Three accounts, a form and a link. */
const seed = {
  organizations: [
    {
      id: 'org_watched',
      name: 'Watched',
      keys: [{ key: 'watch-write-key', name: 'Bot', scope: 'write' as const }],
      accounts: ['north', 'south', 'west'].map((id) => ({ id, name: id, createdAt: '2026-01-01T00:00:00Z' })),
      forms: [
        {
          id: 'survey',
          accountId: 'north',
          name: 'Survey',
          title: 'Survey',
          description: '',
          fields: [
            {
              key: 'answer',
              label: 'Answer',
              type: 'text' as const,
              required: true,
              options: [],
              placeholder: '',
            },
          ],
          submitTagId: null,
          submitScenarioId: null,
          saveToProfile: false,
          thanksText: '',
          active: true,
        },
      ],
      links: [{ id: 'page', name: 'Page', url: 'https://example.com', tagId: null, scenarioId: null }],
    },
  ],
};

/** A record that was made while the watch ran, or before. */
export interface MadeRecord {
  readonly id: string;
  readonly type: 'message' | 'submission' | 'click';
  readonly at: string;
  readonly friend?: FriendRef | undefined;
  /** How many rounds were over when it was made. */
  readonly round: number;
}

/** An event with the number of rounds that were over when it came, and the watcher that got it. */
export interface Seen {
  readonly event: WatchEvent;
  readonly round: number;
  readonly watcher: number;
}

/** An organization in which things happen, and a bot that watches it and dies. Time is that of the test's clock. */
export interface WatchedWorld {
  readonly mock: Mock;
  readonly made: MadeRecord[];
  readonly seen: Seen[];
  readonly deleted: Map<string, number>;
  readonly cursorSizes: number[];
  /** How many rounds were over when the clock was set back, each time. */
  readonly setBacks: number[];
  /** What ended a watcher other than its death. */
  readonly errors: unknown[];
  readonly requests: () => number;
  addFriend(accountIndex: number): void;
  write(friendIndex: number, direction: 'incoming' | 'outgoing'): void;
  /** Every friend writes. */
  writeAll(): void;
  submit(): void;
  click(): void;
  deleteFriend(friendIndex: number): void;
  assign(accounts: readonly boolean[]): void;
  moveClock(ms: number): void;
  useUpLimit(): Promise<void>;
  fail(requests: number): void;
  /** The watcher dies after so many more requests or events. */
  kill(): void;
  /** The watcher dies after so many more requests or events. */
  killAfter(count: number, what: 'requests' | 'events'): void;
  /** Lets a round pass; starts a watcher if there is none. */
  poll(): Promise<void>;
}

export const keyOf = ({ accountId, userId }: FriendRef): string => `${accountId} ${userId}`;
const everyMs = 60_000;

export function createWatchedWorld(
  options: Pick<WatchOptions, 'since'> & { pageSize?: number; targets?: Partial<WatchTargets> },
): WatchedWorld {
  const { pageSize = 50, since, targets } = options;
  const server = { server: 1, limits: { pageSize } } as const;
  const mock = createMock({ seed, server, rateLimit: 60 });
  const accounts = mock.records({ resource: 'accounts' }).records.map(({ id }) => String(id));
  const formId = String(mock.records({ resource: 'forms' }).records[0]?.id);
  const linkId = String(mock.records({ resource: 'links' }).records[0]?.id);
  const friends: FriendRef[] = [];
  const deleted = new Map<string, number>();
  const made: MadeRecord[] = [];
  const seen: Seen[] = [];
  const errors: unknown[] = [];
  const cursorSizes: number[] = [];
  const setBacks: number[] = [];
  let [stored, rounds, watcher, failing, sent]: [string | undefined, number, number, number, number] = [
    undefined,
    0,
    0,
    0,
    0,
  ];
  let isRunning = false;
  let death: { count: number; what: 'requests' | 'events' } | undefined;

  function kill(): void {
    death = undefined;
    watcher++;
    isRunning = false;
  }

  function dies(what: 'requests' | 'events'): boolean {
    if (death?.what !== what || --death.count > 0) return false;
    kill();
    return true;
  }
  const never = new Promise<never>(() => undefined);
  let [inFlight, isWaiting] = [0, false];

  /** Waits until everything is done that needs no time to pass. */
  async function settled(): Promise<void> {
    for (let quiet = 0; quiet < 5; quiet = inFlight > 0 ? 0 : quiet + 1)
      await new Promise((resolve) => setImmediate(resolve));
  }

  /** The answer without what belongs to deleted friends, whom this API cannot delete. */
  async function withoutDeleted(response: Response, body: string): Promise<Response> {
    const { resource, accountId, userId } = JSON.parse(body || '{}');
    if (resource === 'messages' && deleted.has(`${accountId} ${userId}`))
      return Response.json({ error: 'NOT_FOUND', message: 'No friend.' }, { status: 404 });
    if (resource !== 'conversations' || response.status !== 200) return response;
    const answer = (await response.json()) as { records: FriendRef[]; total: number; limited: boolean };
    const records = answer.records.filter((row) => !deleted.has(keyOf(row)));
    const { headers } = response;
    return Response.json({ ...answer, records, total: answer.total - deleted.size }, { headers });
  }

  const createBot = (own: number) =>
    createClient({
      apiKey: 'watch-write-key',
      baseUrl: mock.baseUrl,
      server,
      fetch: async (request) => {
        if (own !== watcher) return never;
        sent++;
        const body = await request.clone().text();
        if (failing > 0) {
          failing--;
          return Response.json({ error: 'INTERNAL_ERROR', message: 'No.' }, { status: 500 });
        }
        inFlight++;
        const response = await withoutDeleted(await mock.fetch(request), body);
        inFlight--;
        return dies('requests') ? never : response;
      },
    });

  /** A cursor in a file of this test: what a dead watcher saves is not stored. */
  const createCursor = (own: number): WatchCursor => ({
    open: () => ({
      stored,
      save(text) {
        if (own !== watcher) return;
        stored = text;
        cursorSizes.push(text.length);
        isWaiting = true;
      },
      close: () => undefined,
    }),
  });

  async function watch(): Promise<void> {
    const own = watcher;
    const client = createBot(own);
    const what = { messages: true, submissions: [formId], clicks: [linkId], ...targets } as const;
    const cursor = createCursor(own);
    for await (const event of client.watch(what, { cursor, since, everyMs, onWarning: () => undefined })) {
      if (own !== watcher) return;
      isWaiting = false;
      // Before it did anything about the event.
      if (dies('events')) return never;
      seen.push({ event, round: rounds, watcher: own });
      if (event.type !== 'gap')
        await client.tags.create({ name: event.id, color: 'blue' }, { intent: ['seen', event.id] });
    }
  }

  function add(type: MadeRecord['type'], record: Record<string, unknown>, time: string): void {
    const { id, accountId, userId } = record;
    const friend = accountId ? { accountId: String(accountId), userId: String(userId) } : undefined;
    made.push({ id: String(id), type, at: String(record[time]), friend, round: rounds });
  }

  /** No two records have the same time. */
  const tick = (): void => void vi.advanceTimersByTime(1);

  return {
    mock,
    made,
    seen,
    deleted,
    cursorSizes,
    setBacks,
    errors,
    requests: () => sent,
    addFriend(accountIndex) {
      tick();
      const accountId = accounts[accountIndex % accounts.length] ?? '';
      const { userId } = mock.inject.friend({ accountId, displayName: 'A friend' });
      friends.push({ accountId, userId: String(userId) });
    },
    writeAll() {
      for (const index of friends.keys()) this.write(index, 'incoming');
    },
    write(friendIndex, direction) {
      const friend = friends[friendIndex % friends.length];
      if (!friend || deleted.has(keyOf(friend))) return;
      tick();
      const record = mock.inject.message(friend, { text: `Message ${made.length}`, direction });
      if (direction === 'incoming') add('message', record, 'sentAt');
    },
    submit() {
      const friend = friends[0];
      if (!friend) return;
      tick();
      add(
        'submission',
        mock.inject.submission(formId, { values: { answer: 'Yes' }, ...friend }),
        'submittedAt',
      );
    },
    click() {
      tick();
      add('click', mock.inject.click(linkId), 'clickedAt');
    },
    deleteFriend(friendIndex) {
      const friend = friends[friendIndex % friends.length];
      if (friend && !deleted.has(keyOf(friend))) deleted.set(keyOf(friend), rounds);
    },
    assign(isAssigned) {
      const accountIds = accounts.filter((_, index) => isAssigned[index]);
      mock.patchKey('watch-write-key', { accountIds });
    },
    moveClock(ms) {
      // Only a round shows that the clock was set back, before it goes forward again.
      if (ms > 0 && setBacks.at(-1) === rounds) return;
      if (ms < 0) setBacks.push(rounds);
      mock.clock.move({ now: mock.clock.read().now + ms });
    },
    async useUpLimit() {
      const headers = { authorization: 'Bearer watch-write-key' };
      for (let i = 0; i < 60; i++) await mock.fetch(`${mock.baseUrl}/me`, { headers });
    },
    fail(requests) {
      failing = requests;
    },
    kill,
    killAfter(count, what) {
      death = { count, what };
    },
    async poll() {
      if (!isRunning) {
        isRunning = true;
        isWaiting = false;
        // An outage in the first round ends a watch, and so does what the bot does. It is started again.
        const own = watcher;
        void watch().catch((error) => {
          if (own !== watcher) return;
          isRunning = false;
          if (!['INTERNAL_ERROR', 'DEADLINE_EXCEEDED'].includes(error?.code)) errors.push(error);
        });
      }
      await settled();
      // Timer by timer: an answer takes turns of the event loop, and no time.
      for (const end = performance.now() + everyMs; performance.now() < end; await settled()) {
        if (vi.getTimerCount() > 0) await vi.advanceTimersToNextTimerAsync();
        else vi.advanceTimersByTime(everyMs);
      }
      if (isWaiting) rounds++;
    },
  };
}
