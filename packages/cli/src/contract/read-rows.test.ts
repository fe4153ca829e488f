import { expect, test } from 'vitest';
import type { ContractAnswer, ContractRequest } from './exchange.ts';
import { readRows } from './read-rows.ts';

type Page = { readonly records: readonly { readonly id: string }[]; readonly limited?: boolean };

/** Answers each page of a list with what `getPage` returns for its offset. */
const answerWith =
  (getPage: (offset: number) => Page) =>
  async (request: ContractRequest): Promise<ContractAnswer> => ({
    status: 200,
    json: getPage((request.body as { readonly offset: number }).offset),
    hasRequestId: false,
    retryAfter: 'none',
    request: '',
  });

const toRow = (number: number): { readonly id: string } => ({ id: `tag-${number}` });

test('a list that does not end is not taken for one that was read', async () => {
  const endless = answerWith((offset) => ({ records: [toRow(offset), toRow(offset + 1)], limited: true }));
  expect(await readRows(endless, 'tags')).toBeUndefined();
});
