import { readFileSync } from 'node:fs';
import { createMock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { redisJournal, redisPacing, type StoreWarning } from '../../src/redis.ts';
import { createEntry, getError } from '../../test-support/engines/bad-engine.ts';
import { createPretender, toInfo } from '../../test-support/engines/pretended-redis.ts';
import { durable, type RedisServer, startRedis } from '../../test-support/engines/redis-server.ts';

/* What only Redis has: eviction, users and their permissions, and warnings of what it may lose. */

let server: RedisServer;
let locked: RedisServer;
let admin: Redis;

beforeAll(async () => {
  [server, locked] = await Promise.all([startRedis(durable), startRedis(['--requirepass', 'right'])]);
  admin = server.ioredis();
});
afterAll(() => Promise.all([server, locked].map((one) => one.stop())));

const pretend: ReturnType<typeof createPretender> = (answers) => createPretender(admin)(answers);
const brief = { timeoutMs: 1_500, onWarning: () => undefined };

test('a real engine that evicts is refused', async () => {
  await admin.config('SET', 'maxmemory-policy', 'volatile-lru');
  try {
    const error = await getError(redisJournal(admin, brief).add(createEntry('evicted')));
    expect(error).toMatchObject({ code: 'STORE_EVICTION' });
  } finally {
    await admin.config('SET', 'maxmemory-policy', 'noeviction');
  }
});

test('credentials that expire in use are named as the reason', async () => {
  await locked
    .ioredis({ password: 'right' })
    .call('ACL', 'SETUSER', 'expiring', 'on', '>right', '~*', '+@all');
  const journal = redisJournal(await locked.nodeRedis({ username: 'expiring', password: 'right' }), brief);
  await journal.add(createEntry('before'));
  await locked.ioredis({ password: 'right' }).call('ACL', 'SETUSER', 'expiring', 'resetpass', '>new');
  await locked.ioredis({ password: 'right' }).call('CLIENT', 'KILL', 'USER', 'expiring');
  const error = await getError(journal.add(createEntry('after')));
  expect(error.message).toMatch(
    /^The Redis journal failed: (NOAUTH|WRONGPASS) .* The password may have expired\.$/,
  );
  expect(error).toMatchObject({ code: 'STORE_CREDENTIALS' });
});

test('a user with the permissions that its page lists can do everything', async () => {
  const page = readFileSync(new URL('../../docs/redis.md', import.meta.url), 'utf8');
  const permissions = /`~\{orgchat\}:\*` needs `([^`]+)`/.exec(page)?.[1]?.split(/\s+/) ?? [];
  expect(permissions.length).toBeGreaterThan(10);
  const root = locked.ioredis({ password: 'right' });
  await root.call('ACL', 'SETUSER', 'least', 'on', '>right', '~{orgchat}:*', ...permissions);
  const own = locked.ioredis({ username: 'least', password: 'right' });
  const warnings: StoreWarning[] = [];
  const onWarning = (warning: StoreWarning) => void warnings.push(warning);
  const journal = redisJournal(own, { keepSettledDays: 1e-9, onWarning });
  const [one, other] = [
    createEntry('least', { target: 'rights' }),
    createEntry('other', { target: 'rights' }),
  ];
  for (const added of [one, other, one]) await journal.add(added);
  await journal.settle({ ...one, state: 'applied' });
  await journal.settle({ ...other, state: 'unknown' });
  await journal.claim(other, { token: 'next', deadline: other.deadline });
  await journal.get(other);
  expect((await journal.list('rights', { open: true })).entries).toHaveLength(1);
  await journal.remove(other);
  const pacing = redisPacing(own);
  const places = ['a', 'b'].map((place) => ({ line: 'l', place, perMinute: 1, holdMs: 1 }));
  for (const place of places) await pacing.reserve(place);
  for (const place of places) await pacing.release({ ...place, isUnused: false, retryAfterMs: 1 });
  expect(warnings.map(({ message }) => message).join()).not.toContain('CONFIG GET');
});

describe('warns', () => {
  const collectWarnings = async (
    answers: Readonly<Record<string, string | Error>>,
  ): Promise<StoreWarning[]> => {
    const warnings: StoreWarning[] = [];
    const onWarning = (warning: StoreWarning) => void warnings.push(warning);
    await redisJournal(pretend(answers), { onWarning }).list('nothing');
    return warnings;
  };

  test('of nothing if every write is on disk', async () => {
    expect(await collectWarnings({ INFO: toInfo('') })).toEqual([]);
  });

  test.each<[string, Record<string, string | Error>, RegExp]>([
    [
      'no append-only file',
      { INFO: toInfo('aof_enabled:0') },
      /may lose entries: it has no append-only file, so /,
    ],
    [
      'replicas',
      { INFO: toInfo('connected_slaves:1') },
      /: it has replicas, and a failover loses what they have /,
    ],
    [
      'a setting that is not shown',
      { INFO: toInfo(''), CONFIG: new Error('NOPERM no') },
      /: CONFIG GET appendfsync is not allowed, so /,
    ],
  ])('of %s', async (_what, answers, says) => {
    const warnings = await collectWarnings(answers);
    expect(warnings.map(({ code }) => code)).toEqual(['NOT_DURABLE']);
    expect(warnings[0]?.message).toMatch(says);
    expect(warnings[0]?.message).toContain(`may lose entries: ${warnings[0]?.reasons.join('; ')}. `);
    expect(warnings[0]?.message).toMatch(/If the journal must survive, use postgresJournal\(\)\.$/);
  });

  test.each(['ioredis', 'node-redis'])(
    'of a file that is written once per second, over %s',
    async (driver) => {
      await admin.config('SET', 'appendfsync', 'everysec');
      try {
        const warnings: StoreWarning[] = [];
        const client = driver === 'ioredis' ? server.ioredis() : await server.nodeRedis();
        const journal = redisJournal(client, { onWarning: (warning) => void warnings.push(warning) });
        await journal.list('nothing');
        await journal.list('nothing');
        expect(warnings).toHaveLength(1);
        expect(warnings[0]?.message).toContain('appendfsync is everysec, so a crash of its machine loses ');
      } finally {
        await admin.config('SET', 'appendfsync', 'always');
      }
    },
  );

  test('of an eviction policy that is not shown', async () => {
    const info = toInfo('').replace('maxmemory_policy:noeviction\r\n', '');
    expect(await collectWarnings({ INFO: info })).toMatchObject([
      { code: 'NOT_CHECKED', reasons: ['INFO does not show maxmemory-policy'] },
    ]);
  });
});

test('a key of another kind is an error of the store', async () => {
  const journal = redisJournal(admin, { ...brief, prefix: 'another' });
  await journal.add(createEntry('other'));
  const [key = ''] = await admin.keys('{another}:journal:*:entry:other');
  await admin.del(key);
  await admin.set(key, 'a text');
  expect(await getError(journal.get(createEntry('other')))).toMatchObject({ code: 'STORE_FAILED' });
});

test('no key of Redis names a base URL or holds a key of the API', async () => {
  const mock = createMock();
  const client = createClient({
    ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch },
    journal: redisJournal(admin, { ...brief, prefix: 'private' }),
  });
  await client.tags.create({ name: 'VIP', color: 'pink' });
  const keys = await admin.keys('{private}:*');
  expect(keys.length).toBeGreaterThan(3);
  expect(keys.join()).not.toContain('127.0.0.1');
  const entryKey = keys.find((key) => key.includes(':entry:')) ?? '';
  expect(JSON.stringify([keys, await admin.hgetall(entryKey)])).not.toContain('demo-write-key');
});
