import { describe, expect, test } from 'vitest';
import { getRejection } from '../../test-support/rejection.ts';
import { account, json, lost, record, type Step, scripted } from '../../test-support/servers/scripted.ts';
import { type ServerDescription, ServerError, StaleRevisionError } from '../index.ts';

const { name, color, ...outer } = record;
const { revision, label, ...unguarded } = record;
const envelope = { ok: true, applied: true, replayed: false, auditRecorded: true };
const list = (...records: object[]): Step => json({ records, total: records.length, limited: false });
const describedBy = (shapes: ServerDescription['shapes'], ...steps: Step[]) =>
  scripted(steps, { server: { server: 1, shapes }, retry: false });
const resourcesOf = (sent: readonly { readonly body: string }[]) =>
  sent.map(({ body }) => JSON.parse(body).change?.action ?? JSON.parse(body).resource);

describe('a server that is described', () => {
  test.each<[string, ServerDescription['shapes'], object]>([
    ['the record at another place', { one: '/records/0' }, { records: [record] }],
    ['the record as the whole answer', { one: '' }, record],
    [
      'data in an object of its own',
      { record: { data: '/data' } },
      { record: { ...outer, data: { name, color } } },
    ],
    [
      'guards under other names',
      { record: { revision: '/meta/version', label: '/title' } },
      { record: { ...unguarded, meta: { version: revision }, title: label } },
    ],
    [
      'a field under another name',
      { record: { rename: { color: '/look~1feel/hue' } } },
      { record: { ...outer, name, 'look/feel': { hue: color } } },
    ],
    [
      'what differs for this resource alone',
      { one: '/item', resources: { tags: { one: '/tag' } } },
      { tag: record, item: { id: 'x' } },
    ],
  ])('has %s', async (_what, shapes, answer) => {
    expect(await describedBy(shapes, json(answer)).client.tags.get(record.id)).toMatchObject(record);
  });

  test('has lists at another place, which say nothing of their length', async () => {
    const shapes = { list: { records: '/data/rows', total: null, limited: null } } as const;
    const pages = [
      json({ data: { rows: [record] }, total: 99, limited: true }),
      json({ data: { rows: [] } }),
    ];
    expect(
      await describedBy(shapes, ...pages)
        .client.tags.list()
        .toArray(),
    ).toMatchObject([record]);
    expect(await describedBy(shapes, ...pages).client.tags.find({ name: 'VIP' })).toMatchObject(record);
  });

  test('has pages of a size that is never exceeded', async () => {
    const { client, sent } = scripted([list()], { server: { server: 1, limits: { pageSize: 20 } } });
    await client.tags.list({ limit: 50 });
    await client.tags.list().toArray();
    expect(sent.map(({ body }) => JSON.parse(body).limit)).toEqual([20, 20]);
  });

  test('keeps the answer as it was sent in body', async () => {
    const answer = { records: [record] };
    const { body } = await describedBy({ one: '/records/0' }, json(answer))
      .client.tags.get(record.id)
      .withResponse();
    expect(body).toEqual(answer);
  });
});

describe('a result that is not the record', () => {
  const read = json({ record });
  test.each<[string, ServerDescription['shapes'], object, unknown, string[]]>([
    ['its id alone', {}, { id: record.id }, record, ['create-tags', 'tags']],
    ['all but its guards', {}, unguarded, record, ['create-tags', 'tags']],
    ['at another place', { result: { create: '/tag' } }, { tag: record }, record, ['create-tags']],
    [
      'described as a part',
      { result: { create: ['id'] } },
      { id: record.id },
      record,
      ['create-tags', 'tags'],
    ],
  ])('but %s', async (_what, shapes, result, expected, requests) => {
    const { client, sent } = describedBy(shapes, json({ ...envelope, result }), read);
    expect((await client.tags.create({ name: 'VIP', color: 'pink' })).result).toEqual(expected);
    expect(resourcesOf(sent)).toEqual(requests);
  });

  test('because there is none is read by the id of the update', async () => {
    const { client, sent } = describedBy({ result: { update: null } }, json(envelope), read);
    expect((await client.tags.update(record, { name: 'VIP', color: 'pink' })).result).toEqual(record);
    expect(resourcesOf(sent)).toEqual(['update-tags', 'tags']);
  });

  test('and cannot be read leaves the change applied', async () => {
    const steps = [json({ ...envelope, result: { id: record.id } }), json({ error: 'X', message: '' }, 500)];
    const outcome = await describedBy({}, ...steps).client.tags.create({ name: 'VIP', color: 'pink' });
    expect(outcome).toMatchObject({ applied: true, result: undefined });
  });
});

