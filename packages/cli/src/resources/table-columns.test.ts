import { describe, expect, test } from 'vitest';
import { displayWidth } from '../output/display-width.ts';
import { rowTable } from '../output/table.ts';
import { columns } from './table-columns.ts';

const names = ['name', 'title', 'keyword', 'displayName', 'scenarioName'];
const ids = ['id', 'userId', 'accountId', 'operationId'];
const sample = (name: string): unknown => {
  if (name === 'userId') return `U${'4'.repeat(32)}`;
  if (ids.includes(name)) return '79891e98-0747-5fbd-a1e6-90297394efe7';
  if (/At$/.test(name)) return '2025-01-01T00:02:00.000Z';
  return name === 'status' ? 'in_progress' : 'A text of some length, as people write it';
};

describe.each(Object.entries(columns))('the table of %s', (_resource, all) => {
  test('has names before ids', () => {
    const name = all.findIndex((one) => names.includes(one));
    const id = all.findIndex((one) => ids.includes(one));
    if (name !== -1 && id !== -1) expect(name).toBeLessThan(id);
  });

  test.each([80, 60])('fits %i columns, and the name is there', (room) => {
    const row = Object.fromEntries(all.map((one) => [one, sample(one)]));
    const { text, hidden } = rowTable([row], all, { room, keepAll: false });
    expect(text.split('\n').filter((line) => displayWidth(line) > room)).toEqual([]);
    expect(hidden.filter((one) => names.includes(one) || one === 'status')).toEqual([]);
  });
});
