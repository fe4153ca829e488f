import { describe, expect, it } from 'vitest';
import { ControlError, createMock, type Mock } from '../../src/index.ts';
import { RequestLogAssertions } from '../../src/testing/request-log-assertions.ts';
import { Caller } from '../../test-support/caller.ts';
import { data } from '../../test-support/data.ts';

const unlimited = { rateLimit: 'off', monthlyLimit: 'off' } as const;
const tagChange = { action: 'create-tags', data: data.tags };

const ask = async (mock: Mock, times: number): Promise<void> => {
  for (let n = 0; n < times; n++) await new Caller(mock).me();
};

function catchError(run: () => unknown): ControlError {
  try {
    run();
  } catch (error) {
    if (error instanceof ControlError) return error;
  }
  throw new Error('It was not refused.');
}

describe('a request log that dropped entries', () => {
  it('never verifies an unknown number', async () => {
    const mock = createMock({ ...unlimited, requestLogSize: 10 });
    await ask(mock, 12);
    for (const times of [10, 12, 2]) {
      const { status, code, message, extra } = catchError(() => mock.requests.verify({ times }));
      expect({ status, code }).toEqual({ status: 409, code: 'VERIFICATION_FAILED' });
      expect(extra).toMatchObject({ expected: times, count: 10, complete: false, dropped: { entries: 2 } });
      expect(message).toContain('at least 10');
      expect(message).toContain('dropped 2 older entries');
    }
    expect(
      catchError(() => mock.requests.verify({ operation: 'getAccount', times: 10 })).extra.complete,
    ).toBe(false);
    expect(catchError(() => mock.requests.verify({ key: 'demo-read-key', times: 0 })).extra.complete).toBe(
      false,
    );
  });

  it('verifies filters that dropped entries cannot match', async () => {
    const mock = createMock({ ...unlimited, requestLogSize: 10 });
    await ask(mock, 12);
    await new Caller(mock).apply(tagChange);
    expect(mock.requests.verify({ action: 'create-tags', times: 1 })).toEqual({ ok: true });
    expect(mock.requests.verify({ operation: 'getAccount', status: 401, times: 0 })).toEqual({ ok: true });
    expect(catchError(() => mock.requests.verify({ action: 'create-tags', times: 2 })).extra).toMatchObject({
      count: 1,
      complete: true,
    });
    await ask(mock, 10);
    expect(catchError(() => mock.requests.verify({ action: 'create-tags', times: 0 })).extra.complete).toBe(
      false,
    );
  });

  it('counts a request that is dropped while it is delayed as one that may get any status', async () => {
    const wakes: (() => void)[] = [];
    const mock = createMock({
      ...unlimited,
      requestLogSize: 1,
      sleep: () => new Promise((resolve) => wakes.push(resolve)),
    });
    mock.faults.arm({ effect: 'delay', delayMs: 1 });
    const delayed = new Caller(mock).me();
    await ask(mock, 1);
    const verify = () => mock.requests.verify({ operation: 'getAccount', status: 200, times: 1 });
    expect(catchError(verify).extra.complete).toBe(false);
    await expect.poll(() => wakes.length).toBe(1);
    for (const wake of wakes) wake();
    expect((await delayed).status).toBe(200);
    expect(catchError(verify).extra.complete).toBe(false);
  });

  it('reports their number, also over HTTP, until it is cleared', async () => {
    const mock = createMock({ ...unlimited, requestLogSize: 3 });
    await ask(mock, 5);
    expect(mock.requests.dropped()).toEqual({ entries: 2, bodies: 2 });
    const { requests, dropped } = (await (await mock.fetch(`${mock.controlUrl}/requests`)).json()) as {
      requests: unknown[];
      dropped: unknown;
    };
    expect([requests.length, dropped]).toEqual([3, { entries: 2, bodies: 2 }]);
    mock.requests.clear();
    await ask(mock, 3);
    expect(mock.requests.dropped()).toEqual({ entries: 0, bodies: 0 });
    expect(mock.requests.verify({ times: 3 })).toEqual({ ok: true });
    mock.reset();
    expect(mock.requests.verify({ times: 0 })).toEqual({ ok: true });
  });

  it('of size 0 verifies nothing', async () => {
    const mock = createMock({ ...unlimited, requestLogSize: 0 });
    expect(mock.requests.verify({ times: 0 })).toEqual({ ok: true });
    await ask(mock, 1);
    expect(catchError(() => mock.requests.verify({ action: 'create-tags', times: 0 })).extra).toMatchObject({
      complete: false,
      dropped: { entries: 1 },
    });
  });

  it('remembers a limited number of kinds, and treats the rest as unknown', async () => {
    const mock = createMock({ ...unlimited, requestLogSize: 1 });
    mock.faults.arm({ effect: 'skip-audit', after: 1_000_000 });
    const caller = new Caller(mock);
    for (let n = 0; n < 1_100; n++) {
      await caller.change(crypto.randomUUID(), { action: `invented-${n}` });
    }
    await caller.me();
    expect(catchError(() => mock.requests.verify({ action: 'create-tags', times: 0 })).extra).toMatchObject({
      complete: false,
    });
  });

  it('fails assertions about an operation', async () => {
    const mock = createMock({ ...unlimited, requestLogSize: 2 });
    const requestLog = new RequestLogAssertions(mock);
    const id = crypto.randomUUID();
    await new Caller(mock).change(id, tagChange);
    requestLog.appliedExactlyOnce(id);
    await ask(mock, 2);
    expect(() => requestLog.neverApplied(id)).toThrow(/dropped 1 entries .* larger requestLogSize/);
    expect(() => requestLog.appliedExactlyOnce(id)).toThrow(/dropped 1 entries/);
  });
});

describe('the capacity of a mock', () => {
  it('keeps 10,000 faults; the next is rejected with what to remove', () => {
    const mock = createMock();
    for (let n = 0; n < 10_000; n++) mock.faults.arm({ effect: 'drop-request' });
    const { status, code, message, extra } = catchError(() => mock.faults.arm({ effect: 'drop-request' }));
    expect([status, code, extra.limit]).toEqual([409, 'TOO_MANY_FAULTS', 10_000]);
    expect(message).toContain('DELETE /faults');
    expect(mock.sandbox().faults.arm({ effect: 'drop-request' }).id).toBe('fault-1');
    mock.faults.disarm('fault-7');
    expect(mock.faults.arm({ effect: 'drop-request' }).id).toBe('fault-10001');
  });

  it('keeps 10,000 sandboxes; the next is rejected with what to remove', () => {
    const mock = createMock();
    const made = Array.from({ length: 10_000 }, () => mock.sandbox());
    const { status, code, message, extra } = catchError(() => made[0]?.sandbox());
    expect([status, code, extra.limit]).toEqual([409, 'TOO_MANY_SANDBOXES', 10_000]);
    expect(message).toContain('DELETE /sandboxes/{id}');
    made[5]?.drop();
    expect(mock.sandbox().id).toBeDefined();
  });
});
