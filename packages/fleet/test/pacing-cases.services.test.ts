import { setTimeout as sleep } from 'node:timers/promises';
import { type CallOptions, createClient, type SharedPacing } from '@orgchat/sdk';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { account } from '../../sdk/test-support/servers/scripted.ts';
import { createPostgresPacing } from '../src/postgres/pacing.ts';
import { migrate } from '../src/postgres.ts';
import { createRedisPacing } from '../src/redis/pacing.ts';
import { type PostgresServer, startPostgres } from '../test-support/engines/postgres-server.ts';
import { type RedisServer, startRedis } from '../test-support/engines/redis-server.ts';

/* One table of cases for every pacing: that of a process, and those that machines share. */

interface Sent {
  readonly name: string;
  readonly at: number;
}

/** A client with a pace, and what it has sent. */
interface Paced {
  readonly windowMs: number;
  readonly sent: Sent[];
  call(name: string, options?: CallOptions): Promise<unknown>;
  /** Waits until so many calls have a place in the line, or were sent. */
  inLine(count: number): Promise<void>;
  advance(windows: number): Promise<void>;
}

type Open = (perWindow: number) => Paced;

let keyCount = 0;

/** Notes the places that a store has answered about. */
function watchPlaces(shared: SharedPacing, places: Set<string>): SharedPacing {
  return {
    reserve: async (request) => {
      const answer = await shared.reserve(request);
      places.add(request.place);
      return answer;
    },
    release: (place) => shared.release(place),
  };
}

/** Opens a pace. Every request is answered at once. */
function createPaced(
  perMinute: number,
  windowMs: number,
  advance: (ms: number) => Promise<unknown>,
  shared?: SharedPacing,
): Paced {
  const sent: Sent[] = [];
  const places = new Set<string>();
  const client = createClient({
    apiKey: `key-${++keyCount}`,
    baseUrl: 'https://example.com/api/v1',
    pacing: { perMinute, shared: shared && watchPlaces(shared, places) },
    fetch: async (request) => {
      sent.push({ name: request.headers.get('x-name') ?? '', at: performance.now() });
      return Response.json(account);
    },
  });
  return {
    windowMs,
    sent,
    call: (name, options) => client.account({ headers: { 'x-name': name }, ...options }),
    // The line of a process has a call at once.
    inLine: async (count) => {
      if (shared) await expect.poll(() => places.size, { interval: 5 }).toBe(count);
    },
    async advance(windows) {
      await advance(windows * windowMs);
    },
  };
}

const getNames = ({ sent }: Paced): string[] => sent.map(({ name }) => name);

const cases: readonly [what: string, check: (open: Open) => Promise<void>][] = [
  [
    'sends as many at once as allowed, and the next one a window later',
    async (open) => {
      const paced = open(2);
      const calls = ['a', 'b', 'c'].map((name) => paced.call(name));
      await paced.advance(0.8);
      // Calls of one moment may reach a store in another order, on connections of their own.
      expect(paced.sent).toHaveLength(2);
      await paced.advance(0.5);
      await Promise.all(calls);
      expect(getNames(paced).sort()).toEqual(['a', 'b', 'c']);
      const [first, , last] = paced.sent.map(({ at }) => at);
      expect((last ?? 0) - (first ?? 0)).toBeLessThan(2 * paced.windowMs);
    },
  ],
  [
    'sends in the order of the calls',
    async (open) => {
      const paced = open(2);
      const names = ['a', 'b', 'c', 'd', 'e', 'f'];
      const calls: Promise<unknown>[] = [];
      for (const name of names) {
        calls.push(paced.call(name));
        await paced.advance(0.02);
        // The next one has a connection of its own, and could be faster.
        await paced.inLine(calls.length);
      }
      await paced.advance(2.4);
      await Promise.all(calls);
      expect(getNames(paced)).toEqual(names);
    },
  ],
  [
    'never sends more than allowed in any window, wherever it begins',
    async (open) => {
      const paced = open(4);
      const calls: Promise<unknown>[] = [];
      for (let n = 0; n < 16; n++) {
        calls.push(paced.call(`${n}`));
        await paced.advance(n % 5 === 0 ? 0.3 : 0.05);
      }
      await paced.advance(3.5);
      await Promise.all(calls);
      const { sent, windowMs } = paced;
      // A little less than a window: the slack of the pacing.
      const within = (from: number) =>
        sent.filter(({ at }) => at >= from && at < from + windowMs * 0.99).length;
      expect(Math.max(...sent.map(({ at }) => within(at)))).toBe(4);
    },
  ],
  [
    'refuses at once a call whose deadline is too short, and keeps no slot for it',
    async (open) => {
      const paced = open(1);
      await paced.call('a');
      const timeoutMs = paced.windowMs / 2;
      await expect(paced.call('short', { timeoutMs })).rejects.toMatchObject({
        code: 'DEADLINE_EXCEEDED',
        waitingFor: 'pacing',
      });
      const next = paced.call('b');
      await paced.advance(1.3);
      await next;
      expect(getNames(paced)).toEqual(['a', 'b']);
    },
  ],
  [
    'sends nothing for a call that was aborted in line, and serves those behind it',
    async (open) => {
      const paced = open(1);
      await paced.call('a');
      const abort = new AbortController();
      const aborted = paced.call('b', { signal: abort.signal });
      aborted.catch(() => undefined);
      await paced.advance(0.1);
      const behind = paced.call('c');
      await paced.advance(0.1);
      abort.abort();
      await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
      await paced.advance(2.3);
      await behind;
      expect(getNames(paced)).toEqual(['a', 'c']);
    },
  ],
  [
    'has a line of its own for each key',
    async (open) => {
      const [one, other] = [open(1), open(1)];
      await one.call('a');
      await other.call('b');
      expect([getNames(one), getNames(other)]).toEqual([['a'], ['b']]);
    },
  ],
];

describe('the pacing of a process', () => {
  const windowMs = 60_250;
  const open: Open = (perWindow) => createPaced(perWindow, windowMs, (ms) => vi.advanceTimersByTimeAsync(ms));
  test.each(cases)('%s', async (_what, check) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
    try {
      await check(open);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the pacing in Postgres', () => {
  let server: PostgresServer;
  const windowMs = 4_000;
  beforeAll(async () => {
    server = await startPostgres();
    await migrate(server.pool());
  });
  afterAll(() => server.stop());

  const open: Open = (perWindow) =>
    createPaced(perWindow, windowMs, sleep, createPostgresPacing(server.pool(), {}, windowMs));
  // Each has a line of its own, so they wait at the same time.
  test.concurrent.each(cases)('%s', async (_what, check) => check(open));
});

describe('the pacing in Redis', () => {
  let server: RedisServer;
  const windowMs = 4_000;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  const open: Open = (perWindow) =>
    createPaced(perWindow, windowMs, sleep, createRedisPacing(server.ioredis(), {}, windowMs));
  // Each has a line of its own, so they wait at the same time.
  test.concurrent.each(cases)('%s', async (_what, check) => check(open));
});
