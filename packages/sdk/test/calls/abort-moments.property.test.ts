import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type CallOptions, type OrgChatClient, OrgChatError, OutcomeUnknownError } from '../../src/index.ts';
import { clock } from '../../test-support/clock.ts';
import { record } from '../../test-support/servers/scripted.ts';
import { type Fate, fates, openTimedServer, timedFriend } from '../../test-support/servers/timed-server.ts';

/*
 * A signal that aborts at any millisecond of a call, whatever happens to its requests. What the error and the journal
 * say is true, and stays true when a request arrives later; an unknown outcome can be settled, and nothing is applied
 * twice.
 */

beforeEach(() => {
  vi.useFakeTimers({ toFake: [...clock.toFake] });
  // Half of each bound.
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const vip = { name: 'VIP', color: 'pink' } as const;
const words = { keywords: ['a'] };

type Write = (client: OrgChatClient, options: CallOptions) => PromiseLike<unknown>;

const writes: Readonly<Record<string, Write>> = {
  create: ({ tags }, options) => tags.create(vip, options),
  'create with an intent': ({ tags }, options) => tags.create(vip, { ...options, intent: ['once'] }),
  'create with its response': ({ tags }, options) => tags.create(vip, options).withResponse(),
  update: ({ tags }, options) => tags.update(record, vip, options),
  delete: ({ tags }, options) => tags.delete(record, options),
  edit: ({ tags }, options) => tags.edit(record.id, (data) => ({ ...data, name: 'Gold' }), options),
  upsert: ({ tags }, options) => tags.upsert(vip, { by: 'name', ...options }),
  addTags: ({ friends }, options) => friends.addTags(timedFriend, [record.id], options),
  enroll: ({ friends }, options) => friends.enroll(timedFriend, record.id, options),
  'keywords.add': ({ keywords }, options) => keywords.add('site', words, options),
  'keywords.add with an intent': ({ keywords }, options) =>
    keywords.add('site', words, { ...options, intent: ['once'] }),
};
const reads: Readonly<Record<string, (client: OrgChatClient, signal: AbortSignal) => PromiseLike<unknown>>> =
  {
    get: ({ tags }, signal) => tags.get(record.id, { signal }),
    'a list': ({ tags }, signal) => tags.list({ signal }).toArray(),
    first: ({ tags }, signal) => tags.list({ signal }).first(),
  };

/** Advances the clock, a millisecond at a time, until a promise is settled. */
async function untilSettled<T>(promise: PromiseLike<T>): Promise<T> {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  promise.then(settle, settle);
  for (let ms = 0; !isSettled; ms++) {
    if (ms > 200) throw new Error('the call did not end');
    await vi.advanceTimersByTimeAsync(1);
  }
  return promise;
}

/** Starts a call, aborts it after some milliseconds, and says how it ended and when. */
async function abortAfter(ms: number, call: (signal: AbortSignal) => PromiseLike<unknown>) {
  const controller = new AbortController();
  const { signal } = controller;
  const add = vi.spyOn(signal, 'addEventListener');
  const remove = vi.spyOn(signal, 'removeEventListener');
  const startedAt = performance.now();
  const timer = setTimeout(() => controller.abort(), ms);
  const settled = call(signal).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const error = await untilSettled(settled);
  clearTimeout(timer);
  const left = add.mock.calls.filter(
    ([, listener]) => !remove.mock.calls.some(([, one]) => one === listener),
  );
  expect(left).toEqual([]);
  if (error !== undefined) expect(error).toBeInstanceOf(OrgChatError);
  return { error: error as OrgChatError | undefined, tookMs: performance.now() - startedAt };
}

/** A call of the journal that is on its way, and one that records the outcome. */
const journalMs = 3;

async function checkWrite(write: Write, plan: readonly Fate[], ms: number): Promise<string> {
  const { client, sent, effects } = openTimedServer(plan);
  const { error, tookMs } = await abortAfter(ms, (signal) => write(client, { signal }));
  const says = error === undefined ? 'applied' : error.outcome;
  const isAborted = error?.code === 'ABORTED' || error?.reason === 'ABORTED';
  if (isAborted) expect(tookMs).toBeLessThanOrEqual(ms + journalMs);
  expect(error instanceof OutcomeUnknownError).toBe(says === 'unknown');
  const count = sent.length;
  const entries = await untilSettled(client.operations.list());
  // A call that ended before it began left no entry: neither does one that only read.
  if (says === undefined) expect(entries).toEqual([]);
  else if (says !== 'abandoned' || entries.length > 0) expect(entries.at(-1)?.state).toBe(says);
  // What is on its way arrives.
  await vi.advanceTimersByTimeAsync(30);
  expect(sent).toHaveLength(count);
  const total = (): number => [...effects.values()].reduce((sum, one) => sum + one, 0);
  if (says === 'applied') expect(total()).toBe(1);
  else if (says === 'unknown') expect(total()).toBeLessThanOrEqual(1);
  else expect(total()).toBe(0);
  if (says === 'unknown') expect(count).toBeGreaterThan(0);
  const isKeywords = entries.some(({ kind }) => kind === 'keywords');
  const resumed = await untilSettled(client.operations.resumeAll());
  if (says === 'unknown' && !isKeywords) {
    expect(resumed).toMatchObject([{ state: 'applied' }]);
    expect(total()).toBe(1);
  } else expect(sent).toHaveLength(count);
  const ids = isKeywords ? [] : sent.map(({ body }) => body);
  expect(new Set(ids).size).toBeLessThanOrEqual(1);
  return `${says}${isAborted ? ' by the signal' : ''}`;
}

const plans = fc.array(fc.constantFrom(...fates), { minLength: 1, maxLength: 3 });
/** The longest call: two waits, three attempts, and the journal. */
const longestMs = 40;

const seen = new Set<string>();
const each: [plan: Fate[]][] = fates.map((fate) => [[fate, 'answered']]);

test.each(Object.entries(writes))('%s, aborted at any millisecond', async (name, write) => {
  // Of one kind, each fate is tried; of the others, a few at random.
  const runs = name === 'create' ? { numRuns: each.length, examples: each } : { numRuns: 4 };
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      for (let ms = 0; ms <= longestMs; ms++) {
        const says = await checkWrite(write, plan, ms);
        seen.add(says);
        // The signal came too late.
        if (ms > 0 && !says.endsWith('by the signal')) break;
      }
    }),
    runs,
  );
});

