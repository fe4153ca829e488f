import type { ChatChange } from '@orgchat/sdk';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate, outbox } from '../../src/postgres.ts';
import { type PostgresServer, startPostgres } from '../../test-support/engines/postgres-server.ts';
import { inTransaction } from '../../test-support/in-transaction.ts';
import { organization } from '../../test-support/organization.ts';

let server: PostgresServer;
let pool: pg.Pool;
let boxCount = 0;

beforeAll(async () => {
  server = await startPostgres();
  pool = server.pool();
  await migrate(pool);
});
afterAll(() => server.stop());

const create = (name: string): ChatChange => ({ action: 'create-tags', data: { name, color: 'pink' } });
const openBox = () => outbox(pool, { organization, name: `box-${++boxCount}` });

describe('what the outbox cannot do is refused before anything is stored:', () => {
  test.each<[string, (box: ReturnType<typeof outbox>) => Promise<unknown>, RegExp]>([
    [
      'the pool as a transaction',
      (box) => box.add(pool, create('x')),
      /^add\(\) requires the connection of your /,
    ],
    ['no transaction', (box) => box.add(undefined as never, create('x')), /^add\(\) requires the connection/],
    [
      'no change',
      (box) => inTransaction(pool, (tx) => box.add(tx, {} as never)),
      /^add\(\) requires a change: an object/,
    ],
    [
      'an unknown option',
      (box) => inTransaction(pool, (tx) => box.add(tx, create('x'), { intents: [] } as never)),
      /^"intents" is not an option of add\(\)\. Options: intent\.$/,
    ],
    ['no client', (box) => box.drain({} as never), /^drain\(\) requires an @orgchat\/sdk client\.$/],
    [
      'no client for run()',
      (box) => box.run(undefined as never),
      /^run\(\) requires an @orgchat\/sdk client\.$/,
    ],
  ])('%s', async (_what, call, says) => {
    const box = openBox();
    await expect(call(box)).rejects.toThrow(
      expect.objectContaining({ code: 'INVALID_OPTIONS', message: expect.stringMatching(says) }),
    );
    expect(await box.list()).toEqual([]);
  });

  test('an intent that cannot be one', async () => {
    const box = openBox();
    const call = inTransaction(pool, (tx) => box.add(tx, create('x'), { intent: [] }));
    await expect(call).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test.each([{ name: '' }, { name: 7 }, { schema: 'A' }, { queue: 'x' }])('options %j', (options) => {
    expect(() => outbox(pool, { organization, ...options } as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTIONS' }),
    );
  });

  test.each([[undefined], [''], [' org_a'], ['org\0a'], [7], [null]])('organization %j', (given) => {
    expect(() => outbox(pool, { organization: given } as never)).toThrow(
      expect.objectContaining({
        code: 'INVALID_OPTIONS',
        message: expect.stringMatching(
          /^outbox\(\) requires \{ organization \}: the organizationId that account\(\)/,
        ),
      }),
    );
  });

  test('an outbox without options', () => {
    // @ts-expect-error whose changes?
    expect(() => outbox(pool)).toThrow(expect.objectContaining({ code: 'INVALID_OPTIONS' }));
  });

  test('a transaction in a database without the tables', async () => {
    const box = outbox(pool, { organization, schema: 'never_made' });
    await expect(inTransaction(pool, (tx) => box.add(tx, create('x')))).rejects.toMatchObject({
      code: 'STORE_NOT_MIGRATED',
    });
  });
});
