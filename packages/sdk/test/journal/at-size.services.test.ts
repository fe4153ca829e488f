import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { shortDigest } from '@orgchat/atomic-files';
import { unwatch } from '@orgchat/atomic-files/test-support/file-system';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { bundleProgram } from '../../../../test/test-support/bundle-program.ts';
import { fileJournal } from '../../src/journal/file/file-journal.ts';
import { toDay } from '../../src/journal/file/names.ts';
import { stepsPerSlice } from '../../src/journal/file/slices.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { countFileCalls } from '../../test-support/journals/count-file-calls.ts';
import { entry } from '../../test-support/journals/journal-entries.ts';
import { journalFolder } from '../../test-support/journals/journal-folder.ts';
import { applied } from '../../test-support/servers/scripted.ts';

/* However many settled entries there are, nobody waits for them. What is done is counted; no real time is measured. */

const vip = { name: 'VIP', color: 'pink' } as const;
const folder = journalFolder();
const dayMs = 86_400_000;
const old = new Date(Date.now() - 30 * dayMs);

afterEach(() => unwatch());

function settle(journal: Journal): void {
  const one = entry();
  journal.add(one);
  journal.settle({ ...one, state: 'applied' });
}

/** Writes settled entries of a moment below the journal's folder. */
function fill(count: number, then: Date, below: string): void {
  const path = join(folder.dir, below);
  fs.mkdirSync(path, { recursive: true });
  for (let n = 0; n < count; n++) {
    const one = entry({ state: 'applied', updatedAt: then.toISOString() });
    const file = join(path, `${one.operationId}.${shortDigest(one.target)}.json`);
    fs.writeFileSync(file, JSON.stringify({ entry: one }));
    fs.utimesSync(file, then, then);
  }
}

/** A clock that moves only if somebody moves it. */
function stopClock(): { add(ms: number): void } {
  let now = performance.now();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  return {
    add(ms) {
      now += ms;
    },
  };
}

/** The calls to the file system in each slice of a cleaning; `eachMs` is how long each call takes. */
async function measureSlices(count: number, below: string, then: Date, eachMs = 0) {
  settle(fileJournal(folder.dir));
  fill(count, then, below);
  const clock = stopClock();
  const counted = countFileCalls(() => clock.add(eachMs));
  const journal = fileJournal(folder.dir);
  const one = entry();
  journal.add(one);
  counted.take();
  // The first slice runs with the settlement.
  journal.settle({ ...one, state: 'applied' });
  const slices = [counted.take()];
  for (await counted.rest(); vi.getTimerCount() > 0; await counted.rest()) {
    vi.advanceTimersToNextTimer();
    slices.push(counted.take());
  }
  unwatch();
  const most = (of: readonly number[]): number => Math.max(...of);
  return {
    count: slices.length,
    calls: most(slices.map(({ calls }) => calls)),
    removals: most(slices.map(({ removals }) => removals)),
  };
}

describe('cleaning', () => {
  /** What is cleaned, its folder, its age, and the number of synchronous calls per entry. */
  const cases: readonly [string, string, Date, number][] = [
    ['entries of a day that is over', `settled/${toDay(old.getTime())}`, old, 1],
    ['old entries of version 1', '', old, 15],
    ['entries of version 1 that move', '', new Date(Date.now() - dayMs), 15],
  ];
  /** What a settlement, and the look at the days, take in addition. */
  const others = 20;

  test.each(cases)('makes a limited number of calls per slice: %s', async (_what, below, then, perEntry) => {
    const slices = await measureSlices(5 * stepsPerSlice, below, then);
    expect(slices.calls).toBeLessThanOrEqual(perEntry * stepsPerSlice + others);
    expect(slices.removals).toBeLessThanOrEqual(stepsPerSlice);
    expect(slices.count).toBeGreaterThanOrEqual(5);
    expect(folder.files().filter((name) => !name.startsWith('settled'))).toEqual([]);
    if (then === old) expect(folder.files()).toHaveLength(2);
  });

  test.each(cases)('ends a slice early on a slow disk: %s', async (_what, below, then, perEntry) => {
    const slices = await measureSlices(stepsPerSlice, below, then, 1);
    expect(slices.calls).toBeLessThanOrEqual(perEntry + 4 + others);
    expect(folder.files().filter((name) => !name.startsWith('settled'))).toEqual([]);
  });

  test('starts again after 1,000 settlements', async () => {
    stopClock();
    const journal = fileJournal(folder.dir);
    settle(journal);
    const day = `settled/${toDay(old.getTime())}`;
    fill(3, old, day);
    for (let n = 1; n < 1_000; n++) settle(journal);
    expect(fs.existsSync(join(folder.dir, day))).toBe(true);
    settle(journal);
    vi.useRealTimers();
    await expect.poll(() => fs.existsSync(join(folder.dir, day))).toBe(false);
  });

  test('starts again after an hour, in the same process', async () => {
    const clock = stopClock();
    const journal = fileJournal(folder.dir);
    settle(journal);
    const day = `settled/${toDay(old.getTime())}`;
    fill(3, old, day);
    clock.add(3_600_000);
    settle(journal);
    expect(fs.existsSync(join(folder.dir, day))).toBe(true);
    clock.add(1);
    settle(journal);
    vi.useRealTimers();
    await expect.poll(() => fs.existsSync(join(folder.dir, day))).toBe(false);
  });
});

test('a list of 604,800 entries fits into a heap of 256 MB, page by page', async () => {
  const program = fileURLToPath(
    new URL('../../test-support/programs/large-journal-child.ts', import.meta.url),
  );
  const count = 604_800;
  const args = ['--max-old-space-size=256', bundleProgram(program), String(count)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(JSON.parse(stdout)).toEqual({
    first: 1_000,
    refused: Math.ceil(count / 1_000),
    longest: 1_000,
  });
});

describe('no settled entry is read, and their number changes nothing,', () => {
  type Client = ReturnType<typeof folder.here>['client'];
  const asked: readonly [string, (client: Client) => Promise<unknown>][] = [
    ['by the first write', (client) => client.tags.create(vip)],
    ['by resumeAll()', (client) => client.operations.resumeAll()],
    ['by list({ open: true })', (client) => client.operations.list({ open: true })],
    ['by problems()', (client) => client.operations.problems()],
  ];

  test.each(asked)('%s', async (_what, ask) => {
    const today = `settled/${toDay(Date.now())}`;
    const counts: number[] = [];
    for (const more of [1, 300]) {
      fill(more, new Date(), today);
      const settled = folder.files();
      const { client } = folder.here(applied);
      // Else a slice ends early on a slow machine.
      stopClock();
      const calls = countFileCalls();
      await ask(client);
      counts.push(calls.take().calls);
      unwatch();
      expect(calls.read().filter((path) => settled.some((name) => path.endsWith(name)))).toEqual([]);
    }
    expect(counts[0]).toBeGreaterThan(0);
    expect(counts[1]).toBe(counts[0]);
  });
});
