import { memoryJournal } from '@orgchat/sdk';
import { expect, test } from 'vitest';
import { internalName, type LockRows, type StoreInternals, withInternals } from './internal.ts';
import { createPendingUndos } from './pending-undos.ts';

test('a lock that may have been given although the call failed is released', async () => {
  const given: unknown[] = [];
  const undos = createPendingUndos();
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
  const journal = withInternals(memoryJournal(), undos, rows, { diagnose: async () => [] });
  const { lock, flush } = Reflect.get(journal, Symbol.for(internalName)) as StoreInternals;
  await expect(lock('name', 'owner', 60_000)).rejects.toThrow('no answer');
  await flush();
  expect(given).toEqual([
    { ms: 60_000, isRenewal: false },
    { ms: 0, isRenewal: true },
  ]);
});
