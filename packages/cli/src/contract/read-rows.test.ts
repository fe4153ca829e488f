import { expect, test } from 'vitest';
import type { ContractAnswer, ContractRequest } from './exchange.ts';
import { readRows } from './read-rows.ts';

type Page = {
  readonly records: readonly { readonly id: string }[];
  readonly limited?: boolean;
  readonly total?: number;
};

/** Answers each page of a list with what `getPage` returns for its offset. */
const answerWith =
  (getPage: (offset: number) => Page) =>
  async (request: ContractRequest): Promise<ContractAnswer> => ({
    status: 200,
    json: getPage((request.body as { readonly offset: number }).offset),
    meaning: undefined,
    hasRequestId: false,
    retryAfter: 'none',
    request: '',
  });

const toRow = (number: number): { readonly id: string } => ({
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
});

test('a list that does not end is not taken for one that was read', async () => {
  const endless = answerWith((offset) => ({ records: [toRow(offset), toRow(offset + 1)], limited: true }));
  expect((await readRows(endless, 'tags')).rows).toBeUndefined();
});

test('a long list is read to its end', async () => {
  const rows = Array.from({ length: 2_500 }, (_, number) => toRow(number));
  const long = answerWith((offset) => ({ records: rows.slice(offset, offset + 50), total: rows.length }));
  expect((await readRows(long, 'tags')).rows).toEqual(rows);
});

test('a row is counted once, also of a server that ignores offsets', async () => {
  const rows = [1, 2, 3].map(toRow);
  let requests = 0;
  const same = answerWith(() => {
    requests++;
    return { records: rows, limited: true };
  });
  expect(await readRows(same, 'tags')).toEqual({ rows, isWhole: false, requests: 2 });
  expect(requests).toBe(2);
  const shifted = answerWith((offset) => ({
    records: [0, 1, 2].map((at) => toRow(Math.min(offset, 3) + at)),
  }));
  expect((await readRows(shifted, 'tags')).rows).toEqual([0, 1, 2, 3, 4, 5].map(toRow));
});

test('a list is read behind an empty page, whatever its total says', async () => {
  const rows = [0, 1, 2, 3].map(toRow);
  const gap = answerWith((offset) => ({
    records: offset === 0 ? rows.slice(0, 2) : offset === 4 ? rows.slice(2) : [],
    total: 2,
  }));
  expect((await readRows(gap, 'tags')).rows).toEqual(rows);
});
