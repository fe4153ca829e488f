import { inspect } from 'node:util';
import { createMock } from '@orgchat/mock-server';
import { createClient, type Journal, type SharedPacing } from '@orgchat/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate, outbox, postgresJournal, postgresPacing } from '../src/postgres.ts';
import { redisJournal, redisPacing } from '../src/redis.ts';
import { type PostgresServer, startPostgres } from '../test-support/engines/postgres-server.ts';
import { durable, type RedisServer, startRedis } from '../test-support/engines/redis-server.ts';
import { organization } from '../test-support/organization.ts';

/* No error of a store shows a password, a key of the API or the body of a change, however much of it is printed. */

const [password, apiKey, name] = ['pass-S3CRET', 'demo-write-key', 'name-S3CRET'];
let redis: RedisServer;
let postgres: PostgresServer;

beforeAll(async () => {
  [redis, postgres] = await Promise.all([
    startRedis([...durable, '--requirepass', 'right']),
    startPostgres(),
  ]);
  const admin = postgres.pool();
  await migrate(admin);
  await admin.query('CREATE ROLE expiring LOGIN');
  // The engine answers with the row that it refuses.
  await admin.query(`ALTER TABLE orgchat.journal ADD CHECK (entry NOT LIKE '%${name}%')`);
  await admin.query(`ALTER TABLE orgchat.outbox ADD CHECK (change::text NOT LIKE '%${name}%')`);
});
afterAll(() => Promise.all([redis.stop(), postgres.stop()]));

const brief = { timeoutMs: 1_500, onWarning: () => undefined };

async function expectNoSecret(call: Promise<unknown>, says: RegExp): Promise<void> {
  const error: unknown = await call.then(
    () => Promise.reject(new Error('expected a rejection')),
    (reason: unknown) => reason,
  );
  const text: string[] = [];
  for (let next = error; next instanceof Error; next = next.cause)
    text.push(next.message, inspect(next, { depth: Infinity, showHidden: true }), JSON.stringify(next));
  expect(text.join('\n')).toMatch(says);
  for (const secret of [password, apiKey, name]) expect(text.join('\n')).not.toContain(secret);
}

const mock = createMock();
const given = { apiKey, baseUrl: mock.baseUrl, fetch: mock.fetch };
const changeWith = (journal: Journal): Promise<unknown> =>
  createClient({ ...given, journal }).tags.create({ name, color: 'pink' });
const askWith = (shared: SharedPacing): Promise<unknown> =>
  createClient({ ...given, pacing: { shared } }).account();

test.each(['ioredis', 'node-redis'])('a wrong password of Redis, over %s', async (driver) => {
  const expiring = redis.ioredis({ password: 'right' });
  await expiring.call('ACL', 'SETUSER', 'expiring', 'reset', 'on', `>${password}`, '~*', '+@all');
  const isIoredis = driver === 'ioredis';
  const options = { username: 'expiring', password };
  const client = isIoredis ? redis.ioredis(options) : await redis.nodeRedis(options);
  await redisJournal(client, brief).list('nothing');
  await expiring.call('ACL', 'SETUSER', 'expiring', 'resetpass', '>new');
  await expiring.call('CLIENT', 'KILL', 'USER', 'expiring');
  await expectNoSecret(changeWith(redisJournal(client, brief)), /WRONGPASS|NOAUTH/);
  await expectNoSecret(askWith(redisPacing(client)), /WRONGPASS|NOAUTH/);
});

test.each(['ioredis', 'node-redis'])('a full Redis, over %s', async (driver) => {
  const admin = redis.ioredis({ password: 'right' });
  const client = driver === 'ioredis' ? admin : await redis.nodeRedis({ password: 'right' });
  await admin.config('SET', 'maxmemory', '1');
  try {
    await expectNoSecret(changeWith(redisJournal(client, brief)), /OOM/);
  } finally {
    await admin.config('SET', 'maxmemory', '0');
  }
});

test('a wrong password of Postgres', async () => {
  const pool = () => postgres.pool({ user: 'expiring', password });
  await expectNoSecret(migrate(pool()), /28P01/);
  await expectNoSecret(changeWith(postgresJournal(pool(), brief)), /28P01/);
  await expectNoSecret(askWith(postgresPacing(pool())), /28P01/);
  await expectNoSecret(outbox(pool(), { organization }).list(), /28P01/);
});

test('a row that Postgres refuses', async () => {
  await expectNoSecret(changeWith(postgresJournal(postgres.pool(), brief)), /23514/);
  const pool = postgres.pool();
  const add = outbox(pool, { organization }).add(
    { query: (text, values) => pool.query(text, values) },
    { action: 'create-tags', data: { name, color: 'pink' } },
  );
  await expectNoSecret(add, /23514/);
});

test('an entry that is cut off', async () => {
  const pool = postgres.pool();
  const journal = postgresJournal(pool, brief);
  const deadline = new Date(Date.now() + 60_000).toISOString();
  const key = { operationId: 'cut', target: 'secrets' };
  await journal.add({
    ...{ format: 2, kind: 'change', path: '/chat/changes', body: '{}', state: 'pending', attempts: 0 },
    ...{ ...key, token: 't', createdAt: '2026', updatedAt: '2026', deadline },
  });
  await pool.query(`UPDATE orgchat.journal SET entry = '{"body":"S3CRET'`);
  const call = Promise.resolve(journal.get(key));
  await expect(call).rejects.toThrow('is not JSON');
  const error: unknown = await call.catch((reason: unknown) => reason);
  expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain('S3CRET');
});
