import { setTimeout as sleep } from 'node:timers/promises';
import type { PlaceAnswer, SharedPacing } from '@orgchat/sdk';
import { expect } from 'vitest';

/* What every shared pacing does with a line of requests. The window is a second instead of a minute. */

export const windowMs = 1_000;

let lineCount = 0;

/** A line of its own, as several machines see it. */
export interface Line {
  readonly grants: readonly { readonly place: string; readonly at: number }[];
  reserve(place: string, machine?: number, maxWaitMs?: number): Promise<PlaceAnswer>;
  release(place: string, more?: object): Promise<void>;
  /** Waits for a place as the SDK does, and releases it as soon as it is granted. */
  pass(machine?: number): Promise<void>;
}

/** Opens a line, on connections of its own for each machine. */
export type OpenLine = (
  perMinute: number,
  options?: { readonly holdMs?: number; readonly machines?: number },
) => Line;

/** Returns how to open lines in a store. `connect` opens the store as another machine does. */
export function createOpenLine(connect: () => SharedPacing): OpenLine {
  return (perMinute, { holdMs = 0, machines = 1 } = {}) => {
    const line = `line-${++lineCount}`;
    const stores = Array.from({ length: machines }, connect);
    let asked = 0;
    const grants: { readonly place: string; readonly at: number }[] = [];
    const at = (machine: number): SharedPacing => stores[machine % machines] as SharedPacing;
    return {
      grants,
      reserve: (place, machine = 0, maxWaitMs) =>
        at(machine).reserve({ line, place, perMinute, holdMs, maxWaitMs }),
      release: (place, more = {}) => at(0).release({ line, place, isUnused: false, ...more }),
      async pass(machine = 0) {
        const place = `place-${asked++}`;
        for (;;) {
          const { state, askAgainMs } = await at(machine).reserve({ line, place, perMinute, holdMs });
          if (state === 'granted') break;
          await sleep(askAgainMs);
        }
        grants.push({ place, at: performance.now() });
        await at(machine).release({ line, place, isUnused: false });
      },
    };
  };
}

/** Returns the most grants in any window. */
export function worstWindow(grants: Line['grants']): number {
  return Math.max(
    ...grants.map(({ at }) => grants.filter((one) => one.at >= at && one.at < at + windowMs).length),
  );
}

/** Asks for 30 places on four machines at once, 6 per window. */
export async function crowd(openLine: OpenLine): Promise<Line['grants']> {
  const line = openLine(6, { machines: 4 });
  await Promise.all(Array.from({ length: 30 }, (_, n) => line.pass(n)));
  return line.grants;
}

