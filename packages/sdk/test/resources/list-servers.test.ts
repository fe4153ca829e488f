import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createClient, ServerError } from '../../src/index.ts';
import { getRejection } from '../../test-support/rejection.ts';
import {
  answerRead,
  type ListServer,
  limits,
  listFetch,
  numbered,
  totals,
} from '../../test-support/servers/list-server.ts';
import { json, scripted } from '../../test-support/servers/scripted.ts';

/* Lists of servers that are not the mock: what they say about their lists may be absent or wrong. */

const shared = {
  apiKey: 'test-key-1234567890',
  baseUrl: 'https://api.example.com/api/v1',
  pacing: false,
} as const;

async function collectIds(list: AsyncIterable<{ readonly id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
}

/** One page is read again to find out that `total` counts what remains. */
const extraReads = ({ total }: ListServer): number => (total === totals['of what remains'] ? 1 : 0);

const expectedIds = (count: number): string[] => numbered(count).map(({ id }) => id);

describe.each(Object.keys(totals))('with a total that is %s', (total) => {
  test.each(Object.keys(limits))('and a limited that is %s, a list is read completely', async (limited) => {
    for (const pageSize of [7, 10, 50]) {
      for (const count of [0, 1, 50, 100, 120]) {
        const server: ListServer = {
          count,
          pageSize,
          total: totals[total] as ListServer['total'],
          limited: limits[limited] as ListServer['limited'],
        };
        const { fetch, queries } = listFetch(server);
        expect(await collectIds(createClient({ ...shared, fetch }).tags.list())).toEqual(expectedIds(count));
        // Behind an end that the server denies, three empty pages are read.
        expect(queries.length).toBeLessThanOrEqual(Math.ceil(count / pageSize) + 3 + extraReads(server));
        expect(queries.every(({ limit }) => limit === 50)).toBe(true);
      }
    }
  });
});

test('every record is passed on once and iteration ends, whatever a server says', async () => {
  const server = fc.record({
    count: fc.integer({ min: 0, max: 160 }),
    pageSize: fc.integer({ min: 1, max: 60 }),
    ignoresLimit: fc.boolean(),
    total: fc.constantFrom(...Object.values(totals)),
    limited: fc.constantFrom(...Object.values(limits)),
  });
  const seed = Number(process.env.ORGCHAT_TEST_SEED ?? 1);
  await fc.assert(
    fc.asyncProperty(server, fc.option(fc.integer({ min: 1, max: 50 })), async (of, limit) => {
      const size = Math.min(of.pageSize, of.ignoresLimit ? 60 : (limit ?? 50));
      // A total that is too small and reached by the end of a page cannot be told from one that is right.
      fc.pre(of.total !== totals['too small'] || (of.count - 7) % size !== 0);
      const { fetch, queries } = listFetch(of);
      const list = createClient({ ...shared, fetch }).tags.list({ limit: limit ?? undefined });
      expect(await collectIds(list)).toEqual(expectedIds(of.count));
      expect(queries.length).toBeLessThanOrEqual(Math.ceil(of.count / size) + 3 + extraReads(of));
    }),
    { seed, numRuns: 300 },
  );
});

test('a list that is read in parts, each from the nextOffset before, has every record once', async () => {
  const server = fc.record({
    count: fc.integer({ min: 0, max: 160 }),
    pageSize: fc.integer({ min: 1, max: 60 }),
    ignoresLimit: fc.boolean(),
    total: fc.constantFrom(
      ...['right', 'absent', 'null', 'text'].map((name) => totals[name] as ListServer['total']),
    ),
    limited: fc.constantFrom(...Object.values(limits)),
  });
  const seed = Number(process.env.ORGCHAT_TEST_SEED ?? 1);
  await fc.assert(
    fc.asyncProperty(server, fc.integer({ min: 1, max: 120 }), async (of, maxItems) => {
      const client = createClient({ ...shared, fetch: listFetch(of).fetch });
      const ids: string[] = [];
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        let next: number | undefined;
        const part: string[] = [];
        for await (const page of client.tags.list({ offset, maxItems }).pages()) {
          part.push(...page.records.map(({ id }) => id));
          next = page.nextOffset;
        }
        expect(part.length).toBeLessThanOrEqual(maxItems);
        ids.push(...part);
        offset = next;
      }
      expect(ids).toEqual(expectedIds(of.count));
    }),
    { seed, numRuns: 200 },
  );
});

describe('a server that ignores offset', () => {
  const server = { pageSize: 50, ignoresOffset: true, total: () => undefined, limited: () => undefined };

  test('and has no more than a page ends', async () => {
    for (const total of [server.total, ({ count }: { count: number }) => count]) {
      const { fetch, queries } = listFetch({ ...server, count: 20, total });
      expect(await collectIds(createClient({ ...shared, fetch }).tags.list())).toEqual(expectedIds(20));
      expect(queries.length).toBeLessThanOrEqual(3);
    }
  });

  test('and has more is an error after three pages without a new record', async () => {
    for (const [count, limited] of [
      [120, () => undefined],
      [20, () => true],
    ] as const) {
      const { fetch, queries } = listFetch({ ...server, count, limited });
      const seen: string[] = [];
      const reading = (async () => {
        for await (const { id } of createClient({ ...shared, fetch }).tags.list()) seen.push(id);
      })();
      const error = await getRejection(reading);
      expect(error).toBeInstanceOf(ServerError);
      expect(error).toMatchObject({
        code: 'UNEXPECTED_SHAPE',
        status: 200,
        requestId: 'req-list',
        attempts: 1,
        message: expect.stringMatching(/^3 pages in a row/),
      });
      expect(seen).toEqual(expectedIds(Math.min(count, 50)));
      expect(queries).toHaveLength(4);
    }
  });
});

