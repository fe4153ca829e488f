import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createMock } from '@orgchat/mock-server';
import { createClient, type Journal, type JournalEntry } from '@orgchat/sdk';
import type { Redis } from 'ioredis';
import { createClient as createNodeRedis } from 'redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FleetError, redisJournal, redisPacing, type StoreWarning } from '../../src/redis.ts';
import { findFreePort } from '../../test-support/free-port.ts';
import { durable, type RedisServer, startRedis } from '../../test-support/redis-server.ts';

/* Engines that cannot be used: each gives a clear error, and nothing is sent that is not recorded. */

let server: RedisServer;
let locked: RedisServer;
let replica: RedisServer;
let admin: Redis;

beforeAll(async () => {
  [server, locked] = await Promise.all([
    startRedis([...durable, '--repl-diskless-sync-delay', '0']),
    startRedis(['--requirepass', 'right', '--user', 'stranger', 'on', '>right', '~other:*', '+@all']),
  ]);
  replica = await startRedis(['--replicaof', '127.0.0.1', String(server.port)]);
  admin = server.ioredis();
});
afterAll(() => Promise.all([server, locked, replica].map((one) => one.stop())));

const entry = (id: string, changes: Partial<JournalEntry> = {}): JournalEntry => ({
  ...{ format: 2, kind: 'change', path: '/chat/changes', body: '{}', state: 'pending', attempts: 0 },
  ...{ operationId: id, target: 'bad-engine', token: id },
  ...{ createdAt: new Date().toISOString(), updatedAt: new Date().toISOString() },
  deadline: new Date(Date.now() + 60_000).toISOString(),
  ...changes,
});

async function getError(call: Promise<unknown>): Promise<FleetError> {
  return call.then(
    () => Promise.reject(new Error('expected a rejection')),
    (error: FleetError) => error,
  );
}

/** A client of ioredis whose answers to some commands are made up. */
function pretend(answers: Readonly<Record<string, string | Error>>) {
  return {
    status: 'ready',
    on: () => undefined,
    async call(command: string, ...args: string[]) {
      const answer = answers[command];
      if (answer instanceof Error) throw answer;
      return answer ?? admin.call(command, ...args);
    },
  };
}
const toInfo = (changes: string): string =>
  `# Server\r\nredis_version:7.2.4\r\nmaxmemory_policy:noeviction\r\naof_enabled:1\r\nconnected_slaves:0\r\n${changes}\r\n`;

type Make = () => Journal | Promise<Journal>;
const brief = { timeoutMs: 400, onWarning: () => undefined };

