import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clock } from '../../test-support/clock.ts';
import {
  createWatchedWorld,
  keyOf,
  type MadeRecord,
  type Seen,
  type WatchedWorld,
} from '../../test-support/watched-world.ts';

/*
 * An organization in which anything happens, and a bot that is killed. Whatever happens: every record is delivered, or a gap
 * that came after it covers it; the messages of a friend come in their order; and what the bot does for an event, with an intent
 * of its id, happens once.
 */

type Step = (world: WatchedWorld) => void | Promise<void>;
const allWrite: [string, Step] = ['all write', (world) => world.writeAll()];
const poll: [string, Step] = ['poll', (world) => world.poll()];
const deleteFriend: [string, Step] = ['delete 0', (world) => world.deleteFriend(0)];
const assign = (...all: boolean[]): [string, Step] => [`assign ${all}`, (world) => world.assign(all)];
const moveClock = (ms: number): [string, Step] => [`clock ${ms}`, (world) => world.moveClock(ms)];
const friendIndex = fc.nat(11);
const steps = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(friendIndex, fc.constantFrom('incoming', 'incoming', 'outgoing'), fc.integer({ min: 1, max: 6 }))
      .map(([friend, direction, count]): [string, Step] => [
        `${count} ${direction} of ${friend}`,
        (world) => {
          for (let i = 0; i < count; i++) world.write(friend, direction as 'incoming');
        },
      ]),
  },
  {
    weight: 2,
    arbitrary: fc.nat(2).map((n): [string, Step] => [`friend of ${n}`, (world) => world.addFriend(n)]),
  },
  { weight: 3, arbitrary: fc.constant(allWrite) },
  { weight: 1, arbitrary: fc.constant<[string, Step]>(['submission', (world) => world.submit()]) },
  { weight: 1, arbitrary: fc.constant<[string, Step]>(['click', (world) => world.click()]) },
  {
    weight: 1,
    arbitrary: friendIndex.map((n): [string, Step] => [`delete ${n}`, (world) => world.deleteFriend(n)]),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()).map((all) => assign(...all)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(-3_600_000, -10_000, 5_000, 86_400_000).map(moveClock),
  },
  { weight: 1, arbitrary: fc.constant<[string, Step]>(['limit', (world) => world.useUpLimit()]) },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 1, max: 9 })
      .map((n): [string, Step] => [`fail ${n}`, (world) => world.fail(n)]),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom('requests', 'events'))
      .map(([n, what]): [string, Step] => [
        `kill after ${n} ${what}`,
        (world) => world.killAfter(n, what as 'events'),
      ]),
  },
  { weight: 6, arbitrary: fc.constant(poll) },
);

/** Whether a gap says that the clock of the server was set back. */
const isClockGap = ({ event }: Seen): boolean =>
  event.type === 'gap' && event.resource === 'messages' && !event.friend && event.since === null;

/** Whether a gap that came after a record covers it. One of the clock covers what came since the round before the set-back. */
function isCovered({ type, at, friend, round }: MadeRecord, gap: Seen, setBacks: readonly number[]): boolean {
  const { event, round: gapRound } = gap;
  if (event.type !== 'gap' || gapRound < round) return false;
  if (isClockGap(gap) && !setBacks.some((one) => one <= round)) return false;
  const resources = {
    message: ['conversations', 'messages'],
    submission: ['form-submissions'],
    click: ['link-clicks'],
  }[type];
  const isOfFriend = event.friend === undefined || (friend && keyOf(event.friend) === keyOf(friend));
  return (
    resources.includes(event.resource) && isOfFriend === true && (event.since === null || event.since <= at)
  );
}

beforeEach(() => void vi.useFakeTimers({ toFake: [...clock.toFake] }));
afterEach(() => void vi.useRealTimers());

const worlds = fc.record({
  pageSize: fc.constantFrom(3, 5, 50),
  since: fc.constantFrom('now', 'all'),
  steps: fc.array(steps, { minLength: 5, maxLength: 25 }),
});

