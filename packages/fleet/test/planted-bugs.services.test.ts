import type { Journal } from '@orgchat/sdk';
import { journalConformance } from '@orgchat/sdk/journal-conformance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate, postgresJournal } from '../src/postgres.ts';
import { redisJournal } from '../src/redis.ts';
import { setClock } from '../test-support/clock.ts';
import type { EngineName } from '../test-support/engines/engines.ts';
import { startPostgres } from '../test-support/engines/postgres-server.ts';
import { startRedis } from '../test-support/engines/redis-server.ts';

/* Mistakes that are easily made in a journal, planted into its statements or scripts: the conformance suite finds each. */

/** Changes a statement or a script on its way to the engine. */
type Plant = (text: string) => string;

/** An engine with journals into which bugs are planted. */
interface PlantedEngine {
  make(plant: Plant): Journal | Promise<Journal>;
  stop(): Promise<void>;
}

let count = 0;

async function startPlantedPostgres(): Promise<PlantedEngine> {
  const server = await startPostgres();
  const pool = server.pool({ max: 10 });
  return {
    async make(plant) {
      const schema = `planted${++count}`;
      await migrate(pool, { schema });
      const planted = { query: (text: string, values?: unknown[]) => pool.query(plant(text), values) };
      return postgresJournal(planted, { schema, onWarning: () => undefined });
    },
    stop: server.stop,
  };
}

async function startPlantedRedis(): Promise<PlantedEngine> {
  const server = await startRedis();
  const admin = server.ioredis();
  return {
    make(plant) {
      const client = {
        ...{ status: 'ready', on: () => undefined },
        async call(command: string, ...args: string[]) {
          // As an engine that has never seen the script, so that its text is sent.
          if (command === 'EVALSHA') throw new Error('NOSCRIPT No matching script.');
          const [script = '', ...rest] = args;
          return command === 'EVAL'
            ? admin.call(command, plant(script), ...rest)
            : admin.call(command, ...args);
        },
      };
      return redisJournal(client, { prefix: `planted${++count}` });
    },
    stop: server.stop,
  };
}

const starts: Readonly<Record<EngineName, () => Promise<PlantedEngine>>> = {
  Postgres: startPlantedPostgres,
  Redis: startPlantedRedis,
};

const bugs: readonly [bug: string, found: string, plants: Readonly<Record<EngineName, Plant>>][] = [
  [
    'a lease by the clock of the client',
    'keeps an entry held whose holder has a clock ten minutes behind',
    {
      Postgres: (statement) =>
        statement.replaceAll(
          /clock_timestamp\(\) \+ \$9::float8 \* interval '1 millisecond'/g,
          "$7::timestamptz + $9::float8 * interval '0'",
        ),
      // The deadline of the entry instead of a duration: the moment nearest to now that has its time of day.
      Redis: (script) =>
        script.replace(
          "'holder', holder, 'lease', now + lease)\n  redis.call('ZADD', order",
          `'holder', holder, 'lease', (function(text)
          local h, m, s = text:match('T(%d+):(%d+):(%d+)')
          return now + (((h * 60 + m) * 60 + s) * 1000 - now + 43200000) % 86400000 - 43200000
        end)(deadline))\n  redis.call('ZADD', order`,
        ),
    },
  ],
  [
    'an addition that is not idempotent',
    'answers a call that is repeated after a lost reply as the first time',
    {
      Postgres: (statement) => statement.replace(/DO UPDATE\s+SET holder[\s\S]*IS NOT NULL/, 'DO NOTHING'),
      Redis: (script) =>
        script.replace("if token == '' or known[1] ~= token or not known[2] then", 'if true then'),
    },
  ],
  [
    'a settlement that does not compare tokens',
    'refuses to settle or remove an entry under a token that no longer holds it',
    {
      Postgres: (statement) =>
        statement.replace(
          'token IS NOT DISTINCT FROM $3::text\n      RETURNING 1',
          '$3::text IS NOT NULL\n      RETURNING 1',
        ),
      Redis: (script) =>
        script.replace(
          'if known[1] ~= token then return { 0, 0 } end',
          'if not known[1] then return { 0, 0 } end',
        ),
    },
  ],
  [
    'a claim that ignores who holds the entry',
    'gives an entry to one of many simultaneous claims',
    {
      Postgres: (statement) =>
        statement.replace('j.lease_ends_at IS NULL OR j.token = $3', 'true OR j.token = $3'),
      Redis: (script) => script.replace('if rest > 0 and known[2] ~= token then', 'if false then'),
    },
  ],
  [
    'entries that the engine parses and writes',
    'keeps an entry as it was given, byte for byte',
    {
      Postgres: (statement) =>
        statement.replace('$5, $6, $7, $8::integer', '$5::jsonb::text, $6, $7, $8::integer'),
      Redis: (script) =>
        script.replace("'entry', text, 'token'", "'entry', cjson.encode(cjson.decode(text)), 'token'"),
    },
  ],
];

describe.each(Object.keys(starts) as EngineName[])('in %s', (name) => {
  let engine: PlantedEngine;
  beforeAll(async () => {
    engine = await starts[name]();
  });
  afterAll(() => engine.stop());

  /** Returns the cases that a journal with these texts does not meet, and whether any text was changed. */
  async function findFailures(
    plant: Plant,
  ): Promise<{ readonly failures: string[]; readonly isPlanted: boolean }> {
    let isPlanted = false;
    const make = () =>
      engine.make((text) => {
        const planted = plant(text);
        isPlanted ||= planted !== text;
        return planted;
      });
    const failures: string[] = [];
    for (const { name, run } of journalConformance(make, { holdsEnd: true, setClock }))
      await run().catch(() => failures.push(name));
    return { failures, isPlanted };
  }

  test('without a planted bug the journal meets every requirement', async () => {
    expect(await findFailures((text) => text)).toEqual({ failures: [], isPlanted: false });
  });

  test.each(bugs)('%s is found', async (_bug, found, plants) => {
    const { failures, isPlanted } = await findFailures(plants[name]);
    expect(isPlanted).toBe(true);
    expect(failures).toContain(found);
  });
});