describe('a row that is a summary', () => {
  const summary = { id: record.id, name };
  test('is read by id before it is used, if its name fits', async () => {
    const other = { id: 'other', name: 'Other' };
    const { client, sent } = scripted([list(other, summary), json({ record })], { retry: false });
    expect(await client.tags.upsert({ name: 'VIP', color: 'pink' }, { by: 'name' })).toEqual({
      outcome: 'unchanged',
      record,
    });
    expect(sent.map(({ body }) => JSON.parse(body).id)).toEqual([undefined, record.id]);
  });

  test('is read if it does not show its name, whatever it calls its label', async () => {
    const { client } = scripted([list({ id: record.id, label: 'Something else' }), json({ record })]);
    expect(await client.tags.find({ name: 'VIP' })).toEqual(record);
  });

  test('without guards can be changed as it was listed', async () => {
    const applied = json({ ...envelope, result: record });
    const { client, sent } = scripted([list(unguarded), json({ record }), applied]);
    const [row] = (await client.tags.list()).records;
    await client.tags.update(row, { name: 'VIP', color: 'blue' });
    expect(JSON.parse(sent[2]?.body ?? '').change).toMatchObject({
      expectedRevision: revision,
      expectedLabel: label,
    });
  });

  test('without guards that changed since it was listed is stale before a change is sent', async () => {
    const { client, sent } = scripted([list(unguarded), json({ record: { ...record, color: 'green' } })]);
    const [row] = (await client.tags.list()).records;
    expect(await getRejection(client.tags.delete(row))).toBeInstanceOf(StaleRevisionError);
    expect(resourcesOf(sent)).toEqual(['tags', 'tags']);
  });

  test.each([
    ['an update', 'update-tags', { result: record }],
    ['a deletion', 'delete-configuration', { result: { id: record.id, deleted: true } }],
  ])(
    'whose %s was applied while its answer was lost is a replay under its intent',
    async (_what, action, result) => {
      const answers = [
        list(unguarded),
        json({ record }),
        lost,
        json({ ...envelope, ...result, replayed: true }),
      ];
      const { client, sent } = scripted(answers, { retry: false });
      const [row] = (await client.tags.list()).records;
      const options = { intent: ['order', 7] };
      const change = () =>
        action === 'update-tags'
          ? client.tags.update(row, { name: 'VIP', color: 'blue' }, options)
          : client.tags.delete(row, options);
      expect(await getRejection(change())).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
      expect(await change()).toMatchObject({ applied: true, replayed: true });
      expect(resourcesOf(sent)).toEqual(['tags', 'tags', action, action]);
      expect(sent[3]?.body).toBe(sent[2]?.body);
    },
  );

  test('is refused by a list, unless it is described', async () => {
    expect(await getRejection(scripted([list(summary)]).client.tags.list())).toMatchObject({
      code: 'UNEXPECTED_SHAPE',
      reason: 'shapes.row.data',
    });
    const { client } = describedBy({ row: { data: false } }, list(summary));
    expect((await client.tags.list()).records).toEqual([summary]);
  });
});

describe('an answer that does not fit says what is missing and what would describe it', () => {
  const nested = { ...outer, data: { name, color } };
  const edit = (tag: object) => ({ ...(tag as { name: string }), color: 'blue' as const });
  test.each<[string, ServerDescription['shapes'], Step, string, RegExp]>([
    ['nested data', {}, json({ record: nested }), 'shapes.record.data', /field name is missing.*"\/data"/],
    ['the record elsewhere', {}, json({ item: record }), 'shapes.one', /no record at "\/record".*"\/item"/],
    [
      'a renamed field',
      {},
      json({ record: { ...outer, name } }),
      'shapes.record.rename.color',
      /field color/,
    ],
    [
      'renamed guards',
      {},
      json({ record: unguarded }),
      'shapes.record.revision',
      /field revision is missing/,
    ],
    [
      'another type',
      {},
      json({ record: { ...record, color: 7 } }),
      'shapes.record.rename.color',
      /got a number/,
    ],
    [
      'a pointer that leads to nothing',
      { record: { data: '/attributes' } },
      json({ record: nested }),
      'shapes.record.data',
      /points to "\/attributes" \(shapes\.record\.data\), where the record has nothing/,
    ],
    [
      'data that is elsewhere than the description says',
      { record: { data: '/meta' } },
      json({ record: { ...nested, meta: { etag: 'x' } } }),
      'shapes.record.data',
      /points to "\/meta" \(shapes\.record\.data\)/,
    ],
    [
      'a field that is elsewhere than the description says',
      { record: { rename: { color: '/paint' } } },
      json({ record }),
      'shapes.record.rename.color',
      /points to "\/paint" \(shapes\.record\.rename\.color\)/,
    ],
    [
      'the whole answer in place of the record',
      { one: '' },
      json({ record }),
      'shapes.one',
      /the fields record\. .*points to "" \(shapes\.one\)/,
    ],
    [
      'another part of the answer in place of the record',
      { one: '/meta' },
      json({ record, meta: { page: 1 } }),
      'shapes.one',
      /points to "\/meta" \(shapes\.one\)/,
    ],
    [
      'a record at the place that the description says, with another name for its id',
      { one: '/item' },
      json({ item: { uid: record.id, title: name } }),
      'shapes.record.rename.id',
      /field id is missing.*the fields uid, title.*with shapes\.record\.rename\.id in/,
    ],
  ])('%s', async (_what, shapes, answer, key, message) => {
    const { client, sent } = describedBy(shapes, answer);
    for (const call of [client.tags.get(record.id), client.tags.edit(record.id, edit as never)]) {
      const error = await getRejection(call);
      expect(error).toBeInstanceOf(ServerError);
      expect(error).toMatchObject({ code: 'UNEXPECTED_SHAPE', reason: key, status: 200 });
      expect(error.message).toMatch(message);
    }
    expect(sent.every(({ url }) => url.endsWith('/chat/read'))).toBe(true);
  });
});

