import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type Journal, memoryJournal } from '@orgchat/sdk';
import {
  type FleetEngine,
  makeEntry,
  openPostgres,
  openRedis,
  type PostgresEngine,
} from '../support/fleet-engines.ts';
import { rounds } from '../support/rounds.ts';
import { against, figure, type Group, type Row, type Suite } from '../support/row.ts';
import { differences } from '../support/statistics.ts';
import { microseconds } from '../support/timing.ts';

const about = (name: string): string =>
  `Journal and pacing in one ${name} on the same machine, which confirms what is on disk. A change is compared with the commands that it sends, sent again without the fleet. An operation is what one change costs the engine: a place, an entry, its outcome and the release of the place; each lane is an organization of its own, with the 60 places of the last minute in its line. It is compared with as many plain writes.`;

const calls = 100;
const answer = JSON.stringify({
  ...{ ok: true, applied: true, replayed: false, auditRecorded: true },
  result: {
    id: '3f8a9f0e-1c55-4f0e-9a38-6f7f3b1f2c11',
    revision: 'a'.repeat(64),
    name: 'Spring',
    color: 'pink',
  },
});
const newId = (): string => crypto.randomUUID();

/** A change with a `fetch` that answers at once. */
function createChange(journal: Journal): () => Promise<unknown> {
  const client = createClient({
    ...{ apiKey: 'bench-key', baseUrl: 'http://127.0.0.1:9/api/v1', pacing: false, journal },
    fetch: async () => new Response(answer, { headers: { 'Content-Type': 'application/json' } }),
  });
  return () => client.tags.create({ name: 'Spring campaign', color: 'pink' });
}

/** What the journal adds to a change, and its round trips alone. */
async function measureChange({ journal, record }: FleetEngine, group: Group): Promise<Row> {
  const id = newId();
  const store = async (operationId: string): Promise<void> => {
    const entry = makeEntry(operationId);
    await journal.add(entry);
    await journal.settle({ ...entry, state: 'applied' });
  };
  // The first use checks the engine, and the first settlement cleans.
  await store(newId());
  const sent = await record(() => store(id));
  const [shared, memory] = [createChange(journal), createChange(memoryJournal())];
  // A difference of two times that both vary with the disk: more rounds than usual.
  const found = await rounds(
    {
      shared: () => microseconds(calls, shared),
      memory: () => microseconds(calls, memory),
      bare: () =>
        microseconds(calls, async () => {
          const other = newId();
          for (const send of sent) await send(id, other);
        }),
    },
    { rounds: 30 },
  );
  const ours = differences(found.shared, found.memory);
  const what = 'what the journal adds to a change';
  return against(
    { group, what, unit: 'µs', ours, target: { atMost: 1.5 } },
    '×',
    'its round trips',
    found.bare,
  );
}

/** A decision of the pacing, and one round trip that writes. */
async function measureDecision({ pacing, record, write }: FleetEngine, group: Group): Promise<Row[]> {
  // A line of its own for each: line and place have one name.
  const reserve = (name: string) =>
    pacing.reserve({ line: name, place: name, perMinute: 60, holdMs: 20_000 });
  await reserve(newId());
  const name = newId();
  const sent = await record(() => reserve(name));
  const { ours, same, plain } = await rounds({
    ours: () => microseconds(calls, () => reserve(newId())),
    same: () =>
      microseconds(calls, async () => {
        for (const send of sent) await send(name, newId());
      }),
    plain: () => microseconds(calls, write),
  });
  const what = 'a decision of the pacing';
  return [
    against({ group, what, unit: 'µs', ours, target: { atMost: 1.5 } }, '×', 'its round trip', same),
    against({ group, what, unit: 'µs', ours }, '×', 'a plain write', plain),
  ];
}

/** Above what any line has, so that nothing waits. */
const perMinute = 1_000_000;

/** Makes the line of an organization that sends all the time: as many places as a minute has are counted. */
async function fillLine({ pacing }: FleetEngine): Promise<string> {
  const line = newId();
  // Until long after the bench.
  for (let n = 0; n < 60; n++) await pacing.reserve({ line, place: newId(), perMinute, holdMs: 3_600_000 });
  return line;
}