test('calls ended in every way', () => {
  const byTheSignal = ['abandoned by the signal', 'undefined by the signal', 'unknown by the signal'];
  for (const says of ['applied', 'refused', ...byTheSignal]) expect(seen).toContain(says);
});

test.each(Object.entries(reads))('%s, aborted at any millisecond', async (_name, read) => {
  for (let ms = 0; ms <= 10; ms++) {
    const { client, effects } = openTimedServer([]);
    const { error, tookMs } = await abortAfter(ms, (signal) => read(client, signal));
    if (error) expect(error).toMatchObject({ name: 'AbortError', code: 'ABORTED' });
    if (error) expect(tookMs).toBeLessThanOrEqual(ms + 1);
    expect(error?.outcome).toBeUndefined();
    expect(effects.size).toBe(0);
  }
});

test('a bulk run, aborted at any millisecond and continued', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      for (let ms = 0; ms <= longestMs; ms++) {
        const { client, effects } = openTimedServer(plan.filter((fate) => fate !== 'refused'));
        const controller = new AbortController();
        setTimeout(() => controller.abort(), ms);
        const run = client.bulk(
          [1, 2, 3],
          (n, { signal, intent }) => client.tags.create({ ...vip, name: `VIP ${n}` }, { signal, intent }),
          { concurrency: 2, signal: controller.signal },
        );
        const first = await untilSettled(run);
        for (const { status, error } of first.results)
          if (status === 'failed') expect(error).toMatchObject({ outcome: 'abandoned' });
        const again = await untilSettled(first.resume());
        expect(again.results.map(({ status }) => status)).toEqual(['done', 'done', 'done']);
        expect([...effects.values()]).toEqual([1, 1, 1]);
        if (first.results.every(({ status }) => status === 'done')) break;
      }
    }),
    { numRuns: 3 },
  );
});