/** What a change of the code must not break, whatever the seed. */
const always = [
  [allWrite, poll],
  [allWrite, deleteFriend, poll],
  [moveClock(-3_600_000), poll, allWrite, poll],
  [allWrite, poll, assign(false, true, true), allWrite, poll, assign(true, true, true), poll],
].map((steps): [{ pageSize: number; since: string; steps: [string, Step][] }] => [
  { pageSize: steps.includes(deleteFriend) ? 50 : 3, since: 'now', steps },
]);

test('every record is delivered or covered by a gap, in order per friend, and has its effect once', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async ({ pageSize, since, steps }) => {
      vi.setSystemTime(Date.UTC(2026, 5, 1));
      const world = createWatchedWorld({ pageSize, since: since as 'now' });
      for (const index of [0, 1, 0, 1, 0, 0, 0, 2]) world.addFriend(index);
      for (const index of [0, 1, 2, 3]) world.write(index, 'incoming');
      const before = since === 'now' ? world.made.splice(0) : [];
      await world.poll();
      for (const [, run] of steps) await run(world);
      world.assign([true, true, true]);
      world.fail(0);
      await world.poll();
      // The next watcher looks for other accounts at once.
      world.kill();
      for (let i = 0; i < 2; i++) await world.poll();
      const names = steps.map(([name]) => name);
      const isCut = pageSize < 50 || world.made.length + before.length > 50;
      const isQuiet = !names.some((name) => /^(assign|clock|limit|fail|kill)/.test(name));
      check(world, before, isQuiet && !isCut);
      if (!isCut && !names.some((name) => /^(delete|assign|clock -)/.test(name)))
        expect(world.seen.filter(({ event }) => event.type === 'gap')).toEqual([]);
    }),
    {
      seed: Number(process.env.ORGCHAT_TEST_SEED ?? 7),
      numRuns: 8 + always.length,
      examples: always,
      endOnFailure: true,
    },
  );
});

function check(
  { made, seen, deleted, errors, setBacks, mock }: WatchedWorld,
  before: readonly MadeRecord[],
  isSure: boolean,
): void {
  expect(errors).toEqual([]);
  const gaps = seen.filter(isClockGap);
  expect(gaps.filter(({ round }) => !setBacks.some((one) => one <= round))).toEqual([]);
  const delivered = seen.flatMap(({ event }) => (event.type === 'gap' ? [] : [event.id]));
  const missing = made.filter((record) => {
    const deletedIn = record.friend && deleted.get(keyOf(record.friend));
    // Its friend was deleted before the next round. Only of a friend whom the last list showed, a gap is certain.
    const isKnown = [...before, ...made].some(
      ({ friend, round }) =>
        friend && record.friend && keyOf(friend) === keyOf(record.friend) && round < record.round,
    );
    const isUnseen = !(isSure && isKnown) && deletedIn !== undefined && record.round >= deletedIn;
    if (record.type === 'message' && isUnseen) return false;
    return !delivered.includes(record.id) && !seen.some((one) => isCovered(record, one, setBacks));
  });
  expect(missing).toEqual([]);
  const first = new Set(delivered);
  for (const friend of new Set(made.map((record) => record.friend && keyOf(record.friend)))) {
    const isOfFriend = (record: MadeRecord): boolean =>
      record.type === 'message' && record.friend !== undefined && keyOf(record.friend) === friend;
    const ids = made.filter((record) => isOfFriend(record) && first.has(record.id)).map(({ id }) => id);
    expect([...first].filter((id) => ids.includes(id))).toEqual(ids);
  }
  expect(before.filter(({ id }) => first.has(id))).toEqual([]);
  const tags = allTags(mock);
  expect([...tags].sort()).toEqual([...new Set(tags)].sort());
  expect([...first].filter((id) => !tags.includes(id))).toEqual([]);
}

function allTags(mock: WatchedWorld['mock']): string[] {
  const names: string[] = [];
  for (let offset = 0; ; offset += 50) {
    const { records } = mock.records({ resource: 'tags', offset });
    names.push(...records.map(({ name }) => String(name)));
    if (records.length < 50) return names;
  }
}
