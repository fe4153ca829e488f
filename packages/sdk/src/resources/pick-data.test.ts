import { expect, test } from 'vitest';
import { pickData } from './pick-data.ts';

test('picks the data fields in the order of the contract, and leaves out what the record does not have', () => {
  const record = { updatedAt: 'now', color: 'pink', id: '1', label: 'VIP', name: 'VIP', revision: 'a' };
  expect(Object.entries(pickData<object>('tags', record))).toEqual([
    ['name', 'VIP'],
    ['color', 'pink'],
  ]);
  expect(pickData('tags', { color: undefined, later: 1 })).toEqual({});
  expect(pickData('routes', { accountId: null })).toEqual({ accountId: null });
});