export const lineCases: readonly [what: string, check: (openLine: OpenLine) => Promise<void>][] = [
  [
    'lets as many through at once as a window may have, and the next one a window after an answer',
    async (openLine) => {
      const line = openLine(2);
      expect(await line.reserve('a')).toEqual({ state: 'granted', waitMs: 0, askAgainMs: 0 });
      expect((await line.reserve('b')).state).toBe('granted');
      await sleep(300);
      await line.release('a');
      const third = await line.reserve('c');
      expect(third.state).toBe('waiting');
      // A whole window, because it counts from the answer and not from the request.
      expect(third.waitMs).toBeGreaterThan(windowMs - 200);
      await sleep(third.askAgainMs);
      expect((await line.reserve('c')).state).toBe('granted');
    },
  ],

  [
    'lets no more through than allowed in any window, whatever machine asks',
    async (openLine) => {
      const grants = await crowd(openLine);
      expect(grants).toHaveLength(30);
      // Nor fewer, and no window passes in which none could go.
      expect(worstWindow(grants)).toBe(6);
      expect((grants.at(-1)?.at ?? 0) - (grants[0]?.at ?? 0)).toBeLessThan(8 * windowMs);
    },
  ],

  [
    'serves in the order of asking',
    async (openLine) => {
      const line = openLine(1, { machines: 3 });
      expect((await line.reserve('first')).state).toBe('granted');
      await line.release('first');
      for (const [n, place] of ['a', 'b', 'c'].entries())
        expect((await line.reserve(place, n)).state).toBe('waiting');
      await sleep(windowMs + 50);
      // The place is free, but it is that of the first in line.
      expect((await line.reserve('c', 2)).state).toBe('waiting');
      expect((await line.reserve('new', 1)).state).toBe('waiting');
      expect((await line.reserve('b', 1)).state).toBe('waiting');
      expect((await line.reserve('a', 0)).state).toBe('granted');
    },
  ],

  [
    'has a place ask more rarely the more places before it have only to ask',
    async (openLine) => {
      const line = openLine(5);
      for (let n = 0; n < 5; n++) {
        await line.reserve(`first ${n}`);
        await line.release(`first ${n}`);
      }
      for (const place of ['silent', 'a', 'b', 'c', 'd']) await line.reserve(place);
      await sleep(windowMs + 50);
      const pauses: number[] = [];
      for (const place of ['a', 'b', 'c', 'd']) pauses.push((await line.reserve(place)).askAgainMs);
      expect(pauses).toEqual([50, 100, 150, 200]);
    },
  ],

  [
    'says how long each has to wait',
    async (openLine) => {
      const line = openLine(2);
      for (const place of ['a', 'b']) {
        await line.reserve(place);
        await line.release(place);
      }
      const waits: number[] = [];
      for (const place of ['c', 'd', 'e', 'f', 'g']) waits.push((await line.reserve(place)).waitMs);
      // What has passed since the answers is less than a window.
      const windows = waits.map((ms) => Math.ceil(ms / windowMs));
      expect(windows).toEqual([1, 1, 2, 2, 3]);
    },
  ],

  [
    'refuses a wait that is too long, and keeps no place for it',
    async (openLine) => {
      const line = openLine(1);
      await line.reserve('a');
      await line.release('a');
      const refused = await line.reserve('b', 0, 500);
      expect(refused.state).toBe('refused');
      expect(refused.waitMs).toBeGreaterThan(500);
      expect((await line.reserve('c', 0, 1_500)).state).toBe('waiting');
      expect((await line.reserve('d')).waitMs).toBeGreaterThan(1_500);
    },
  ],

  [
    'counts with an infinite limit, timeout and wait',
    async (openLine) => {
      const line = openLine(Infinity, { holdMs: Infinity });
      expect((await line.reserve('a', 0, Infinity)).state).toBe('granted');
      const short = openLine(1, { holdMs: Infinity });
      await short.reserve('a');
      const { state, waitMs } = await short.reserve('b', 0, Infinity);
      expect([state, Number.isFinite(waitMs)]).toEqual(['waiting', true]);
    },
  ],

  [
    'gives a place that is not used to the next',
    async (openLine) => {
      const line = openLine(1);
      await line.reserve('a');
      await line.reserve('b');
      await line.reserve('c');
      await line.release('b', { isUnused: true });
      await line.release('a', { isUnused: true });
      expect((await line.reserve('c')).state).toBe('granted');
    },
  ],

  [
    'skips a place whose process died in line, and frees one whose process died with a request',
    async (openLine) => {
      const line = openLine(1, { holdMs: 500 });
      await line.reserve('dead with a request');
      await line.reserve('dead in line');
      const startedAt = performance.now();
      await line.pass();
      const ms = performance.now() - startedAt;
      expect(ms).toBeGreaterThan(500 + windowMs - 100);
      expect(ms).toBeLessThan(30_000);
    },
  ],

  [
    'answers a repeated question as the first time',
    async (openLine) => {
      const line = openLine(1);
      for (let n = 0; n < 3; n++) expect((await line.reserve('a')).state).toBe('granted');
      expect((await line.reserve('b')).state).toBe('waiting');
      await line.release('a');
      await sleep(200);
      // A release that is repeated after a lost reply does not begin another window.
      await line.release('a');
      expect((await line.reserve('b')).waitMs).toBeLessThan(windowMs - 150);
    },
  ],

  [
    'stops for all while the server asks for it',
    async (openLine) => {
      const line = openLine(10, { machines: 2 });
      await line.reserve('a');
      await line.release('a', { retryAfterMs: 700 });
      const { state, waitMs } = await line.reserve('b', 1);
      expect(state).toBe('waiting');
      expect(waitMs).toBeGreaterThan(600);
      expect(waitMs).toBeLessThanOrEqual(700);
      await sleep(waitMs);
      expect((await line.reserve('b', 1)).state).toBe('granted');
    },
  ],
];

/** With a window of a minute, as everywhere outside of the tests. */
export async function checkMinute(pacing: SharedPacing): Promise<void> {
  const one = { line: 'a minute', place: 'a', perMinute: 1, holdMs: 0 };
  await pacing.reserve(one);
  await pacing.release({ ...one, isUnused: false });
  const { waitMs } = await pacing.reserve({ ...one, place: 'b' });
  expect(waitMs).toBeGreaterThan(60_000);
  expect(waitMs).toBeLessThanOrEqual(61_000);
}
