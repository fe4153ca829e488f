import { describe, expect, test } from 'vitest';
import { createSeenRecords, maxStalePages, rememberedRecords } from './seen-records.ts';

describe('seen records', () => {
  test('are passed on once, even if their fields change', () => {
    const seen = createSeenRecords();
    expect(seen.addPage([{ id: 'a', revision: 1 }, { id: 'b' }])).toHaveLength(2);
    expect(seen.addPage([{ id: 'a', revision: 2 }, { id: 'c' }])).toEqual([{ id: 'c' }]);
    expect(seen.addPage([{ id: 'd' }, { id: 'd' }])).toHaveLength(1);
  });

  test('of two accounts are two, though they have one userId', () => {
    const friends = [
      { accountId: 'x', userId: 'U' },
      { accountId: 'y', userId: 'U' },
    ];
    expect(createSeenRecords().addPage(friends)).toEqual(friends);
  });

  test('without an identity are compared by their content', () => {
    const seen = createSeenRecords();
    expect(seen.addPage([{ name: 'a' }, { name: 'a' }, { id: {} }])).toHaveLength(3);
    expect(seen.addPage([{ name: 'a' }, { name: 'b' }, { id: {} }])).toEqual([{ name: 'b' }]);
  });

  test('are remembered for 10,000 records at least, and for 20,000 at most', () => {
    const seen = createSeenRecords();
    const record = (id: number) => ({ id });
    for (let id = 0; id < 2 * rememberedRecords; id++) expect(seen.addPage([record(id)])).toHaveLength(1);
    const last = Array.from({ length: rememberedRecords }, (_, n) => record(2 * rememberedRecords - 1 - n));
    expect(seen.addPage(last)).toEqual([]);
    for (let id = 0; id < rememberedRecords; id++) seen.addPage([record(-1 - id)]);
    expect(seen.addPage([record(0)])).toHaveLength(1);
  });

  test('are stuck after three pages in a row without a new one', () => {
    const seen = createSeenRecords();
    const page = [{ id: 'a' }];
    seen.addPage(page);
    for (let n = 1; n < maxStalePages; n++) seen.addPage(page);
    expect(seen.isStuck()).toBe(false);
    seen.addPage([{ id: 'b' }]);
    for (let n = 1; n <= maxStalePages; n++) {
      expect(seen.isStuck()).toBe(false);
      seen.addPage(page);
    }
    expect(seen.isStuck()).toBe(true);
  });

  test('say whether a page has records that another one does not have', () => {
    const seen = createSeenRecords();
    seen.addPage([{ id: 'a' }]);
    expect(seen.hasOthers([{ id: 'a' }, { id: 'b' }], [{ id: 'b' }])).toBe(false);
    expect(seen.hasOthers([{ id: 'a' }, { id: 'b' }], [])).toBe(true);
    expect(seen.addPage([{ id: 'b' }])).toHaveLength(1);
  });

  test('are not stuck on pages that may repeat', () => {
    const seen = createSeenRecords();
    const page = [{ id: 'a' }];
    for (let n = 0; n <= maxStalePages; n++) seen.addPage(page, true);
    expect(seen.isStuck()).toBe(false);
  });
});