const cases: readonly [what: string, make: Make, code: string, says: RegExp][] = [
  [
    'an engine that is not running',
    async () => redisJournal(server.ioredis({ port: await findFreePort() }), brief),
    'STORE_UNAVAILABLE',
    /^The Redis journal failed: connect ECONNREFUSED 127\.0\.0\.1:\d+\. Check that Redis is running, and check the host and port\.$/,
  ],
  [
    'a client of node-redis that was never connected',
    () => redisJournal(createNodeRedis(), brief),
    'STORE_UNAVAILABLE',
    /^The Redis journal failed: the client is closed\. Call await client\.connect\(\) first\.$/,
  ],
  [
    'a client of ioredis that has ended',
    async () => {
      const client = server.ioredis();
      await client.quit();
      return redisJournal(client, brief);
    },
    'STORE_UNAVAILABLE',
    /the client is closed\. It was ended by quit\(\) or disconnect\(\): create another one\.$/,
  ],
  [
    'a wrong password',
    () => redisJournal(locked.ioredis({ password: 'wrong' }), brief),
    'STORE_CREDENTIALS',
    /failed: WRONGPASS invalid username-password pair or user is disabled\. Check the user and the password\. The password may have expired\.$/,
  ],
  [
    'no password',
    () => redisJournal(locked.ioredis(), brief),
    'STORE_CREDENTIALS',
    /failed: NOAUTH .* Check the user and the password\. The password may have expired\.$/,
  ],
  [
    'a user without permissions',
    async () => redisJournal(await locked.nodeRedis({ username: 'stranger', password: 'right' }), brief),
    'STORE_CREDENTIALS',
    /failed: NOPERM .* Grant this user access to the keys with the prefix/,
  ],
  [
    'a read-only replica',
    () => redisJournal(replica.ioredis(), brief),
    'STORE_READ_ONLY',
    /failed: READONLY .* Connect to the primary, and check replica-read-only\.$/,
  ],
  [
    'an engine that evicts',
    () => redisJournal(pretend({ INFO: toInfo('maxmemory_policy:allkeys-lru') }), brief),
    'STORE_EVICTION',
    /^The Redis journal requires maxmemory-policy noeviction; this Redis has allkeys-lru, so it may delete /,
  ],
  [
    'an engine of an old version',
    () => redisJournal(pretend({ INFO: toInfo('redis_version:6.2.14') }), brief),
    'STORE_VERSION',
    /^The Redis journal requires Redis 7\.0 or later; this one has version 6\.2\.14\.$/,
  ],
  [
    'a full engine',
    () =>
      redisJournal(
        pretend({ EVALSHA: new Error("OOM command not allowed when used memory > 'maxmemory'.") }),
      ),
    'STORE_FULL',
    /failed: OOM command not allowed .* Free memory or disk space on its machine, or raise maxmemory\.$/,
  ],
];

describe.each(cases)('%s', (_what, make, code, says) => {
  test('is reported with what to do, and has nothing sent', { timeout: 10_000 }, async () => {
    const error = await getError(Promise.resolve((await make()).add(entry('bad'))));
    expect(error).toMatchObject({ name: 'FleetError', code, reason: 'journal-unavailable' });
    expect(error.message).toMatch(says);
    const mock = createMock();
    const client = createClient({
      ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch },
      journal: await make(),
    });
    const failed = await getError(client.tags.create({ name: 'VIP', color: 'pink' }));
    expect(failed).toMatchObject({ code: 'JOURNAL_FAILED', reason: 'journal-unavailable', cause: { code } });
    expect(mock.requests.list()).toEqual([]);
  });
});

