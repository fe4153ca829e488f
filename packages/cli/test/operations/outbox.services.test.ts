import { migrate, outbox } from '@orgchat/fleet/postgres';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../../fleet/test-support/engines/postgres-server.ts';
import { createMachines, type Machine, type Machines } from '../../test-support/machines.ts';

/* A person looks at the outbox of a program, from a machine of their own. */

let server: PostgresServer;
let machines: Machines;
let machine: Machine;
let name: string;
let boxCount = 0;

beforeAll(async () => {
  server = await startPostgres();
  machines = await createMachines(`postgres://postgres@127.0.0.1:${server.port}/postgres`);
  await migrate(server.pool({ max: 1 }));
});
afterAll(async () => {
  await machines.end();
  await server.stop();
});
beforeEach(() => {
  name = `box-${++boxCount}`;
  machine = machines.add();
});

/** Adds a change, and has it refused unless it is to stay open. */
async function add(tag: string, { isRefused = false, organization = 'org_demo' } = {}): Promise<string> {
  const pool = server.pool({ max: 1 });
  const box = outbox(pool, { organization, name });
  const tx = await pool.connect();
  const { operationId } = await box.add(tx, { action: 'create-tags', data: { name: tag, color: 'pink' } });
  const refuse = `UPDATE orgchat.outbox SET state = 'refused', error = 'The name is taken.', attempts = 1 WHERE operation_id = $1`;
  if (isRefused) await tx.query(refuse, [operationId]);
  tx.release();
  return operationId;
}

const run = (...args: string[]) => machine.run('outbox', ...args, '--outbox', name);

test('lists, shows and counts the changes of the organization of the key', async () => {
  const refused = await add('Refused', { isRefused: true });
  const open = await add('Open');
  await add('Of another one', { organization: 'org_other' });
  expect((await run('list')).json).toMatchObject([{ operationId: refused }, { operationId: open }]);
  expect((await run('list', '--state', 'refused')).json).toMatchObject([
    {
      operationId: refused,
      state: 'refused',
      error: 'The name is taken.',
      change: { action: 'create-tags' },
    },
  ]);
  const page = await run('list', '--limit', '1');
  expect(page.json).toHaveLength(1);
  expect(page.stderr).toContain('Showing the oldest 1 changes.');
  expect((await run('show', open)).json).toMatchObject({ operationId: open, state: 'open', attempts: 0 });
  const { json } = await run('stats');
  expect(json).toMatchObject({ open: 1, refused: 1, unknown: 0, sending: 0 });
  expect(json.oldestOpenMs).toBeGreaterThanOrEqual(0);
});

test('has a refused change sent again, and removes one', async () => {
  const id = await add('Refused', { isRefused: true });
  expect(await run('retry', id)).toMatchObject({ code: 0, json: { operationId: id, state: 'open' } });
  expect((await run('show', id)).json).toMatchObject({ state: 'open' });
  const asked = await run('remove', id);
  expect([asked.code, asked.json.error?.code]).toEqual([3, 'CONFIRMATION_NEEDED']);
  expect(await run('remove', id, '--yes')).toMatchObject({
    code: 0,
    json: { operationId: id, removed: true },
  });
  for (const command of ['show', 'retry', 'remove']) expect((await run(command, id)).code).toBe(6);
  const refused = await add('Refused', { isRefused: true });
  expect(await run('remove', refused)).toMatchObject({ code: 0, json: { removed: true } });
});

test('says what is missing', async () => {
  expect((await run('show', 'VIP')).code).toBe(3);
  machine = machines.add({ ORGCHAT_JOURNAL: undefined });
  const alone = await run('list');
  expect([alone.code, alone.stdout]).toEqual([3, expect.stringContaining('ORGCHAT_JOURNAL')]);
  machine = machines.add({ ORGCHAT_JOURNAL: 'redis://127.0.0.1:1' });
  const redis = await run('list');
  expect([redis.code, redis.stdout]).toEqual([3, expect.stringContaining('An outbox is in Postgres')]);
  machine = machines.add({
    ORGCHAT_JOURNAL: `postgres://postgres@127.0.0.1:${server.port}/postgres?schema=none`,
  });
  expect(await run('stats')).toMatchObject({ code: 3, json: { error: { code: 'STORE_NOT_MIGRATED' } } });
});
