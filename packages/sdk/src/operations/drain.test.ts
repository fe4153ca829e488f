import { afterEach, describe, expect, test, vi } from 'vitest';
import '../../test-support/clock.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { applied, failure, json, lost, type Step, scripted } from '../../test-support/servers/scripted.ts';
import type { OrgChatClient } from '../index.ts';
import { memoryJournal } from '../journal/memory.ts';

const vip = { name: 'VIP', color: 'pink' } as const;
const added = json({ added: ['x'], skipped: [] });
const page = json({ records: [], total: 0, limited: false });
const draining = { code: 'CLIENT_DRAINING', message: expect.stringContaining('Nothing was sent') };

afterEach(() => void vi.useRealTimers());

/** A step that is answered when `answer` is called. */
function held(step: Step) {
  let answer = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const run: Step = async (request, body) => {
    arrive();
    await gate;
    return step(request, body);
  };
  return { step: run, arrived, answer: () => answer() };
}

/** Whether a promise is settled, after everything that is due has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.then(
    () => {
      settled = true;
    },
    () => undefined,
  );
  for (let n = 0; n < 20; n++) await new Promise(setImmediate);
  return settled;
}

const writes: Readonly<Record<string, [Step, (client: OrgChatClient) => Promise<unknown>]>> = {
  'a change': [applied, (client) => client.tags.create(vip)],
  'a change with an intent': [applied, (client) => client.tags.create(vip, { intent: ['x'] })],
  'a bare change': [applied, (client) => client.changeChat({ action: 'create-tags', data: vip } as const)],
  'a keyword write': [added, (client) => client.keywords.add('s', { keywords: ['x'] })],
};

describe.each(Object.entries(writes))('%s', (_name, [step, write]) => {
  test('that is in progress is waited for, and keeps its outcome', async () => {
    const { step: first, arrived, answer } = held(step);
    const { client } = scripted([first]);
    const call = write(client);
    await arrived;
    const drained = client.operations.drain();
    expect(await isSettled(drained)).toBe(false);
    answer();
    expect(await drained).toEqual({ open: [] });
    await call;
    expect(await client.operations.list()).toMatchObject([{ state: 'applied' }]);
  });

  test('that was called just before is waited for', async () => {
    const { client, sent } = scripted([step]);
    const call = write(client);
    await client.operations.drain();
    expect(await client.operations.list()).toMatchObject([{ state: 'applied' }]);
    expect(sent).toHaveLength(1);
    await call;
  });

  test('that is called afterwards is refused, and leaves no trace', async () => {
    const { client, sent } = scripted([step]);
    await client.operations.drain();
    const error = await getRejection(write(client));
    expect(error).toMatchObject({ ...draining, name: 'OrgChatError' });
    expect(error.operationId).toMatch(/^[\da-f-]{36}$/);
    expect(sent).toHaveLength(0);
    expect(await client.operations.list()).toEqual([]);
  });
});

describe('while a client drains', () => {
  test('a change in progress is still retried', async () => {
    const { step, arrived, answer } = held(failure(503, 'BUSY'));
    const { client, sent } = scripted([step, applied]);
    const call = client.tags.create(vip);
    await arrived;
    const drained = client.operations.drain();
    await isSettled(drained);
    answer();
    expect(await drained).toEqual({ open: [] });
    expect(await call).toMatchObject({ applied: true });
    expect(sent).toHaveLength(2);
  });

  test('reads are answered', async () => {
    const { client } = scripted([page]);
    await client.operations.drain();
    expect(await client.tags.list()).toMatchObject({ records: [] });
  });

  test('nothing is resumed', async () => {
    const { client, sent } = scripted([lost], { retry: false });
    const { operationId = '' } = await getRejection(client.tags.create(vip));
    const { open } = await client.operations.drain();
    expect(open).toMatchObject([{ operationId, state: 'unknown', change: { data: vip } }]);
    expect(await getRejection(client.operations.resume(operationId))).toMatchObject(draining);
    expect(await client.operations.resumeAll({ wait: true })).toMatchObject([
      { operationId, state: 'unknown', error: draining },
    ]);
    expect(sent).toHaveLength(1);
  });

  test('a refused resume leaves the entry free', async () => {
    const journal = memoryJournal();
    const first = scripted([lost], { retry: false, journal });
    const { operationId = '' } = await getRejection(first.client.tags.create(vip));
    await first.client.operations.drain();
    await getRejection(first.client.operations.resume(operationId));
    const second = scripted([applied], { journal });
    expect(await second.client.operations.resumeAll()).toMatchObject([{ state: 'applied' }]);
  });

  test('a second drain waits as well', async () => {
    const { step, arrived, answer } = held(applied);
    const { client } = scripted([step]);
    const call = client.tags.create(vip);
    await arrived;
    const drains = [client.operations.drain(), client.operations.drain()];
    expect(await isSettled(Promise.race(drains))).toBe(false);
    answer();
    expect(await Promise.all(drains)).toEqual([{ open: [] }, { open: [] }]);
    await call;
  });
});

describe('the wait', () => {
  test('ends after timeoutMs with what is open, and the write continues', async () => {
    vi.useFakeTimers();
    const { step, arrived, answer } = held(applied);
    const { client } = scripted([step]);
    const call = client.tags.create(vip);
    await arrived;
    const drained = client.operations.drain({ timeoutMs: 5_000 });
    await vi.advanceTimersByTimeAsync(4_999);
    const settled = vi.fn();
    void drained.then(settled);
    await vi.advanceTimersByTimeAsync(0);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await drained).toMatchObject({ open: [{ state: 'pending', change: { data: vip } }] });
    answer();
    expect(await call).toMatchObject({ applied: true });
  });

  test.each([
    ['an aborted signal', { signal: AbortSignal.abort() }],
    ['no time', { timeoutMs: 0 }],
  ])('ends at once with %s, and the client drains', async (_what, options) => {
    const { step, arrived, answer } = held(applied);
    const { client } = scripted([step]);
    const call = client.tags.create(vip);
    await arrived;
    expect((await client.operations.drain(options)).open).toHaveLength(1);
    expect(await getRejection(client.tags.create(vip))).toMatchObject(draining);
    answer();
    await call;
  });

  test('ends when the signal is aborted', async () => {
    const { step, arrived, answer } = held(applied);
    const { client } = scripted([step]);
    const call = client.tags.create(vip);
    await arrived;
    const stop = new AbortController();
    const drained = client.operations.drain({ signal: stop.signal });
    expect(await isSettled(drained)).toBe(false);
    stop.abort();
    expect((await drained).open).toHaveLength(1);
    answer();
    await call;
  });
});

describe('a client of with()', () => {
  test('drains with the client it was made from, at any depth', async () => {
    const { step, arrived, answer } = held(applied);
    const { client } = scripted([step]);
    const derived = client.with({ language: 'ja' }).with({ headers: { a: 'b' } });
    const call = derived.tags.create(vip);
    await arrived;
    const drained = client.operations.drain();
    expect(await isSettled(drained)).toBe(false);
    for (const one of [client, derived, client.with()])
      expect(await getRejection(one.tags.create(vip))).toMatchObject(draining);
    answer();
    await drained;
    await call;
  });

  test('drains alone', async () => {
    const { client } = scripted([applied]);
    const derived = client.with();
    await derived.operations.drain();
    expect(await getRejection(derived.tags.create(vip))).toMatchObject(draining);
    expect(await client.tags.create(vip)).toMatchObject({ applied: true });
    expect(await client.with().tags.create(vip)).toMatchObject({ applied: true });
  });
});

test('await using drains', async () => {
  const { step, arrived, answer } = held(applied);
  const { client } = scripted([step]);
  const call = client.tags.create(vip);
  await arrived;
  const disposed = client[Symbol.asyncDispose]();
  expect(await isSettled(disposed)).toBe(false);
  answer();
  expect(await disposed).toBeUndefined();
  await call;
  expect(await getRejection(client.tags.create(vip))).toMatchObject(draining);
});

test('a drain of an idle client resolves at once', async () => {
  expect(await scripted([]).client.operations.drain()).toEqual({ open: [] });
});

test.each<[string, object, string]>([
  ['an unknown option', { timeout: 5 }, 'INVALID_OPTIONS'],
  ['a text as timeoutMs', { timeoutMs: '5' }, 'INVALID_OPTIONS'],
  ['a negative timeoutMs', { timeoutMs: -1 }, 'INVALID_OPTIONS'],
  ['NaN as timeoutMs', { timeoutMs: Number.NaN }, 'INVALID_OPTIONS'],
])('%s is refused, and the client does not drain', async (_what, options, code) => {
  const { client } = scripted([applied]);
  expect(await getRejection(client.operations.drain(options))).toMatchObject({ code });
  expect(await client.tags.create(vip)).toMatchObject({ applied: true });
});

test('a value other than a signal is refused, and the client does not drain', async () => {
  const { client } = scripted([applied]);
  await expect(client.operations.drain({ signal: {} as AbortSignal })).rejects.toThrow(TypeError);
  expect(await client.tags.create(vip)).toMatchObject({ applied: true });
});
