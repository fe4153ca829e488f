import { createMock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate, outbox, postgresJournal, type Queryable } from '../../src/postgres.ts';
import { type PostgresServer, startPostgres } from '../../test-support/engines/postgres-server.ts';
import { organization } from '../../test-support/organization.ts';

/* A backup of the store is restored, and the server knows what was applied since. */

let server: PostgresServer;
let backup: PostgresServer | undefined;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => Promise.all([server.stop(), backup?.stop()]));

test('what was applied since the backup is applied once, with the same intents and by the relay', async () => {
  const mock = createMock({ rateLimit: 'off' });
  const create = (name: string) => ({ action: 'create-tags', data: { name, color: 'pink' } }) as const;
  const open = (db: Queryable) => {
    const journal = postgresJournal(db);
    const client = createClient({
      ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch, pacing: false, journal },
    });
    return { client, box: outbox(db, { organization }) };
  };
  const pool = server.pool();
  await migrate(pool);
  const { client, box } = open(pool);
  await client.changeChat(create('Before'), { intent: ['before'] });
  const tx = await pool.connect();
  await box.add(tx, create('Committed'));
  tx.release();

  backup = await startPostgres([], { standbyOf: server.port });
  const restored = backup.pool();
  await restored.query('SELECT pg_promote()');
  await client.changeChat(create('Since'), { intent: ['since'] });
  expect(await box.drain(client)).toEqual({ applied: 1, left: [] });
  expect(mock.operations()).toHaveLength(3);

  const again = open(restored);
  expect(await again.client.operations.list()).toHaveLength(1);
  expect(await again.box.list()).toMatchObject([{ state: 'open', attempts: 0 }]);
  expect(await again.box.drain(again.client)).toEqual({ applied: 1, left: [] });
  for (const [name, replayed] of [
    ['Before', true],
    ['Since', true],
    ['After', false],
  ] as const) {
    const outcome = await again.client.changeChat(create(name), { intent: [name.toLowerCase()] });
    expect(outcome).toMatchObject({ applied: true, replayed });
  }
  expect(mock.operations()).toHaveLength(4);
});
