import { setTimeout as sleep } from 'node:timers/promises';
import type { Journal } from '@orgchat/sdk';
import { journalConformance } from '@orgchat/sdk/journal-conformance';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate, postgresJournal } from '../../src/postgres.ts';
import { type PostgresServer, startPostgres } from '../../test-support/postgres-server.ts';

/* Mistakes that are easily made in a journal on Postgres, planted into its statements: the conformance suite finds each. */

let server: PostgresServer;
let pool: pg.Pool;
let schemaCount = 0;

beforeAll(async () => {
  server = await startPostgres();
  pool = server.pool({ max: 10 });
});
afterAll(() => server.stop());

const setClock = (offsetMs: number) => {
  const { now } = Date;
  Date.now = () => now() + offsetMs;
  return () => {
    Date.now = now;
  };
};

type Plant = (statement: string) => string;

/** Returns the cases that a journal with these statements does not meet. */
async function findFailures(plant: Plant): Promise<string[]> {
  async function make(): Promise<Journal> {
    const schema = `planted${++schemaCount}`;
    await migrate(pool, { schema });
    const planted = { query: (text: string, values?: unknown[]) => pool.query(plant(text), values) };
    return postgresJournal(planted, { schema, onWarning: () => undefined });
  }
  const failures: string[] = [];
  for (const { name, run } of journalConformance(make, { holdsEnd: true, setClock })) {
    await run().catch(() => failures.push(name));
  }
  return failures;
}

test('without a planted bug the journal meets every requirement', async () => {
  expect(await findFailures((statement) => statement)).toEqual([]);
});

const plants: readonly [bug: string, plant: Plant, found: string][] = [
  [
    'a lease by the clock of the client',
    (statement) =>
      statement.replaceAll(
        /clock_timestamp\(\) \+ \$9::float8 \* interval '1 millisecond'/g,
        "$7::timestamptz + $9::float8 * interval '0'",
      ),
    'keeps an entry held whose holder has a clock ten minutes behind',
  ],
  [
    'an addition that is not idempotent',
    (statement) => statement.replace(/DO UPDATE\s+SET holder[\s\S]*IS NOT NULL/, 'DO NOTHING'),
    'answers a call that is repeated after a lost reply as the first time',
  ],
  [
    'a settlement that does not compare tokens',
    (statement) =>
      statement.replace(
        'token IS NOT DISTINCT FROM $3::text\n      RETURNING 1',
        '$3::text IS NOT NULL\n      RETURNING 1',
      ),
    'refuses to settle or remove an entry under a token that no longer holds it',
  ],
  [
    'a claim that ignores who holds the entry',
    (statement) => statement.replace('j.lease_ends_at IS NULL OR j.token = $3', 'true OR j.token = $3'),
    'gives an entry to one of many simultaneous claims',
  ],
  [
    'entries in jsonb',
    (statement) => statement.replace('$5, $6, $7, $8::integer', '$5::jsonb::text, $6, $7, $8::integer'),
    'keeps an entry as it was given, byte for byte',
  ],
];

test.each(plants)('%s is found', async (_bug, plant, found) => {
  expect(await findFailures(plant)).toContain(found);
});

test('an idle journal sends no query', async () => {
  await migrate(pool, { schema: 'idle' });
  const own = server.pool({ application_name: 'idle_journal' });
  const journal = postgresJournal(own, { schema: 'idle' });
  await journal.list('nothing');
  const last = async () => {
    const { rows } = await pool.query(
      "SELECT max(query_start)::text AS at, count(*)::int AS sessions FROM pg_stat_activity WHERE application_name = 'idle_journal'",
    );
    return rows[0];
  };
  const before = await last();
  await sleep(6_000);
  expect(await last()).toEqual(before);
});

test('a change costs one statement before it is sent, and one after the answer', async () => {
  await migrate(pool, { schema: 'counted' });
  const statements: string[] = [];
  const counted = {
    query: (text: string, values?: unknown[]) => {
      statements.push(text.trim().split(/\s/)[0] ?? '');
      return pool.query(text, values);
    },
  };
  const journal = postgresJournal(counted, { schema: 'counted', onWarning: () => undefined });
  await journal.list('nothing');
  const entry = {
    ...({
      format: 2,
      kind: 'change',
      path: '/chat/changes',
      body: '{}',
      state: 'pending',
      attempts: 0,
    } as const),
    ...{ operationId: 'one', target: 'counted', token: 't' },
    ...{
      createdAt: '2026-01-01',
      updatedAt: '2026-01-01',
      deadline: new Date(Date.now() + 60_000).toISOString(),
    },
  };
  await journal.add(entry);
  await journal.settle({ ...entry, state: 'applied' });
  statements.length = 0;
  await journal.add({ ...entry, operationId: 'two' });
  await journal.settle({ ...entry, operationId: 'two', state: 'applied' });
  expect(statements).toEqual(['INSERT', 'UPDATE']);
});
