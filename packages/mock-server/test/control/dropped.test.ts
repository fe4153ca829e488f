import { describe, expect, it } from 'vitest';
import { ControlError, createMock, type Mock } from '../../src/index.ts';
import { JournalAssertions } from '../../src/journal/assertions.ts';
import { Caller } from '../caller.ts';
import { data } from '../data.ts';

const unlimited = { rateLimit: 'off', monthlyLimit: 'off' } as const;
const tagChange = { action: 'create-tags', data: data.tags };

const ask = async (mock: Mock, times: number): Promise<void> => {
  for (let n = 0; n < times; n++) await new Caller(mock).me();
};

function refusal(run: () => unknown): ControlError {
  try {
    run();
  } catch (error) {
    if (error instanceof ControlError) return error;
  }
  throw new Error('It was not refused.');
}

describe('a request log that dropped entries', () => {
  it('never verifies a number that it cannot know', async () => {
    const mock = createMock({ ...unlimited, journalSize: 10 });
    await ask(mock, 12);
    for (const times of [10, 12, 2]) {
      const { status, code, message, extra } = refusal(() => mock.requests.verify({ times }));
      expect({ status, code }).toEqual({ status: 409, code: 'VERIFICATION_FAILED' });
      expect(extra).toMatchObject({ expected: times, count: 10, complete: false, dropped: { entries: 2 } });
      expect(message).toContain('at least 10');
      expect(message).toContain('dropped 2 older entries');
    }
    expect(refusal(() => mock.requests.verify({ operation: 'getAccount', times: 10 })).extra.complete).toBe(
      false,
    );
    expect(refusal(() => mock.requests.verify({ key: 'demo-read-key', times: 0 })).extra.complete).toBe(
      false,
    );
  });

  it('verifies what the dropped entries cannot have been', async () => {
    const mock = createMock({ ...unlimited, journalSize: 10 });
    await ask(mock, 12);
    await new Caller(mock).apply(tagChange);
    expect(mock.requests.verify({ action: 'create-tags', times: 1 })).toEqual({ ok: true });
    expect(mock.requests.verify({ operation: 'getAccount', status: 401, times: 0 })).toEqual({ ok: true });
    expect(refusal(() => mock.requests.verify({ action: 'create-tags', times: 2 })).extra).toMatchObject({
      count: 1,
      complete: true,
    });
    await ask(mock, 10);
    expect(refusal(() => mock.requests.verify({ action: 'create-tags', times: 0 })).extra.complete).toBe(
      false,
    );
  });

  it('counts a request that is dropped while it is delayed as one that may get any status', async () => {
    const wakes: (() => void)[] = [];
    const mock = createMock({
      ...unlimited,
      journalSize: 1,
      sleep: () => new Promise((resolve) => wakes.push(resolve)),
    });
    mock.faults.arm({ effect: 'delay', delayMs: 1 });
    const delayed = new Caller(mock).me();
    await ask(mock, 1);
    const verify = () => mock.requests.verify({ operation: 'getAccount', status: 200, times: 1 });
    expect(refusal(verify).extra.complete).toBe(false);
    await expect.poll(() => wakes.length).toBe(1);
    for (const wake of wakes) wake();
    expect((await delayed).status).toBe(200);
    expect(refusal(verify).extra.complete).toBe(false);
  });

  it('says how many, over HTTP too, until it is cleared', async () => {
    const mock = createMock({ ...unlimited, journalSize: 3 });
    await ask(mock, 5);
    expect(mock.requests.dropped()).toEqual({ entries: 2 });
    const { requests, dropped } = (await (await mock.fetch(`${mock.controlUrl}/requests`)).json()) as {
      requests: unknown[];
      dropped: unknown;
    };
    expect([requests.length, dropped]).toEqual([3, { entries: 2 }]);
    mock.requests.clear();
    await ask(mock, 3);
    expect(mock.requests.dropped()).toEqual({ entries: 0 });
    expect(mock.requests.verify({ times: 3 })).toEqual({ ok: true });
    mock.reset();
    expect(mock.requests.verify({ times: 0 })).toEqual({ ok: true });
  });

  it('that keeps nothing verifies nothing', async () => {
    const mock = createMock({ ...unlimited, journalSize: 0 });
    expect(mock.requests.verify({ times: 0 })).toEqual({ ok: true });
    await ask(mock, 1);
    expect(refusal(() => mock.requests.verify({ action: 'create-tags', times: 0 })).extra).toMatchObject({
      complete: false,
      dropped: { entries: 1 },
    });
  });

  it('remembers a bounded number of kinds, and is careful about the rest', async () => {
    const mock = createMock({ ...unlimited, journalSize: 1 });
    mock.faults.arm({ effect: 'skip-audit', after: 1_000_000 });
    const caller = new Caller(mock);
    for (let n = 0; n < 1_100; n++) {
      await caller.change(crypto.randomUUID(), { action: `invented-${n}` });
    }
    await caller.me();
    expect(refusal(() => mock.requests.verify({ action: 'create-tags', times: 0 })).extra).toMatchObject({
      complete: false,
    });
  });

  it('fails assertions about an operation', async () => {
    const mock = createMock({ ...unlimited, journalSize: 2 });
    const journal = new JournalAssertions(mock);
    const id = crypto.randomUUID();
    await new Caller(mock).change(id, tagChange);
    journal.appliedExactlyOnce(id);
    await ask(mock, 2);
    expect(() => journal.neverApplied(id)).toThrow(/dropped 1 entries .* larger journalSize/);
    expect(() => journal.appliedExactlyOnce(id)).toThrow(/dropped 1 entries/);
  });
});

describe('what a mock keeps', () => {
  it('is 10,000 faults; the next is refused with what to remove', () => {
    const mock = createMock();
    for (let n = 0; n < 10_000; n++) mock.faults.arm({ effect: 'drop-request' });
    const { status, code, message, extra } = refusal(() => mock.faults.arm({ effect: 'drop-request' }));
    expect([status, code, extra.limit]).toEqual([409, 'TOO_MANY_FAULTS', 10_000]);
    expect(message).toContain('DELETE /faults');
    expect(mock.sandbox().faults.arm({ effect: 'drop-request' }).id).toBe('fault-1');
    mock.faults.disarm('fault-7');
    expect(mock.faults.arm({ effect: 'drop-request' }).id).toBe('fault-10001');
  });

  it('is 10,000 sandboxes; the next is refused with what to remove', () => {
    const mock = createMock();
    const made = Array.from({ length: 10_000 }, () => mock.sandbox());
    const { status, code, message, extra } = refusal(() => made[0]?.sandbox());
    expect([status, code, extra.limit]).toEqual([409, 'TOO_MANY_SANDBOXES', 10_000]);
    expect(message).toContain('DELETE /sandboxes/{id}');
    made[5]?.drop();
    expect(mock.sandbox().id).toBeDefined();
  });
});
