import { setTimeout as sleep } from 'node:timers/promises';
import type { Journal, JournalEntry } from '@orgchat/sdk';
import { journalConformance } from '@orgchat/sdk/journal-conformance';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RedisClient, redisJournal } from '../../src/redis.ts';
import { type RedisServer, startRedis } from '../../test-support/redis-server.ts';

/* Mistakes that are easily made in a journal on Redis, planted into its scripts: the conformance suite finds each. */

let server: RedisServer;
let admin: Redis;
let prefixCount = 0;

beforeAll(async () => {
  server = await startRedis();
  admin = server.ioredis();
});
afterAll(() => server.stop());

const setClock = (offsetMs: number) => {
  const { now } = Date;
  Date.now = () => now() + offsetMs;
  return () => {
    Date.now = now;
  };
};

type Plant = (script: string) => string;

/** A client whose scripts are changed on their way. */
function plantInto(plant: Plant, isPlanted: (script: string, planted: string) => void): RedisClient {
  return {
    ...{ status: 'ready', on: () => undefined },
    async call(command, script = '', ...args) {
      // As an engine that has never seen the script, so that its text is sent.
      if (command === 'EVALSHA') throw new Error('NOSCRIPT No matching script.');
      if (command !== 'EVAL')
        return script === '' ? admin.call(command) : admin.call(command, script, ...args);
      const planted = plant(script);
      isPlanted(script, planted);
      return admin.call(command, planted, ...args);
    },
  };
}

/** Returns the cases that a journal with these scripts does not meet. */
async function findFailures(
  plant: Plant,
): Promise<{ readonly failures: string[]; readonly isPlanted: boolean }> {
  let isPlanted = false;
  const client = plantInto(plant, (script, planted) => {
    isPlanted ||= script !== planted;
  });
  const make = (): Journal => redisJournal(client, { prefix: `planted${++prefixCount}` });
  const failures: string[] = [];
  for (const { name, run } of journalConformance(make, { holdsEnd: true, setClock })) {
    await run().catch(() => failures.push(name));
  }
  return { failures, isPlanted };
}

test('without a planted bug the journal meets every requirement', async () => {
  expect((await findFailures((script) => script)).failures).toEqual([]);
});

const plants: readonly [bug: string, plant: Plant, found: string][] = [
  [
    'a lease by the clock of the client',
    (script) =>
      // The deadline of the entry instead of a duration; both clocks have the same day.
      script.replace(
        "'holder', holder, 'lease', now + lease)\n  redis.call('ZADD', order",
        `'holder', holder, 'lease', (function(text)
          local h, m, s = text:match('T(%d+):(%d+):(%d+)')
          return now - now % 86400000 + ((h * 60 + m) * 60 + s) * 1000
        end)(deadline))\n  redis.call('ZADD', order`,
      ),
    'keeps an entry held whose holder has a clock ten minutes behind',
  ],
  [
    'an addition that is not idempotent',
    (script) => script.replace("if token == '' or known[1] ~= token or not known[2] then", 'if true then'),
    'answers a call that is repeated after a lost reply as the first time',
  ],
  [
    'a settlement that does not compare tokens',
    (script) => script.replace('if known[1] ~= token then return 0 end', 'if not known[1] then return 0 end'),
    'refuses to settle or remove an entry under a token that no longer holds it',
  ],
  [
    'a claim that ignores who holds the entry',
    (script) => script.replace('if rest > 0 and known[2] ~= token then', 'if false then'),
    'gives an entry to one of many simultaneous claims',
  ],
  [
    'entries in cjson',
    (script) =>
      script.replace("'entry', text, 'token'", "'entry', cjson.encode(cjson.decode(text)), 'token'"),
    'keeps an entry as it was given, byte for byte',
  ],
];

test.each(plants)('%s is found', async (_bug, plant, found) => {
  const { failures, isPlanted } = await findFailures(plant);
  expect(isPlanted).toBe(true);
  expect(failures).toContain(found);
});

const entry: JournalEntry = {
  ...{ format: 2, kind: 'change', path: '/chat/changes', body: '{}', state: 'pending', attempts: 0 },
  ...{ operationId: 'one', target: 'counted', token: 't', createdAt: '2026-01-01', updatedAt: '2026-01-01' },
  deadline: new Date(Date.now() + 60_000).toISOString(),
};

/** A client that notes its commands. */
function createCounted(): { readonly client: RedisClient; readonly commands: string[] } {
  const commands: string[] = [];
  const client: RedisClient = {
    ...{ status: 'ready', on: () => undefined },
    call(command, ...args) {
      commands.push(command);
      return admin.call(command, ...args);
    },
  };
  return { client, commands };
}

test('a journal that holds nothing sends nothing, and one that holds something a heartbeat per second', async () => {
  const { client, commands } = createCounted();
  const journal = redisJournal(client, { prefix: 'idle' });
  await journal.add(entry);
  commands.length = 0;
  await sleep(2_500);
  expect(commands.filter((command) => command === 'EVALSHA')).toHaveLength(2);
  await journal.settle({ ...entry, state: 'applied' });
  await sleep(1_100);
  commands.length = 0;
  await sleep(2_500);
  expect(commands).toEqual([]);
});

test('a change costs one script before it is sent, and one after the answer', async () => {
  const { client, commands } = createCounted();
  const journal = redisJournal(client, { prefix: 'counted' });
  await journal.add(entry);
  await journal.settle({ ...entry, state: 'applied' });
  commands.length = 0;
  await journal.add({ ...entry, operationId: 'two' });
  await journal.settle({ ...entry, operationId: 'two', state: 'applied' });
  expect(commands).toEqual(['EVALSHA', 'EVALSHA']);
});

test('a call that was given up adds nothing when it arrives late', async () => {
  let isHeldBack = true;
  const late: (() => Promise<unknown>)[] = [];
  // A network that delivers an addition after its client has given up and undone it on another connection.
  const client: RedisClient = {
    ...{ status: 'ready', on: () => undefined },
    async call(command, ...args) {
      if (!isHeldBack || args.length < 12) return admin.call(command, ...args);
      late.push(() => admin.call(command, ...args));
      throw new Error('Connection is closed.');
    },
  };
  const journal = redisJournal(client, { prefix: 'late', timeoutMs: 200 });
  await journal.list('counted');
  await expect(journal.add(entry)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  isHeldBack = false;
  expect(await journal.get(entry)).toBeUndefined();
  expect(late.length).toBeGreaterThan(0);
  for (const deliver of late) await deliver();
  expect(await journal.get(entry)).toBeUndefined();
  // A new call is not a late one.
  expect(await journal.add(entry)).toBe(true);
});