test('a real engine that evicts is refused', async () => {
  await admin.config('SET', 'maxmemory-policy', 'volatile-lru');
  try {
    const error = await getError(Promise.resolve(redisJournal(admin, brief).add(entry('evicted'))));
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
  await journal.add(entry('before'));
  await locked.ioredis({ password: 'right' }).call('ACL', 'SETUSER', 'expiring', 'resetpass', '>new');
  await locked.ioredis({ password: 'right' }).call('CLIENT', 'KILL', 'USER', 'expiring');
  const error = await getError(Promise.resolve(journal.add(entry('after'))));
  expect(error.message).toMatch(
    /^The Redis journal failed: (NOAUTH|WRONGPASS) .* The password may have expired\.$/,
  );
  expect(error).toMatchObject({ code: 'STORE_CREDENTIALS' });
});

test('a user with the permissions that the README lists can do everything', async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const permissions = /`~\{orgchat\}:\*` needs `([^`]+)`/.exec(readme)?.[1]?.split(/\s+/) ?? [];
  expect(permissions.length).toBeGreaterThan(10);
  const root = locked.ioredis({ password: 'right' });
  await root.call('ACL', 'SETUSER', 'least', 'on', '>right', '~{orgchat}:*', ...permissions);
  const own = locked.ioredis({ username: 'least', password: 'right' });
  const warnings: StoreWarning[] = [];
  const onWarning = (warning: StoreWarning) => void warnings.push(warning);
  const journal = redisJournal(own, { keepSettledDays: 1e-9, onWarning });
  const [one, other] = [entry('least', { target: 'rights' }), entry('other', { target: 'rights' })];
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

test('a read-only replica can still be read', async () => {
  await redisJournal(admin, brief).add(entry('readable', { target: 'replicated' }));
  const journal = redisJournal(replica.ioredis(), brief);
  const ids = async () => (await journal.list('replicated')).entries.map(({ operationId }) => operationId);
  await expect.poll(ids).toEqual(['readable']);
  expect(await journal.get(entry('readable', { target: 'replicated' }))).toMatchObject({ state: 'pending' });
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

test('what is not an entry is reported as a problem, and blocks nothing else', async () => {
  const journal = redisJournal(admin, { ...brief, prefix: 'problems' });
  for (const id of ['cut', 'gone', 'newer', 'other', 'sound']) await journal.add(entry(id));
  const [folder = ''] = (await admin.keys('{problems}:journal:*:order')).map((key) =>
    key.replace(/order$/, ''),
  );
  await admin.hset(`${folder}entry:cut`, 'entry', '{"operationId":');
  await admin.del(`${folder}entry:gone`, `${folder}entry:other`);
  await admin.set(`${folder}entry:other`, 'a text');
  const newer = (await admin.hget(`${folder}entry:newer`, 'entry')) ?? '';
  await admin.hset(`${folder}entry:newer`, 'entry', newer.replace('"format":2', '"format":3'));
  const { entries, problems } = await journal.list('bad-engine', { open: true });
  expect(entries.map(({ operationId }) => operationId)).toEqual(['sound']);
  expect(problems.map(({ location, reason }) => `${location} ${reason}`).sort()).toEqual([
    ...['cut truncated', 'gone truncated', 'newer format', 'other truncated'],
  ]);
  const cut = entry('cut');
  const unusable = { reason: 'journal-entry-unusable' };
  expect(await getError(Promise.resolve(journal.get(cut)))).toMatchObject(unusable);
  const hold = { token: 'cut', deadline: cut.deadline };
  expect(await getError(Promise.resolve(journal.claim(cut, hold)))).toMatchObject(unusable);
  expect(await getError(Promise.resolve(journal.get(entry('other'))))).toMatchObject({
    code: 'STORE_FAILED',
  });
});

test('settled entries are removed after the days that were given', async () => {
  const options = { ...brief, prefix: 'cleaning', keepSettledDays: 2 };
  const journal = redisJournal(admin, options);
  for (const id of ['held', 'new', 'old', 'open', 'used']) await journal.add(entry(id));
  for (const id of ['held', 'old', 'used']) await journal.settle(entry(id, { state: 'applied' }));
  await journal.claim(entry('held'), { token: 'held again', deadline: entry('x').deadline });
  const [settled = ''] = await admin.keys('{cleaning}:journal:*:settled');
  for (const id of ['held', 'old', 'used']) await admin.zadd(settled, Date.now() - 3 * 86_400_000, id);
  await journal.get(entry('used'));
  await redisJournal(server.ioredis(), options).settle(entry('new', { state: 'applied' }));
  const ids = (await journal.list('bad-engine')).entries.map(({ operationId }) => operationId).sort();
  expect(ids).toEqual(['held', 'new', 'open', 'used']);
  expect(await admin.keys('{cleaning}:*entry:old')).toEqual([]);
});

test.each(['ioredis', 'node-redis'])('a process ends when its client of %s has ended', async (driver) => {
  const root = fileURLToPath(new URL('../../../../', import.meta.url));
  const program = `
    import { Redis } from 'ioredis';
    import { createClient } from 'redis';
    import { redisJournal } from './packages/fleet/src/redis.ts';
    const client = process.argv[1] === 'ioredis' ? new Redis(${server.port})
      : await createClient({ url: 'redis://127.0.0.1:${server.port}' }).connect();
    // It still holds its entry, so its heartbeat runs.
    await redisJournal(client).add({ ...${JSON.stringify(entry('ends'))}, token: process.argv[1] });
    await client.quit();
  `;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', program, driver];
  await promisify(execFile)(process.execPath, args, { cwd: root, timeout: 20_000 });
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
