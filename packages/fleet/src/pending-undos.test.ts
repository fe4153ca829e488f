import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPendingUndos } from './pending-undos.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = () => new Promise<never>(() => undefined);
const failing = async () => {
  throw new Error('locked');
};

test('what cannot be undone blocks calls about its own subject, and no others', async () => {
  const undos = createPendingUndos();
  const undo = vi.fn(async () => undefined);
  undos.add('stuck', failing);
  undos.add('other', undo);
  await expect(undos.flush('stuck')).rejects.toThrow('locked');
  await undos.flush('other');
  expect(undo).toHaveBeenCalledTimes(1);
  await undos.flush('third');
  await expect(undos.flushAll()).rejects.toThrow('locked');
});

test('what is about one subject is undone in order, each once', async () => {
  const undos = createPendingUndos();
  const undone: number[] = [];
  for (const n of [1, 2, 3])
    undos.add('one', async () => {
      undone.push(n);
    });
  await Promise.all([undos.flush('one'), undos.flush('one'), undos.flushAll()]);
  expect(undone).toEqual([1, 2, 3]);
});

test('a call about many subjects waits for a moment at most', async () => {
  const undos = createPendingUndos();
  const undo = vi.fn(async () => undefined);
  undos.add('stuck', never);
  undos.add('other', undo);
  const waiting = undos.flushForMoment();
  await vi.advanceTimersByTimeAsync(1_000);
  await waiting;
  expect(undo).toHaveBeenCalledTimes(1);
});

test('what failed is tried again in the background, whatever else is stuck', async () => {
  const undos = createPendingUndos();
  let isLocked = true;
  const undo = vi.fn(async () => (isLocked ? failing() : undefined));
  undos.add('stuck', failing);
  undos.add('other', undo);
  await vi.advanceTimersByTimeAsync(3_500);
  expect(undo.mock.calls.length).toBe(3);
  isLocked = false;
  await vi.advanceTimersByTimeAsync(3_500);
  expect(undo.mock.calls.length).toBe(4);
});
