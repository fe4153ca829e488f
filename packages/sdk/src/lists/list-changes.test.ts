import { describe, expect, test } from 'vitest';
import { account } from '../../test-support/servers/scripted.ts';
import { createClient, type OrgChatClient, type Tag } from '../index.ts';
import { getChatApi, recordsSince } from '../internal.ts';

/* Lists that change between two pages. */

const guard = (n: number) => ({
  revision: 'a'.repeat(64),
  createdAt: new Date(1e12 - n * 1000).toISOString(),
});
const toTag = (name: string, n: number) => ({
  ...{ id: crypto.randomUUID(), label: name, name, color: 'pink', updatedAt: guard(n).createdAt },
  ...guard(n),
});
const vip = { name: 'VIP', color: 'pink' } as const;
type Stored = ReturnType<typeof toTag>;
type Facts = (offset: number, records: readonly Stored[]) => object;

/** What a server says about a list, besides its records. */
const facts: Readonly<Record<string, Facts>> = {
  nothing: () => ({}),
  limited: (offset, records) => ({ limited: offset + 50 < records.length }),
  total: (_offset, records) => ({ total: records.length }),
  'a total of each page': (offset, records) => ({ total: records.slice(offset, offset + 50).length }),
};

/** A server with tags, the newest first. `change` is made once, after its first page was read. */
function createServer(count: number, describeList: Facts, change: (tags: Stored[]) => void) {
  const tags = Array.from({ length: count }, (_, n) => toTag(n === 50 ? vip.name : `Tag ${n}`, n));
  const offsets: number[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    if (request.method === 'GET') return Response.json(account);
    const { offset = 0, id, change: sent } = JSON.parse(await request.text());
    if (sent) {
      const result = toTag(sent.data.name, -tags.length);
      tags.unshift(result);
      return Response.json({ ok: true, applied: true, replayed: false, auditRecorded: true, result });
    }
    if (id) return Response.json({ records: tags.filter((tag) => tag.id === id) });
    const answer = Response.json({ records: tags.slice(offset, offset + 50), ...describeList(offset, tags) });
    if (offsets.push(offset) === 1) change(tags);
    return answer;
  };
  const client = createClient({ apiKey: 'k', baseUrl: 'https://api.example.com', pacing: false, fetch });
  return { client, offsets, count: () => tags.filter(({ name }) => name === vip.name).length };
}

/** What looks for a tag, and what it says if there is one. */
const searches: Readonly<Record<string, readonly [(client: OrgChatClient) => Promise<unknown>, object]>> = {
  'find()': [(client) => client.tags.find({ name: vip.name }), vip],
  'upsert()': [(client) => client.tags.upsert(vip, { by: 'name' }), { outcome: 'unchanged' }],
  'sync()': [(client) => client.tags.sync([vip], { by: 'name' }), { created: 0, unchanged: 1 }],
  'a search for a label': [
    async (client) => recordsSince(getChatApi(client), 'tags', () => false, {}, { label: vip.name }),
    [vip],
  ],
  'a search for all': [
    async (client): Promise<Tag[]> => {
      const all = await recordsSince(getChatApi(client), 'tags', () => false, {}, { requiresAll: true });
      return all.filter(({ name }) => name === vip.name);
    },
    [vip],
  ],
};

describe.each(Object.entries(searches))('%s', (_name, [search, says]) => {
  describe.each(Object.entries(facts))('of a list that says %s', (_what, describeList) => {
    test.each([51, 60, 101])('finds the 51st of %i records if one before it is deleted', async (count) => {
      const server = createServer(count, describeList, (tags) => tags.splice(3, 1));
      expect(await search(server.client)).toMatchObject(says);
      expect(server.count()).toBe(1);
    });
  });
});

test('a record that someone else creates while the list is read is found, also if one is deleted', async () => {
  const server = createServer(60, facts.total as Facts, (tags) => {
    tags.splice(50, 1);
    tags.unshift(toTag(vip.name, -1));
  });
  expect(await server.client.tags.upsert(vip, { by: 'name' })).toMatchObject({ outcome: 'unchanged' });
  expect(server.count()).toBe(1);
});

describe('to find out that a record does not exist', () => {
  const other = (client: OrgChatClient) => client.tags.find({ name: 'Nobody' });
  const unchanged = (): void => undefined;

  test.each([
    // One page shows one moment.
    [49, 'total', [0, 49]],
    [50, 'total', [0, 50]],
    // The first page says that nothing is newer.
    [60, 'total', [0, 50, 0]],
    [60, 'nothing', [0, 50, 60, 0, 50, 60]],
    [3, 'nothing', [0, 3, 0, 3]],
  ] as const)('in a list of %i that says %s, these pages are read: %j', async (count, what, offsets) => {
    const server = createServer(count, facts[what] as Facts, unchanged);
    expect(await other(server.client)).toBeUndefined();
    expect(server.offsets).toEqual(offsets);
  });

  test('a list that changes all the time is read three times', async () => {
    const addOne: Facts = (_offset, tags) => {
      (tags as Stored[]).unshift(toTag('New', -tags.length));
      return {};
    };
    const server = createServer(60, addOne, unchanged);
    expect(await other(server.client)).toBeUndefined();
    // Between them, the first page shows a new record.
    expect(server.offsets.filter((offset) => offset === 0)).toHaveLength(5);
  });
});
