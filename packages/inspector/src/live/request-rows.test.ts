import { expect, test } from 'vitest';
import type { RequestEntry } from '../control-api/types.ts';
import { RequestRows } from './request-rows.ts';

const entry = (id: number, status = 200): RequestEntry => ({ id, status }) as RequestEntry;
const ids = (rows: RequestRows): number[] => rows.toArray().map(({ id }) => id);

function createRows(capacity: number, ...entries: readonly RequestEntry[]): RequestRows {
  const rows = new RequestRows(capacity);
  rows.finishRead(rows.beginRead(), entries);
  return rows;
}

test('rows are sorted, replaced when they are complete, and bounded', () => {
  const rows = createRows(3, entry(1), entry(3));
  rows.add(entry(2));
  rows.add(entry(3, 500));
  expect(rows.toArray().map(({ id, status }) => [id, status])).toEqual([
    [1, 200],
    [2, 200],
    [3, 500],
  ]);
  for (let id = 4; id < 1000; id++) rows.add(entry(id));
  expect(ids(rows)).toEqual([997, 998, 999]);
  expect(rows.toArray()).toBe(rows.toArray());
});

test('what arrives during a read is kept, although the answer does not have it', () => {
  const rows = createRows(10);
  const read = rows.beginRead();
  rows.add(entry(2));
  expect(rows.finishRead(read, [entry(1)])).toBe(true);
  expect(ids(rows)).toEqual([1, 2]);
});

test('two reads that overlap lose nothing, whichever is answered first', () => {
  for (const order of ['first', 'second'] as const) {
    const rows = createRows(10);
    const first = rows.beginRead();
    rows.add(entry(2));
    const second = rows.beginRead();
    // The answer to the second read was made before this request.
    rows.add(entry(3));
    const finishFirst = () => rows.finishRead(first, [entry(1)]);
    const finishSecond = () => rows.finishRead(second, [entry(1), entry(2)]);
    if (order === 'first') {
      expect(finishFirst()).toBe(false);
      rows.add(entry(4));
      expect(finishSecond()).toBe(true);
    } else {
      expect(finishSecond()).toBe(true);
      rows.add(entry(4));
      expect(finishFirst()).toBe(false);
    }
    expect(ids(rows)).toEqual([1, 2, 3, 4]);
  }
});

test('a read that failed does not end the one after it', () => {
  const rows = createRows(10, entry(1));
  const first = rows.beginRead();
  const second = rows.beginRead();
  expect(rows.failRead(first)).toBe(false);
  rows.add(entry(3));
  expect(rows.finishRead(second, [entry(1), entry(2)])).toBe(true);
  expect(ids(rows)).toEqual([1, 2, 3]);
  const third = rows.beginRead();
  expect(rows.failRead(third)).toBe(true);
  expect(rows.finishRead(third, [])).toBe(false);
  expect(ids(rows)).toEqual([1, 2, 3]);
});
