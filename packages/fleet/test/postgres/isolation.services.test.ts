import { createMock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate, outbox, postgresJournal, postgresPacing } from '../../src/postgres.ts';
import { type PostgresServer, startPostgres } from '../../test-support/engines/postgres-server.ts';
import { organization } from '../../test-support/organization.ts';

/* The role of the workers has a stricter default isolation than READ COMMITTED: no call fails for it. */

let server: PostgresServer;
let admin: pg.Pool;

beforeAll(async () => {
  server = await startPostgres();
  admin = server.pool();
  await migrate(admin);
});
afterAll(() => server.stop());

test.each(['repeatable read', 'serializable'])(
  'six workers whose default is %s fail no call',
  async (level) => {
    const user = level.replace(' ', '_');
    await admin.query(`CREATE ROLE ${user} LOGIN SUPERUSER`);
    await admin.query(`ALTER ROLE ${user} SET default_transaction_isolation = '${level}'`);
    const mock = createMock({ rateLimit: 'off' });
    const workers = Array.from({ length: 6 }, () => {
      const pool = server.pool({ user, max: 4 });
      const client = createClient({
        ...{ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch },
        ...{ journal: postgresJournal(pool), pacing: { perMinute: 1_000, shared: postgresPacing(pool) } },
      });
      return { pool, client, box: outbox(pool, { organization, name: user }) };
    });
    const [first] = workers;
    const tx = await admin.connect();
    for (let n = 0; n < 10; n++)
      await outbox(admin, { organization, name: user }).add(tx, {
        ...{ action: 'create-tags', data: { name: `Box ${n}`, color: 'pink' } },
      });
    tx.release();
    const results = await Promise.allSettled(
      workers.flatMap(({ client, box }, worker) => [
        box.drain(client),
        // The same intents in every worker, so that they want the same rows.
        ...Array.from({ length: 4 }, (_, n) =>
          client.tags.create({ name: `Tag ${n}`, color: 'pink' }, { intent: ['tag', n] }),
        ),
        ...Array.from({ length: 3 }, (_, n) => client.tags.create({ name: `${worker} ${n}`, color: 'pink' })),
      ]),
    );
    const failed = results.filter(({ status }) => status === 'rejected');
    expect(failed).toEqual([]);
    expect(mock.operations()).toHaveLength(10 + 4 + 18);
    expect(await first?.box.list()).toEqual([]);
    // What belongs to the application keeps the isolation of the role.
    expect((await first?.pool.query('SHOW transaction_isolation'))?.rows).toEqual([
      { transaction_isolation: level },
    ]);
  },
);
