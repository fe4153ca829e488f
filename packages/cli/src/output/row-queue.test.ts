import { expect, test } from 'vitest';
import { RowQueue } from './row-queue.ts';

async function take(rows: RowQueue, seen: unknown[]): Promise<void> {
  for await (const { id } of rows) seen.push(id);
}

test('rows are taken as they are added, and those before the end as well', async () => {
  const rows = new RowQueue();
  const seen: unknown[] = [];
  rows.add({ id: 1 });
  const taking = take(rows, seen);
  await Promise.resolve();
  rows.add({ id: 2 });
  rows.add({ id: 3 });
  rows.end();
  await taking;
  expect(seen).toEqual([1, 2, 3]);
});

test('an empty queue ends', async () => {
  const rows = new RowQueue();
  const taking = take(rows, []);
  rows.end();
  await expect(taking).resolves.toBeUndefined();
});
