import { createClient } from '@orgchat/sdk';
import { describe, expect, test } from 'vitest';
import { type ListServer, limits, listFetch, totals } from '../../../sdk/test-support/servers/list-server.ts';
import { listPages } from './fetch-records.ts';
import { createListProgress, type ListOptions, readRecords } from './read-list.ts';

const shared = {
  apiKey: 'test-key-1234567890',
  baseUrl: 'https://api.example.com/api/v1',
  pacing: false,
} as const;

/** Reads a list of a server; counts the requests. */
async function readFrom(server: ListServer, options: ListOptions) {
  const progress = createListProgress();
  const { fetch, queries: sent } = listFetch(server);
  const client = createClient({ ...shared, fetch });
  const names: unknown[] = [];
  for await (const { name } of readRecords(listPages(client, 'tags', {}, {}), options, progress))
    names.push(name);
  const queries = sent.map(({ offset = 0, limit }) => ({ offset, limit }));
  return { names, progress, queries };
}

const right = { total: totals.right, limited: limits.right } as Pick<ListServer, 'total' | 'limited'>;

describe('a list that is read whole', () => {
  const servers = Object.entries(totals).flatMap(([total, sayTotal]) =>
    Object.entries(limits).flatMap(([limited, sayLimited]) =>
      [0, 3, 20, 50, 120].flatMap((count) =>
        [20, 50].map((pageSize) => ({ total, limited, count, pageSize, sayTotal, sayLimited })),
      ),
    ),
  );
  test.each(servers)(
    'has all $count records: total $total, limited $limited, $pageSize per page',
    async ({ count, pageSize, sayTotal, sayLimited }) => {
      const server = { count, pageSize, total: sayTotal, limited: sayLimited };
      const { names, queries } = await readFrom(server, { all: true });
      expect(names).toEqual(Array.from({ length: count }, (_, index) => `Record ${index}`));
      // A page is read again once to find out that the total counts what remains, and no other page is read twice. Never
      // more than three pages are read behind an end that the server denies.
      const rereads = queries.length - new Set(queries.map(({ offset }) => offset)).size;
      expect(rereads).toBeLessThanOrEqual(sayTotal === totals['of what remains'] ? 1 : 0);
      expect(queries.length - rereads).toBeLessThanOrEqual(Math.ceil(count / pageSize) + 3);
    },
  );

  test('ends with an error if the server ignores the offset and says that there is more', async () => {
    const server = { count: 120, pageSize: 50, ...right, ignoresOffset: true, limited: () => true };
    await expect(readFrom(server, { all: true })).rejects.toMatchObject({
      code: 'UNEXPECTED_ANSWER',
      message: 'The list of tags does not end: its pages repeat.',
    });
  });
});

describe('a part of a list', () => {
  const server = { count: 120, pageSize: 50, ...right };

  test('shows how many records there are, and the offset of the next page', async () => {
    const { progress, queries } = await readFrom(server, { limit: 7, offset: 10 });
    expect(progress).toEqual({ shown: 7, total: 120, more: true, nextOffset: 17 });
    expect(queries).toEqual([{ offset: 10, limit: 7 }]);
  });

  test('that is larger than a page takes several', async () => {
    const { names, progress, queries } = await readFrom(server, { limit: 70 });
    expect([names.length, progress.nextOffset]).toEqual([70, 70]);
    expect(queries).toEqual([
      { offset: 0, limit: 50 },
      { offset: 50, limit: 20 },
    ]);
  });

  test('of a server with smaller pages is as large as asked for', async () => {
    const { names } = await readFrom({ ...server, pageSize: 20 }, { limit: 50 });
    expect(names).toHaveLength(50);
  });

  test('of a server that ignores the limit is not larger than requested', async () => {
    const { names, progress } = await readFrom({ ...server, ignoresLimit: true }, { limit: 3 });
    expect([names.length, progress]).toEqual([3, { shown: 3, total: 120, more: true, nextOffset: 3 }]);
  });

  test.each([
    [{ total: totals.absent, limited: limits.absent }, 'maybe'],
    [{ total: totals.absent, limited: limits['always true'] }, true],
    [{ total: totals.right, limited: limits.absent }, true],
  ])('says whether there is more as far as the server says: %#', async (says, more) => {
    const { progress } = await readFrom({ ...server, ...says } as ListServer, {});
    expect(progress.more).toBe(more);
  });

  test('that is the whole list says that it is', async () => {
    expect((await readFrom({ ...server, count: 3 }, { limit: 3 })).progress.more).toBe(false);
    expect((await readFrom({ ...server, count: 3 }, {})).progress.more).toBe(false);
  });

  test('that is searched for looks at whole pages', async () => {
    const { names, queries } = await readFrom(server, { search: 'record 11', limit: 3 });
    expect(names).toEqual(['Record 11', 'Record 110', 'Record 111']);
    expect(queries.map(({ limit }) => limit)).toEqual([50, 50, 50]);
  });
});
