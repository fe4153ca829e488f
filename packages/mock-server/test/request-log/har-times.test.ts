import { expect, it } from 'vitest';
import { createMock, type Mock } from '../../src/index.ts';
import { Caller } from '../../test-support/caller.ts';

interface HarEntry {
  readonly time: number;
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number };
}

const listTimes = (mock: Mock): number[] => {
  const { log } = mock.requests.har() as { log: { entries: HarEntry[] } };
  for (const { time, timings } of log.entries) expect(timings).toEqual({ send: 0, wait: time, receive: 0 });
  return log.entries.map(({ time }) => time);
};

/** A mock in whose machine time passes only while an answer is delayed. */
function createDelayed(): { mock: Mock; caller: Caller } {
  let now = 5_000.25;
  const sleep = async (milliseconds: number): Promise<void> => {
    now += milliseconds;
  };
  const mock = createMock({ monotonicNow: () => now, sleep });
  return { mock, caller: new Caller(mock) };
}

it('the archive has the time of each request in the mock, with the delay of a fault', async () => {
  const { mock, caller } = createDelayed();
  await caller.me();
  mock.faults.arm({ effect: 'delay', delayMs: 250, operation: 'getAccount' });
  await caller.me();
  mock.faults.arm({ effect: 'delay', delayMs: 40, applied: true, operation: 'getAccount' });
  await caller.me();
  // The clock of the mock does not count.
  mock.clock.advance(1_000_000);
  expect(listTimes(mock)).toEqual([0, 250, 40]);
});

it('the archive has a time over HTTP, and in process if a fault is armed', async () => {
  const mock = createMock();
  const server = await mock.listen({ port: 0 });
  await new Caller({ baseUrl: server.baseUrl, fetch }).me();
  await server.close();
  await new Caller(mock).me();
  mock.faults.arm({ effect: 'drop-request', operation: 'readChat' });
  await new Caller(mock).me();
  const [overHttp = 0, inProcess, withFault = 0] = listTimes(mock);
  expect(overHttp).toBeGreaterThan(0);
  expect(inProcess).toBe(0);
  expect(withFault).toBeGreaterThan(0);
});

it('the archive has fractions of a millisecond, and 0 for a request in progress', async () => {
  let now = 0;
  const mock = createMock({
    monotonicNow: () => {
      now += 1.5;
      return now;
    },
    sleep: () => new Promise(() => {}),
  });
  await new Caller(mock).me();
  mock.faults.arm({ effect: 'delay', delayMs: 1, operation: 'getAccount' });
  void new Caller(mock).me();
  await expect.poll(() => mock.requests.list().length).toBe(2);
  expect(listTimes(mock)).toEqual([1.5, 0]);
});
