import type { JournalEntry } from '@orgchat/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RedisClient, redisJournal } from '../../src/redis.ts';
import { type RedisServer, startRedis } from '../../test-support/engines/redis-server.ts';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());

const entry: JournalEntry = {
  ...{ format: 2, kind: 'change', path: '/chat/changes', body: '{}', state: 'pending', attempts: 0 },
  ...{ operationId: 'one', target: 'given-up', token: 't', createdAt: '2026-01-01', updatedAt: '2026-01-01' },
  deadline: new Date(Date.now() + 60_000).toISOString(),
};

test('a call that was given up adds nothing when it arrives late', async () => {
  const admin = server.ioredis();
  // From now on the engine knows the script.
  await redisJournal(admin).add(entry);
  let isHeldBack = true;
  const late: (() => Promise<unknown>)[] = [];
  // A network that delivers an addition after its client has given up and undone it on another connection.
  const client: RedisClient = {
    ...{ status: 'ready', on: () => undefined },
    async call(command, ...args) {
      if (!isHeldBack || args.length < 12) return admin.call(command, ...args);
      late.push(() => admin.call(command, ...args));
      throw new Error('Connection is closed.');
    },
  };
  const journal = redisJournal(client, { prefix: 'late', timeoutMs: 2_000 });
  await journal.list('nothing');
  await expect(journal.add(entry)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  isHeldBack = false;
  expect(await journal.get(entry)).toBeUndefined();
  expect(late.length).toBeGreaterThan(0);
  for (const deliver of late) await deliver();
  expect(await journal.get(entry)).toBeUndefined();
  // A new call is not a late one.
  expect(await journal.add(entry)).toBe(true);
});

test('an entry that cannot be settled or undone blocks no other one', async () => {
  const admin = server.ioredis();
  const journal = redisJournal(server.ioredis(), { prefix: 'broken', timeoutMs: 2_000 });
  const open = { ...entry, operationId: 'broken' };
  await journal.add(open);
  const [name = ''] = await admin.keys('{broken}:journal:*:entry:broken');
  await admin.set(name, 'not a hash');
  const failed = { systemCode: 'WRONGTYPE' };
  await expect(journal.settle({ ...open, state: 'refused' })).rejects.toMatchObject(failed);
  await expect(journal.claim(open, { token: 'next', deadline: open.deadline })).rejects.toMatchObject(failed);
  expect(await journal.add(entry)).toBe(true);
  expect(await journal.settle({ ...entry, state: 'unknown' })).toBe(true);
  const { entries, problems } = await journal.list(entry.target, { open: true });
  expect(entries.map(({ operationId }) => operationId)).toEqual(['one']);
  expect(problems).toMatchObject([{ operationId: 'broken' }]);
});
