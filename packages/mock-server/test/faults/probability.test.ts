import { describe, expect, it } from 'vitest';
import { createMock, type FaultInput, type Mock, type MockOptions } from '../../src/index.ts';
import { Caller } from '../../test-support/caller.ts';
import { data } from '../../test-support/data.ts';

const change = { action: 'create-tags', data: data.tags };

const open = (options: MockOptions = {}): Mock =>
  createMock({ rateLimit: 'off', sleep: async () => {}, ...options });

/** The status of each of `count` requests; `reset` for a connection that was reset. */
async function statuses(mock: Mock, count: number): Promise<(number | string)[]> {
  const caller = new Caller(mock);
  const found = [];
  for (let i = 0; i < count; i++)
    found.push(
      await caller.me().then(
        ({ status }) => status,
        () => 'reset',
      ),
    );
  return found;
}

const flaky: FaultInput = { effect: 'drop-request', probability: 0.3, times: 'always' };

describe('probability', () => {
  it('hits the given share of requests, and the same requests in every run', async () => {
    const run = async (options?: MockOptions) => {
      const mock = open(options);
      mock.faults.arm(flaky);
      return statuses(mock, 200);
    };
    const first = await run();
    const hits = first.filter((status) => status === 'reset').length;
    expect(hits).toBeGreaterThan(40);
    expect(hits).toBeLessThan(80);
    expect(await run()).toEqual(first);
    expect(await run({ randomSeed: 2 })).not.toEqual(first);
  });

  it('hits the same requests again in a sandbox and after a reset', async () => {
    const mock = open();
    const results = [];
    for (const subject of [mock, mock.sandbox(), mock.sandbox()]) {
      subject.faults.arm(flaky);
      results.push(await statuses(subject, 30));
    }
    mock.reset();
    mock.faults.arm(flaky);
    results.push(await statuses(mock, 30));
    expect(new Set(results.map((result) => result.join()))).toHaveLength(1);
  });

  it('draws for each fault alone, and changes no identifier', async () => {
    const mock = open();
    mock.faults.arm(flaky);
    mock.faults.arm({ ...flaky, effect: 'respond', status: 429 });
    const both = await statuses(mock, 40);
    const alone = mock.sandbox();
    alone.faults.arm(flaky);
    const one = await statuses(alone, 40);
    expect(both.map((status) => status === 'reset')).toEqual(one.map((status) => status === 'reset'));
    expect(both).toContain(429);
    const create = async (subject: Mock) => (await new Caller(subject).apply(change)).body.result.id;
    const plain = await create(mock.sandbox());
    alone.faults.arm({ effect: 'delay', delayMs: { min: 1, max: 9 }, probability: 0.999 });
    alone.faults.disarm('fault-1');
    expect(await create(alone)).toBe(plain);
  });

  it('counts only hits in times, and skips the first requests of after', async () => {
    const mock = open();
    mock.faults.arm({ effect: 'respond', status: 500, probability: 0.5, times: 3, after: 5 });
    const found = await statuses(mock, 40);
    expect(found.slice(0, 5)).toEqual([200, 200, 200, 200, 200]);
    expect(found.filter((status) => status === 500)).toHaveLength(3);
    expect(mock.faults.list()).toMatchObject([{ probability: 0.5, seen: 40, remaining: 0 }]);
  });
});

describe('times: "always"', () => {
  it('never ends, and the list says so', async () => {
    const mock = open();
    mock.faults.arm({ effect: 'respond', status: 500, times: 'always', after: 1 });
    expect(await statuses(mock, 20)).toEqual([200, ...Array.from({ length: 19 }, () => 500)]);
    expect(mock.faults.list()).toMatchObject([{ times: 'always', remaining: 'always', seen: 20 }]);
  });
});

describe('a delay', () => {
  /** A mock whose delays end only when the test says so. */
  const openWaiting = (): { mock: Mock; delays: number[]; wake: () => void } => {
    const delays: number[] = [];
    const waiting: (() => void)[] = [];
    const mock = open({
      sleep: (milliseconds) => {
        delays.push(milliseconds);
        return new Promise((resolve) => waiting.push(resolve));
      },
    });
    const wake = (): void => {
      for (const resolve of waiting.splice(0)) resolve();
    };
    return { mock, delays, wake };
  };

  it('of a range is drawn for each request, the same in every run', async () => {
    const run = async (): Promise<number[]> => {
      const delays: number[] = [];
      const mock = open({ sleep: async (milliseconds) => void delays.push(milliseconds) });
      mock.faults.arm({ effect: 'delay', delayMs: { min: 10, max: 13 }, times: 'always' });
      await statuses(mock, 60);
      return delays;
    };
    const delays = await run();
    expect([...new Set(delays)].sort()).toEqual([10, 11, 12, 13]);
    expect(await run()).toEqual(delays);
  });

  it('with applied: true applies a change at once and answers late, so the same request is a replay', async () => {
    const { mock, delays, wake } = openWaiting();
    const caller = new Caller(mock);
    mock.faults.arm({ effect: 'delay', delayMs: 5_000, applied: true, operation: 'changeChat' });
    const id = crypto.randomUUID();
    const late = caller.change(id, change);
    await expect.poll(() => delays).toEqual([5_000]);
    expect(mock.operations()).toMatchObject([{ operationId: id, state: 'applied' }]);
    const again = await caller.change(id, change);
    expect([again.status, again.body.replayed]).toEqual([200, true]);
    wake();
    const { body } = await late;
    expect([body.applied, body.replayed]).toEqual([true, false]);
    expect(body.result).toEqual(again.body.result);
  });

  it('without applied keeps the change running in the meantime', async () => {
    const { mock, delays, wake } = openWaiting();
    const caller = new Caller(mock);
    mock.faults.arm({ effect: 'delay', delayMs: 5_000, operation: 'changeChat' });
    const id = crypto.randomUUID();
    const late = caller.change(id, change);
    await expect.poll(() => delays).toEqual([5_000]);
    expect((await caller.change(id, change)).body.error).toBe('OPERATION_UNCERTAIN');
    wake();
    expect((await late).body.replayed).toBe(false);
  });

  it('with applied: true answers a refusal late, too, and can lose the late answer', async () => {
    const { mock, delays, wake } = openWaiting();
    const caller = new Caller(mock);
    mock.faults.arm({ effect: 'delay', delayMs: 7, applied: true, times: 2 });
    const refused = caller.read({ resource: 'nothing' });
    await expect.poll(() => delays).toEqual([7]);
    wake();
    expect((await refused).status).toBe(400);
    mock.faults.arm({ effect: 'lose-response' });
    const lost = caller.apply(change);
    await expect.poll(() => delays).toEqual([7, 7]);
    wake();
    await expect(lost).rejects.toThrow();
    expect(mock.audit()).toHaveLength(1);
  });
});
