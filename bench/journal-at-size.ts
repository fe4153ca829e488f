/*
 * Measures a file journal with 300,000 settled entries: the first write, resumeAll(), lists, problems(), and the longest time that cleaning blocks the event loop. Run it by hand: npx tsx bench/journal-at-size.ts
 * [entries] [seconds of cleaning to measure]. On a busy disk a single call may take long; TMPDIR=/dev/shm avoids the
 * disk.
 */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createClient } from '../packages/sdk/src/index.ts';
import { fileJournal } from '../packages/sdk/src/node.ts';

const count = Number(process.argv[2] ?? 300_000);
const dayMs = 86_400_000;
const folder = fs.mkdtempSync(join(tmpdir(), 'journal-at-size-'));
const begin = () =>
  createClient({
    apiKey: 'bench-key',
    baseUrl: 'http://127.0.0.1:9/api/v1',
    pacing: false,
    journal: fileJournal(folder),
    fetch: async () =>
      Response.json({ ok: true, applied: true, replayed: false, auditRecorded: true, result: { id: 'x' } }),
  });

const [entry] = await (async () => {
  const client = begin();
  await client.tags.create({ name: 'VIP', color: 'pink' });
  return client.operations.list();
})();
if (!entry) throw new Error('The journal has no entry.');
const digest = fs
  .readdirSync(join(folder, 'settled'), { recursive: true, encoding: 'utf8' })
  .find((name) => name.endsWith('.json'))
  ?.slice(-21);
fs.rmSync(join(folder, 'settled'), { recursive: true });

/** Writes settled entries, the newest of now, the oldest of this many days ago; flat as format 1 had them, or by day. */
function fill(days: number, isFlat: boolean): void {
  const { change: _, token: __, ...kept } = entry!;
  for (let n = 0; n < count; n++) {
    const then = new Date(Date.now() - (n / count) * days * dayMs);
    const operationId = crypto.randomUUID();
    const old = {
      ...kept,
      format: isFlat ? 1 : 2,
      operationId,
      createdAt: then.toISOString(),
      updatedAt: then.toISOString(),
    };
    const day = isFlat ? folder : join(folder, 'settled', then.toISOString().slice(0, 10));
    fs.mkdirSync(day, { recursive: true });
    const path = join(day, `${operationId}.${digest}`);
    fs.writeFileSync(path, JSON.stringify({ entry: old }));
    fs.utimesSync(path, then, then);
  }
}

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  await work();
  console.log(`  ${name}: ${(performance.now() - startedAt).toFixed(1)} ms`);
}

async function readEveryPage({ operations }: ReturnType<typeof begin>): Promise<void> {
  let page = await operations.list();
  while (page.length === 1_000) page = await operations.list({ after: page.at(-1) });
}

/** Enough of it to measure the longest delay; migrating all entries takes longer. */
const longestMs = Number(process.argv[3] ?? 150) * 1000;

/** Cleans until nothing changes any more, and says for how long the event loop was blocked. */
async function clean(expected: () => boolean): Promise<void> {
  const client = begin();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const startedAt = performance.now();
  delay.enable();
  await client.tags.create({ name: 'VIP', color: 'pink' });
  // Looking costs time of its own, so it is done seldom, and what it costs is not counted.
  for (let isOver = false; !isOver && performance.now() - startedAt < longestMs; ) {
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    delay.disable();
    isOver = expected();
    await new Promise((resolve) => setImmediate(resolve));
    delay.enable();
  }
  delay.disable();
  const ms = (ns: number): string => (ns / 1e6).toFixed(1);
  console.log(
    `  cleaned for ${((performance.now() - startedAt) / 1000).toFixed(0)} s; event loop delay: median ${ms(delay.percentile(50))} ms, 99.9 % ${ms(delay.percentile(99.9))} ms, longest ${ms(delay.max)} ms`,
  );
}

/** Whether an entry is left in the folder. It stops at the first one, because reading all names blocks too. */
function hasEntry(): boolean {
  const names = fs.opendirSync(folder);
  try {
    for (let found = names.readSync(); found; found = names.readSync())
      if (found.name.endsWith('.json')) return true;
    return false;
  } finally {
    names.closeSync();
  }
}

/** What the machine does by itself, as while other programs run. */
async function idle(): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  delay.disable();
  console.log(`idle: longest event loop delay ${(delay.max / 1e6).toFixed(1)} ms`);
}

try {
  await idle();
  console.log(`${count} settled entries of a week, in folders of days`);
  fill(7, false);
  await timed('first write', () => begin().tags.create({ name: 'VIP', color: 'pink' }));
  await timed('resumeAll()', () => begin().operations.resumeAll());
  await timed('list({ open: true })', () => begin().operations.list({ open: true }));
  await timed('problems()', () => begin().operations.problems());
  await timed('list()', () => begin().operations.list());
  await timed("list({ state: 'refused' })", () => begin().operations.list({ state: 'refused' }));
  await timed('every page of list()', () => readEveryPage(begin()));
  console.log(`  heap: ${(process.memoryUsage().heapUsed / 1e6).toFixed(0)} MB`);
  await timed('get(id)', () => begin().operations.get(crypto.randomUUID()));
  fs.rmSync(join(folder, 'settled'), { recursive: true });

  console.log(`${count} settled entries, all older than a week, in folders of days`);
  fill(0, false);
  const [today = ''] = fs.readdirSync(join(folder, 'settled'));
  fs.renameSync(join(folder, 'settled', today), join(folder, 'settled', '2020-01-01'));
  await timed('first write', () => begin().tags.create({ name: 'VIP', color: 'pink' }));
  await clean(() => !fs.existsSync(join(folder, 'settled', '2020-01-01')));
  fs.rmSync(join(folder, 'settled'), { recursive: true, force: true });

  console.log(`${count} settled entries of two weeks in one folder, as version 1 had them`);
  fill(14, true);
  await timed('first write', () => begin().tags.create({ name: 'VIP', color: 'pink' }));
  await clean(() => !hasEntry());
  console.log(`  ${fs.readdirSync(folder).length} entries are left in the folder`);
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
