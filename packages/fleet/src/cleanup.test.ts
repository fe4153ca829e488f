import { afterEach, beforeEach, expect, test, vi } from 'vitest';

// Fake timers are those of globals alone.
vi.mock('node:timers/promises', () => ({
  setTimeout: (ms: number) => new Promise((resolve) => globalThis.setTimeout(resolve, ms)),
}));
let createCleanup: typeof import('./cleanup.ts').createCleanup;
beforeEach(async () => {
  // Another file of this process may have loaded it with real timers.
  vi.resetModules();
  ({ createCleanup } = await import('./cleanup.ts'));
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

const never = () => new Promise<never>(() => undefined);
const failing = async () => {
  throw new Error('locked');
};

test('what cannot be undone blocks calls about its own subject, and no others', async () => {
  const cleanup = createCleanup();
  const undo = vi.fn(async () => undefined);
  cleanup.add('stuck', failing);
  cleanup.add('other', undo);
  await expect(cleanup.flush('stuck')).rejects.toThrow('locked');
  await cleanup.flush('other');
  expect(undo).toHaveBeenCalledTimes(1);
  await cleanup.flush('third');
  await expect(cleanup.flushAll()).rejects.toThrow('locked');
});

test('what is about one subject is undone in order, each once', async () => {
  const cleanup = createCleanup();
  const undone: number[] = [];
  for (const n of [1, 2, 3])
    cleanup.add('one', async () => {
      undone.push(n);
    });
  await Promise.all([cleanup.flush('one'), cleanup.flush('one'), cleanup.flushAll()]);
  expect(undone).toEqual([1, 2, 3]);
});

test('a call about many subjects waits for a moment at most', async () => {
  const cleanup = createCleanup();
  const undo = vi.fn(async () => undefined);
  cleanup.add('stuck', never);
  cleanup.add('other', undo);
  const waiting = cleanup.flushForMoment();
  await vi.advanceTimersByTimeAsync(1_000);
  await waiting;
  expect(undo).toHaveBeenCalledTimes(1);
});

test('what failed is tried again in the background, whatever else is stuck', async () => {
  const cleanup = createCleanup();
  let isLocked = true;
  const undo = vi.fn(async () => (isLocked ? failing() : undefined));
  cleanup.add('stuck', failing);
  cleanup.add('other', undo);
  await vi.advanceTimersByTimeAsync(3_500);
  expect(undo.mock.calls.length).toBe(3);
  isLocked = false;
  await vi.advanceTimersByTimeAsync(3_500);
  expect(undo.mock.calls.length).toBe(4);
});
