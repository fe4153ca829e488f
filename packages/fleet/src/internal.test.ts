import { memoryJournal } from '@orgchat/sdk';
import { expect, test } from 'vitest';
import { createCleanup } from './cleanup.ts';
import { internalName, type LockRows, type StoreInternals, withInternals } from './internal.ts';

test('a lock that may have been given although the call failed is released', async () => {
  const given: unknown[] = [];
  const cleanup = createCleanup();
  const rows: LockRows = {
    async give(_name, { ms, isRenewal }, onDoubt) {
      given.push({ ms, isRenewal });
      onDoubt?.();
      if (!isRenewal) throw new Error('no answer');
      return true;
    },
    find: async () => undefined,
    write: async () => undefined,
  };
  const journal = withInternals(memoryJournal(), cleanup, rows, { diagnose: async () => [] });
  const { lock, flush } = Reflect.get(journal, Symbol.for(internalName)) as StoreInternals;
  await expect(lock('name', 'owner', 60_000)).rejects.toThrow('no answer');
  await flush();
  expect(given).toEqual([
    { ms: 60_000, isRenewal: false },
    { ms: 0, isRenewal: true },
  ]);
});
