import { describe, expect, it, vi } from 'vitest';
import { createMock } from '../../src/index.ts';
import { Caller } from '../../test-support/caller.ts';
import { data } from '../../test-support/data.ts';

it.each([
  [true, 'before the delay, and only its answer is late'],
  [false, 'after the delay'],
])('a delayed change with applied: %j is applied %s', async (applied) => {
  const waiting: (() => void)[] = [];
  const mock = createMock({ sleep: () => new Promise<void>((resolve) => void waiting.push(resolve)) });
  mock.faults.arm({ effect: 'delay', delayMs: 1_000, applied, action: 'create-tags' });
  const caller = new Caller(mock);
  const countTags = async () => (await caller.read({ resource: 'tags' })).body.total;
  const before = await countTags();
  const answer = caller.apply({ action: 'create-tags', data: data.tags });
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  expect(await countTags()).toBe(before + (applied ? 1 : 0));
  for (const wake of waiting) wake();
  expect((await answer).body.applied).toBe(true);
  expect(await countTags()).toBe(before + 1);
});

/** A mock whose delays end when the test says so, an hour later by its clock. */
function createWaiting() {
  const waiting: (() => void)[] = [];
  const mock = createMock({
    now: () => Date.UTC(2026, 3, 10),
    sleep: () => new Promise<void>((resolve) => void waiting.push(resolve)),
  });
  const anHourLater = async (): Promise<void> => {
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    mock.clock.advance(3_600_000);
    for (const wake of waiting) wake();
  };
  return { mock, caller: new Caller(mock), anHourLater };
}

describe('what a request has after its delay is of that time', () => {
  const later = '2026-04-10T01:00:00.000Z';

  it('the record and the date of the answer', async () => {
    const { mock, caller, anHourLater } = createWaiting();
    mock.faults.arm({ effect: 'delay', delayMs: 1_000 });
    const answer = caller.apply({ action: 'create-tags', data: data.tags });
    await anHourLater();
    const { body, headers } = await answer;
    expect(body.result.updatedAt).toBe(later);
    expect(headers.get('Date')).toBe(new Date(later).toUTCString());
  });

  it('the date of an answer of another fault', async () => {
    const { mock, caller, anHourLater } = createWaiting();
    mock.faults.arm({ effect: 'delay', delayMs: 1_000 });
    mock.faults.arm({ effect: 'respond', status: 500 });
    const answer = caller.me();
    await anHourLater();
    const { status, headers } = await answer;
    expect([status, headers.get('Date')]).toEqual([500, new Date(later).toUTCString()]);
  });
});
