import type { ServerDescription } from '@orgchat/spec';
import { describe, expect, it } from 'vitest';
import { createMock, MockOptionsError } from '../../src/index.ts';
import { Caller, createGuard } from '../../test-support/caller.ts';
import { data, vip } from '../../test-support/data.ts';

type Shapes = NonNullable<ServerDescription['shapes']>;

const callerOf = (shapes: Shapes): Caller => new Caller(createMock({ server: { server: 1, shapes } }));
const plain = new Caller(createMock());

describe('a mock of a server that frames records in another way', () => {
  it('writes the list, the record and its fields where the description says', async () => {
    const caller = callerOf({
      list: { records: '/data/rows', total: '/meta/count', limited: null },
      one: '/item',
      record: {
        revision: '/meta/version',
        label: '/meta/title',
        data: '/attributes',
        rename: { createdAt: '/created_at', color: '/paint' },
      },
    });
    const { record } = (await plain.read({ resource: 'tags', id: vip })).body;
    const { id, revision, label, name, color, createdAt, updatedAt } = record as Record<string, unknown>;
    const written = {
      id,
      meta: { version: revision, title: label },
      attributes: { name },
      paint: color,
      created_at: createdAt,
      updatedAt,
    };
    expect((await caller.read({ resource: 'tags', id: vip })).body).toEqual({ item: written });
    const list = (await caller.read({ resource: 'tags' })).body as unknown as {
      data: { rows: object[] };
      meta: object;
    };
    expect(list.meta).toEqual({ count: list.data.rows.length });
    expect(list.data.rows).toContainEqual(written);
    expect(Object.keys(list)).toEqual(['data', 'meta']);
  });

  it.each<[string, Shapes, readonly string[]]>([
    ['without guards', { row: { guards: false } }, ['color', 'createdAt', 'id', 'name', 'updatedAt']],
    ['that are summaries', { row: { data: false } }, ['id', 'label', 'revision']],
    ['that are summaries without guards', { row: { data: false, guards: false } }, ['id', 'label']],
    [
      'of which the label is the name',
      { record: { label: '/name' } },
      ['color', 'createdAt', 'id', 'name', 'revision', 'updatedAt'],
    ],
  ])('writes rows %s, and whole records when they are read by their id', async (_, shapes, fields) => {
    const caller = callerOf(shapes);
    const [row] = (await caller.read({ resource: 'tags', limit: 1 })).body.records;
    expect(Object.keys(row ?? {}).sort()).toEqual(fields);
    const { record } = (await caller.read({ resource: 'tags', id: row?.id })).body;
    expect(record).toMatchObject({ color: expect.any(String), revision: expect.any(String) });
  });

  it('writes what is different for one resource, and leaves what has no data as it is', async () => {
    const caller = callerOf({
      record: { data: '/data' },
      resources: { links: { one: '/link', record: { data: '' } }, accounts: { list: { records: '/all' } } },
    });
    const { result } = (await caller.apply({ action: 'create-links', data: data.links })).body;
    expect(result).toMatchObject({ name: data.links.name });
    const link = (await caller.read({ resource: 'links', id: result.id })).body as unknown as object;
    expect(link).toEqual({ link: result });
    const accounts = (await caller.read({ resource: 'accounts' })).body as unknown as { all: object[] };
    expect(Object.keys(accounts.all[0] ?? {})).toEqual(['id', 'name', 'createdAt']);
  });

  it('writes a list from the oldest record on, or in no order of time, page by page', async () => {
    const ids = async (shapes: Shapes): Promise<string[]> => {
      const caller = callerOf(shapes);
      const pages: string[] = [];
      for (let offset = 0; ; offset += 2) {
        const { records, total, limited } = (await caller.read({ resource: 'tags', offset, limit: 2 })).body;
        pages.push(...records.map(({ id }) => id));
        expect(limited).toBe(pages.length < total);
        if (!limited) return pages;
      }
    };
    const newest = await ids({});
    expect(await ids({ list: { order: 'oldest' } })).toEqual(newest.toReversed());
    const other = await ids({ list: { order: 'unknown' } });
    expect(other.toSorted()).toEqual(newest.toSorted());
    expect([newest, newest.toReversed()]).not.toContainEqual(other);
    const only = callerOf({ resources: { tags: { list: { order: 'oldest' } } } });
    expect((await only.read({ resource: 'tags' })).body.records.map(({ id }) => id)).toEqual(
      newest.toReversed(),
    );
  });

  it('answers a change with what the description says of results, also to a replay', async () => {
    const caller = callerOf({
      record: { revision: '/version' },
      result: { create: ['id', 'revision'], update: '/after', delete: null },
    });
    const id = crypto.randomUUID();
    const change = { action: 'create-tags', data: data.tags };
    const created = (await caller.change(id, change)).body;
    expect(created.result).toEqual({ id: expect.any(String), revision: expect.any(String) });
    expect((await caller.change(id, change)).body).toEqual({ ...created, replayed: true });
    const guard = createGuard({ ...created.result, label: 'Spring' });
    const updated = await caller.apply({
      action: 'update-tags',
      id: created.result.id,
      ...guard,
      data: { ...data.tags, color: 'pink' },
    });
    const { after } = updated.body.result as unknown as { after: { version: string } };
    expect(after).toMatchObject({ id: created.result.id, color: 'pink' });
    const deleted = await caller.apply({
      action: 'delete-configuration',
      resource: 'tags',
      id: created.result.id,
      expectedRevision: after.version,
      expectedLabel: 'Spring',
    });
    expect(deleted.body).toEqual({ ok: true, applied: true, replayed: false, auditRecorded: true });
  });

  it('keeps what it answered in the request log', async () => {
    const mock = createMock({ server: { server: 1, shapes: { one: '/item', result: { create: null } } } });
    const caller = new Caller(mock);
    const { body } = await caller.read({ resource: 'tags', id: vip });
    await caller.apply({ action: 'create-tags', data: data.tags });
    const [read, created] = mock.requests.list();
    expect(mock.requests.get(Number(read?.id)).response?.body).toEqual(body);
    expect(mock.requests.get(Number(created?.id)).response?.body).not.toHaveProperty('result');
  });

  it.each<[string, Shapes, string]>([
    ['two fields', { record: { revision: '/name' } }, 'revision and name of a tag'],
    ['a field in another', { record: { revision: '/name/at' } }, 'revision and name of a tag'],
    ['the data in the id', { record: { data: '/id' } }, '/id'],
    ['two names of one field', { record: { rename: { createdAt: '/updatedAt' } } }, 'createdAt'],
    ['total in the list', { list: { total: '/records/0' } }, 'records and total of a list'],
    ['only for one resource', { resources: { routes: { record: { label: '/accountId' } } } }, 'a route'],
  ])('is refused if the description has at one place %s', (_, shapes, named) => {
    const make = (): unknown => createMock({ server: { server: 1, shapes } });
    expect(make).toThrow(MockOptionsError);
    expect(make).toThrow(named);
  });
});