test('rows that the description looks for in another list name what it says', async () => {
  const answer = json({ records: [record], total: 1, limited: false, included: [{ type: 'page' }] });
  const { client } = describedBy({ list: { records: '/included' } }, answer);
  const error = await getRejection(client.tags.list());
  expect(error).toMatchObject({ code: 'UNEXPECTED_SHAPE', reason: 'shapes.list.records' });
  expect(error.message).toMatch(/points to "\/included" \(shapes\.list\.records\)/);
});

test('rows at the place that the description says, with other names, are not looked for elsewhere', async () => {
  const { client } = describedBy(
    { list: { records: '/items' } },
    json({ items: [{ uid: record.id, title: name }], records: [] }),
  );
  const error = await getRejection(client.tags.list());
  expect(error).toMatchObject({ code: 'UNEXPECTED_SHAPE', reason: 'shapes.record.rename.id' });
  expect(error.message).not.toContain('shapes.list.records');
});

test('rows without the data that the description says name the key of summaries, which is the reason', async () => {
  const { client } = describedBy({ record: { data: '/data' } }, list(outer));
  const error = await getRejection(client.tags.list());
  expect(error).toMatchObject({ code: 'UNEXPECTED_SHAPE', reason: 'shapes.row.data' });
  expect(error.message).toMatch(/points to "\/data" \(shapes\.record\.data\).*with shapes\.row\.data in/);
});

test('null and absence mean the same where the contract allows one of them', async () => {
  const route = { id: 'r', revision: 'v', label: 'Counter', accountId: 'a', name: 'Counter' };
  const { client } = scripted([json({ record: { ...route, tagId: null } })]);
  expect(await client.routes.get('r')).toMatchObject({ tagId: null, scenarioId: null });
  const reply = {
    ...{ id: 'i', revision: 'v', label: 'hours', accountId: null, keyword: 'hours', matchType: 'exact' },
    ...{ responseText: 'Nine to five', active: true, content: null },
  };
  expect(await scripted([json({ record: reply })]).client.autoReplies.get('i')).not.toHaveProperty('content');
});

test.each(['organizationId', 'plan', 'key.scope', 'credits.resetsAt', 'api.perMinute'])(
  'an account without %s is refused, because the contract promises it',
  async (path) => {
    const [first = '', second] = path.split('.');
    const copy: Record<string, unknown> = structuredClone(account);
    if (second === undefined) delete copy[first];
    else delete (copy[first] as Record<string, unknown>)[second];
    const error = await getRejection(scripted([json(copy)]).client.account());
    expect(error).toMatchObject({ code: 'UNEXPECTED_SHAPE', message: expect.stringContaining(path) });
  },
);

test('names of fields that may be content are not in a message, however many there are', async () => {
  const people = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`person${n}@example.com`, 1]));
  const error = await getRejection(scripted([json(people)]).client.tags.list());
  expect(error.message).not.toContain('@');
  expect(error.message).toContain('and 4990 more');
  expect(error.message.length).toBeLessThan(600);
});

test('described data are read below their pointer alone, and neither identity nor guards from there', async () => {
  const elsewhere = describedBy({ record: { data: '/data' } }, json({ record }));
  expect(await getRejection(elsewhere.client.tags.get('x'))).toMatchObject({ code: 'UNEXPECTED_SHAPE' });
  const data = { name: 'VIP', color: 'pink', id: 'inner', revision: 'inner', label: 'inner' };
  const { client } = describedBy(
    { record: { data: '/data' } },
    json({ record: { ...outer, name: 'Outer', data } }),
  );
  expect(await client.tags.get(record.id)).toMatchObject({ ...outer, name: 'VIP' });
});

test.each([undefined, 2, ['x']])('a list of Studio whose next is %j is refused', async (next) => {
  const projects = [
    { id: 'p', name: 'P', description: '', archived: false, updatedAt: '2026-05-01T00:00:00Z' },
  ];
  const { client } = scripted([json({ projects, total: 1, next })]);
  expect(await getRejection(client.studio.projects().toArray())).toMatchObject({ code: 'UNEXPECTED_SHAPE' });
});

test('an answer without real headers does not hide what happened to a write', async () => {
  const fetch = async () =>
    ({ ok: false, status: 500, headers: { get: () => null }, text: async () => '{}' }) as unknown as Response;
  const { client } = scripted([], { fetch, retry: false });
  const error = await getRejection(client.tags.create({ name: 'VIP', color: 'pink' }));
  expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', outcome: 'unknown' });
});
