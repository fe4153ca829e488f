import { expect, test } from 'vitest';
import { createCleanup } from './cleanup.ts';
import { takeLock } from './internal.ts';

test('a lock that may have been given although the call failed is released', async () => {
  const given: unknown[] = [];
  const cleanup = createCleanup();
  const taking = takeLock(
    async (token, ms, isRenewal, onDoubt) => {
      given.push([typeof token, ms, isRenewal]);
      onDoubt?.();
      if (!isRenewal) throw new Error('no answer');
      return true;
    },
    60_000,
    cleanup,
  );
  await expect(taking).rejects.toThrow('no answer');
  await cleanup.flush();
  expect(given).toEqual([
    ['string', 60_000, false],
    ['string', 0, true],
  ]);
});