/** Everything that one change costs the engine. It gives its place back, so that the line stays as long as it is. */
async function operate({ journal, pacing }: FleetEngine, line: string): Promise<void> {
  const id = newId();
  const entry = makeEntry(id);
  const place = { line, place: id };
  await pacing.reserve({ ...place, perMinute, holdMs: 0 });
  await journal.add(entry);
  await journal.settle({ ...entry, state: 'applied' });
  await pacing.release({ ...place, isUnused: true });
}

/** How many times per second `work` is done in this many lanes. */
async function measureRate(lanes: number, work: (lane: number) => Promise<unknown>): Promise<number> {
  const endsAt = performance.now() + 700;
  const begun = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (; performance.now() < endsAt; done++) await work(lane);
    }),
  );
  return (done * 1_000) / (performance.now() - begun);
}

async function measureRates(engine: FleetEngine, group: Group): Promise<Row[]> {
  const rows: Row[] = [];
  for (const lanes of [1, 8, 32]) {
    const lines = await Promise.all(Array.from({ length: lanes }, () => fillLine(engine)));
    const { ours, theirs } = await rounds(
      {
        ours: () => measureRate(lanes, (lane) => operate(engine, lines[lane] ?? '')),
        theirs: () =>
          measureRate(lanes, async () => {
            for (let n = 0; n < 4; n++) await engine.write();
          }),
      },
      { rounds: 5 },
    );
    const what = `operations, ${lanes} at once`;
    rows.push(against({ group, what, unit: 'req/s', ours }, '×', '4 plain writes', theirs));
  }
  return rows;
}

/** Bytes in the engine per settled operation. */
async function measureBytes({ journal, countBytes }: FleetEngine, group: Group): Promise<Row> {
  const count = 2_000;
  const before = await countBytes();
  for (let n = 0; n < count; n++) {
    const entry = makeEntry(newId());
    await journal.add(entry);
    await journal.settle({ ...entry, state: 'applied' });
  }
  const ours = [((await countBytes()) - before) / count / 1_000];
  return figure({ group, what: 'size of a settled operation, with indexes', unit: 'kB', ours });
}

/** Commands of an idle process. */
async function measureIdle({ countCommands }: FleetEngine, group: Group, most: number): Promise<Row> {
  const before = countCommands();
  await sleep(10_000);
  const ours = [(countCommands() - before) / 2];
  return figure({
    group,
    what: 'commands per 5 s of an idle process',
    unit: 'commands',
    ours,
    target: { atMost: most },
  });
}

async function measureCleaning(engine: PostgresEngine, group: Group): Promise<Row> {
  const count = 10_000;
  const turn = (clean: () => Promise<void>) => async () => {
    await engine.addOld(count);
    const begun = performance.now();
    await clean();
    return performance.now() - begun;
  };
  const { ours, theirs } = await rounds(
    { ours: turn(engine.clean), theirs: turn(engine.cleanBare) },
    { rounds: 3 },
  );
  const what = 'cleaning 10,000 old operations';
  return against({ group, what, unit: 'ms', ours }, '×', 'one statement', theirs);
}

async function measure(engine: FleetEngine): Promise<Row[]> {
  const group: Group = { title: `The fleet on ${engine.name}`, about: about(engine.name) };
  const rows = [
    await measureChange(engine, group),
    ...(await measureDecision(engine, group)),
    ...(await measureRates(engine, group)),
    await measureBytes(engine, group),
    await measureIdle(engine, group, 1),
  ];
  if ('clean' in engine) rows.push(await measureCleaning(engine as PostgresEngine, group));
  return rows;
}

/** Measures an engine. If this machine does not have it, the only row says so. */
async function measureOrSay(name: string, open: () => Promise<FleetEngine>): Promise<Row[]> {
  let engine: FleetEngine;
  try {
    engine = await open();
  } catch (error) {
    const { message } = error as Error;
    if (!message.includes('is not installed')) throw error;
    const group = { title: `The fleet on ${name}`, about: `Not measured. ${message}` };
    return [figure({ group, what: `not measured: ${message}`, unit: 'commands', ours: [0] })];
  }
  try {
    return await measure(engine);
  } finally {
    await engine.stop();
  }
}

export const suite: Suite = {
  name: 'fleet',
  run: async () => [
    ...(await measureOrSay('Postgres', openPostgres)),
    ...(await measureOrSay('Redis', openRedis)),
  ],
};
