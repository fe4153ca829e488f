import type { Journal, JournalEntry } from '@orgchat/sdk';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { redisJournal, redisPacing } from '../../src/redis.ts';
import { type RedisServer, startRedis } from '../../test-support/engines/redis-server.ts';
import { untilAnswered } from '../../test-support/until-answered.ts';

/* One client of Redis has the journals and pacings of many organizations. */

let server: RedisServer;
let admin: Redis;

beforeAll(async () => {
  server = await startRedis();
  admin = server.ioredis();
});
afterAll(() => server.stop());
// The heartbeat is the only interval.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const entry = (n: number): JournalEntry => ({
  ...{ format: 2, kind: 'change', path: '/chat/changes', body: '{}', state: 'pending', attempts: 0 },
  ...{ operationId: 'one', target: `organization ${n}`, token: 't', createdAt: '2026', updatedAt: '2026' },
  deadline: new Date(Date.now() + 60_000).toISOString(),
});

async function countScripts(): Promise<number> {
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(await admin.info('commandstats'))?.[1] ?? 0);
}

/** Lets a second pass for the heartbeats, and expects so many of them. */
async function expectBeats(client: { ping(): Promise<unknown> }, beats: number): Promise<void> {
  const before = await countScripts();
  await vi.advanceTimersByTimeAsync(1_000);
  await expect.poll(countScripts).toBe(before + beats);
  // No more of them come a moment later.
  await untilAnswered(client);
  expect(await countScripts()).toBe(before + beats);
}

/** Notes the warnings of this process. */
function listenToWarnings(): readonly string[] {
  const warnings: string[] = [];
  const note = ({ message }: Error) => void warnings.push(message);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  return warnings;
}

test.each(['ioredis', 'node-redis'])('with %s they share a listener and a heartbeat', async (driver) => {
  const client = driver === 'ioredis' ? server.ioredis() : await server.nodeRedis();
  const listeners = client.listenerCount('error');
  const warnings = listenToWarnings();
  const prefix = driver.replace('-', '_');
  const journals: Journal[] = [];
  for (let n = 0; n < 30; n++) {
    redisPacing(client, { prefix });
    journals.push(redisJournal(client, { prefix }));
  }
  const held = journals.map((journal, n) => ({ journal, entry: entry(n) }));
  for (const { journal, entry } of held) await journal.add(entry);
  for (let n = 0; n < 3; n++) await expectBeats(client, 1);
  // It shows that the process is alive for as long as one of the journals holds something.
  for (const { journal, entry } of held.slice(1)) await journal.settle({ ...entry, state: 'applied' });
  for (let n = 0; n < 3; n++) await expectBeats(client, 1);
  const other = redisJournal(server.ioredis(), { prefix });
  expect(
    (await other.claim(entry(0), { token: 'other', deadline: entry(0).deadline }))?.entry,
  ).toBeUndefined();
  await journals[0]?.settle({ ...entry(0), state: 'applied' });
  for (let n = 0; n < 3; n++) await expectBeats(client, 0);
  expect(vi.getTimerCount()).toBe(0);
  expect(client.listenerCount('error')).toBe(listeners + 1);
  expect(warnings).toEqual([]);
});

test('journals of different prefixes have a heartbeat each', async () => {
  const client = server.ioredis();
  for (const prefix of ['one', 'two']) await redisJournal(client, { prefix }).add(entry(0));
  for (let n = 0; n < 3; n++) await expectBeats(client, 2);
  for (const prefix of ['one', 'two']) {
    const claim = await redisJournal(admin, { prefix }).claim(entry(0), { ...entry(0), token: 'other' });
    expect(claim?.entry).toBeUndefined();
  }
});