test('a list of a server with another page size is read completely over HTTP', async () => {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const list = { count: 23, pageSize: 10, ignoresLimit: true, total: () => null, limited: () => false };
    response.end(JSON.stringify(answerRead(list, JSON.parse(text))));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = createClient({ ...shared, baseUrl: `http://127.0.0.1:${port}/api/v1` });
  expect(await collectIds(client.tags.list())).toEqual(expectedIds(23));
  server.close();
  server.closeAllConnections();
});

describe('a Studio list', () => {
  const page = (next: unknown, ...ids: string[]) =>
    json({
      projects: ids.map((id) => ({
        ...{ id, name: id, description: '', archived: false, updatedAt: '2026-05-01T00:00:00.000Z' },
      })),
      total: 0,
      next,
    });

  test.each([
    ['the same records', page('loop', 'a')],
    ['no records', page('loop')],
  ])('whose cursor leads back to itself, with %s, is an error', async (_what, step) => {
    const { client, sent } = scripted([step, step, step, step, page(null)]);
    const error = await getRejection(collectIds(client.studio.projects()));
    expect(error).toMatchObject({ code: 'UNEXPECTED_SHAPE', status: 200, attempts: 1 });
    expect(error.message).toContain('(POST /studio/read projects: UNEXPECTED_SHAPE)');
    expect(sent).toHaveLength(2);
  });

  test.each([
    ['records', [page('2', 'a'), page('3', 'b'), page('1', 'c')]],
    ['empty pages', [page('2'), page('3'), page('1')]],
  ])('whose cursors form a cycle of %s is an error', async (_what, circle) => {
    const { client, sent } = scripted([...circle, ...circle, page(null)]);
    expect(await getRejection(collectIds(client.studio.projects()))).toMatchObject({
      code: 'UNEXPECTED_SHAPE',
      reason: 'no-new-records',
    });
    expect(sent).toHaveLength(4);
  });

  test('whose cursor leads back to the one of the caller is an error, once nothing else is left', async () => {
    const { client, sent } = scripted([page('2', 'a')]);
    const projects = client.studio.projects({ cursor: '2' });
    expect((await projects).projects).toHaveLength(1);
    expect(await projects.first()).toMatchObject({ id: 'a' });
    expect(await getRejection(collectIds(projects))).toMatchObject({ code: 'UNEXPECTED_SHAPE' });
    expect(sent).toHaveLength(3);
  });

  test('continues after empty pages that have new cursors', async () => {
    const empty = ['3', '4', '5', '6', '7'].map((next) => page(next));
    const { client } = scripted([page('2', 'a'), ...empty, page(null, 'b')]);
    expect(await collectIds(client.studio.projects())).toEqual(['a', 'b']);
  });
});

describe('an answer of another shape', () => {
  const facts = { code: 'UNEXPECTED_SHAPE', status: 200, attempts: 1, requestId: 'req-200' };

  test.each<[string, unknown, RegExp]>([
    [
      'a record that is null',
      { records: [...numbered(1), null] },
      /Row 1 of the list of (tags|accounts) must be an object; got null/,
    ],
    // Not its words: they are content, and may be anything.
    [
      'a record that is text',
      { records: ['a'] },
      /Row 0 of the list of (tags|accounts) must be an object; got a string\. \(POST/,
    ],
    [
      'a record that is a list',
      { records: [['a']] },
      /Row 0 of the list of (tags|accounts) must be an object; got a list\. \(POST/,
    ],
    ['no records', {}, /has no list at \/records\. It has no fields\. .* shapes\.list\.records/],
  ])('with %s says so, awaited and iterated', async (_name, body, message) => {
    const { client } = scripted([json(body)]);
    for (const call of [client.tags.list(), collectIds(client.tags.list()), client.accounts.list()]) {
      const error = await getRejection(call);
      expect(error).toBeInstanceOf(ServerError);
      expect(error).toMatchObject({ ...facts, message: expect.stringMatching(message) });
    }
  });

  test('without the record says so', async () => {
    const { client } = scripted([json({ record: null })]);
    const error = await getRejection(client.tags.get('x'));
    expect(error).toMatchObject({
      ...facts,
      message: expect.stringContaining('(POST /chat/read tags: UNEXPECTED_SHAPE)'),
    });
  });

  test('in a Studio list says so', async () => {
    const { client } = scripted([json({ projects: [null], next: null })]);
    expect(await getRejection(collectIds(client.studio.projects()))).toMatchObject(facts);
  });
});

test('a signal that is aborted inside the loop ends it before the next record', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const { client, sent } = scripted([json({ records: numbered(50), total: 120, limited: true })]);
  const seen: string[] = [];
  const reading = (async () => {
    for await (const { id } of client.tags.list({ signal: controller.signal })) {
      if (seen.push(id) === 25) controller.abort(reason);
    }
  })();
  expect(await getRejection(reading)).toMatchObject({ name: 'AbortError', code: 'ABORTED', cause: reason });
  expect(seen).toHaveLength(25);
  expect(sent).toHaveLength(1);
});
