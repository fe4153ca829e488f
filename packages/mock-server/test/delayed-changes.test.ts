import { expect, it, vi } from 'vitest';
import { createMock } from '../src/index.ts';
import { Caller } from '../test-support/caller.ts';
import { data } from '../test-support/data.ts';

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
