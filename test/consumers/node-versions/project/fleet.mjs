/* The fleet, with a Postgres in this process. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import { FleetError, migrate, outbox, postgresJournal, postgresPacing } from '@orgchat/fleet/postgres';
import { redisJournal } from '@orgchat/fleet/redis';
import { createMock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';

describe('the fleet', () => {
  const mock = createMock();
  let pool;
  before(async () => {
    pool = await PGlite.create();
  });
  after(() => pool.close());

  const connect = () =>
    createClient({
      apiKey: 'demo-write-key',
      baseUrl: mock.baseUrl,
      fetch: mock.fetch,
      journal: postgresJournal(pool),
      pacing: { shared: postgresPacing(pool) },
    });

  it('has one class of errors, however it is loaded', async () => {
    const required = createRequire(import.meta.url)('@orgchat/fleet/postgres');
    assert.equal(required.FleetError, FleetError);
    await assert.rejects(async () => required.postgresJournal(pool).list('t'), {
      code: 'STORE_NOT_MIGRATED',
    });
    assert.throws(() => redisJournal({}), { code: 'INVALID_OPTIONS' });
  });

  it('journals, paces and sends what was committed', async () => {
    await migrate(pool);
    const intent = ['order', 17];
    const change = { action: 'create-tags', data: { name: 'Once', color: 'pink' } };
    const box = outbox(pool, { organization: 'org_demo' });
    await pool.transaction((tx) => box.add(tx, change, { intent }));
    mock.faults.arm({ effect: 'lose-response', operation: 'changeChat' });
    assert.deepEqual(await box.drain(connect()), { applied: 1, left: [] });
    const again = await connect().tags.create(change.data, { intent });
    assert.equal(again.replayed, true);
    assert.equal(mock.operations().length, 1);
    assert.equal((await connect().operations.list({ state: 'applied' })).length, 1);
  });
});
