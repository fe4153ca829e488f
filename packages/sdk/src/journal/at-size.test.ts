import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { countCalls, entry, unwatch } from '../../test-support/file-system.ts';
import { journalFolder } from '../../test-support/journal-folder.ts';
import { applied } from '../../test-support/scripted.ts';
import { fileJournal } from './file.ts';
import type { Journal } from './journal.ts';
import { dayOf } from './names.ts';
import { stepsPerSlice } from './slices.ts';
import { digestOf } from './whole-files.ts';

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
  const place = join(folder.dir, below);
  fs.mkdirSync(place, { recursive: true });
  for (let n = 0; n < count; n++) {
    const one = entry({ state: 'applied', updatedAt: then.toISOString() });
    const path = join(place, `${one.operationId}.${digestOf(one.target)}.json`);
    fs.writeFileSync(path, JSON.stringify({ entry: one }));
    fs.utimesSync(path, then, then);
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
function slicesOf(count: number, below: string, then: Date, eachMs = 0): number[] {
  settle(fileJournal(folder.dir));
  fill(count, then, below);
  const clock = stopClock();
  const calls = countCalls(() => clock.add(eachMs));
  const journal = fileJournal(folder.dir);
  const one = entry();
  journal.add(one);
  calls.take();
  // The first slice runs with the settlement.
  journal.settle({ ...one, state: 'applied' });
  const slices: number[] = [calls.take()];
  while (vi.getTimerCount() > 0) {
    vi.advanceTimersToNextTimer();
    slices.push(calls.take());
  }
  unwatch();
  return slices;
}

describe('cleaning', () => {
  const places: readonly [string, string, Date, number][] = [
    ['entries of a day that is over', `settled/${dayOf(old.getTime())}`, old, 2],
    ['old entries of version 1', '', old, 16],
    ['entries of version 1 that move', '', new Date(Date.now() - dayMs), 16],
  ];

  test.each(places)('makes a limited number of calls per slice: %s', (_what, below, then, callsPerStep) => {
    // What a settlement itself, the look at the days and the end of a folder take.
    const others = 16;
    const slices = slicesOf(5 * stepsPerSlice, below, then);
    expect(Math.max(...slices)).toBeLessThanOrEqual(callsPerStep * stepsPerSlice + others);
    expect(slices.length).toBeGreaterThan(5);
    expect(folder.files().filter((name) => !name.startsWith('settled'))).toEqual([]);
    if (then === old) expect(folder.files()).toHaveLength(2);
  });

  test.each(places)(
    'on a slow disk ends a slice after a few calls: %s',
    (_what, below, then, callsPerStep) => {
      const [first = 0, ...next] = slicesOf(stepsPerSlice, below, then, 1);
      expect(first).toBeLessThanOrEqual(callsPerStep + 24);
      expect(Math.max(...next)).toBeLessThanOrEqual(callsPerStep + 4);
    },
  );

  test('starts again after 1,000 settlements', () => {
    stopClock();
    const journal = fileJournal(folder.dir);
    settle(journal);
    const day = `settled/${dayOf(old.getTime())}`;
    fill(3, old, day);
    for (let n = 1; n < 1_000; n++) settle(journal);
    expect(fs.existsSync(join(folder.dir, day))).toBe(true);
    settle(journal);
    expect(fs.existsSync(join(folder.dir, day))).toBe(false);
  });

  test('starts again after an hour, in the same process', () => {
    const clock = stopClock();
    const journal = fileJournal(folder.dir);
    settle(journal);
    const day = `settled/${dayOf(old.getTime())}`;
    fill(3, old, day);
    clock.add(3_600_000);
    settle(journal);
    expect(fs.existsSync(join(folder.dir, day))).toBe(true);
    clock.add(1);
    settle(journal);
    expect(fs.existsSync(join(folder.dir, day))).toBe(false);
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
    const today = `settled/${dayOf(Date.now())}`;
    const counts: number[] = [];
    for (const more of [1, 300]) {
      fill(more, new Date(), today);
      const settled = folder.files();
      const { client } = folder.here(applied);
      const calls = countCalls();
      await ask(client);
      counts.push(calls.take());
      unwatch();
      expect(calls.read().filter((path) => settled.some((name) => path.endsWith(name)))).toEqual([]);
    }
    expect(counts[0]).toBeGreaterThan(0);
    expect(counts[1]).toBe(counts[0]);
  });
});
