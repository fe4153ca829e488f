import type { Mock } from '@orgchat/mock-server';
import { beforeEach, describe, expect, test } from 'vitest';
import { mocked } from '../../test-support/mocked.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { failure, json, record, replayedAs, scripted } from '../../test-support/servers/scripted.ts';
import { getChatApi } from '../client.ts';
import {
  type ClientOptions,
  createClient,
  type OrgChatClient,
  requireResult,
  UncertainOperationError,
} from '../index.ts';
import {
  type CreateOnceInput,
  type CreateOnceOptions,
  createOnce as createOnceWith,
  createOperationId,
  recordsSince as recordsSinceWith,
} from './create-once.ts';

const createOnce = (of: OrgChatClient, given: CreateOnceInput, once?: CreateOnceOptions) =>
  createOnceWith(getChatApi(of), given, once);
const recordsSince = (of: OrgChatClient, resource: 'tags', isKnown: (id: string) => boolean) =>
  recordsSinceWith(getChatApi(of), resource, isKnown);

let mock: Mock;
let client: OrgChatClient;
let options: ClientOptions;
let organizationId: string;

beforeEach(async () => {
  ({ mock, client, options } = mocked());
  ({ organizationId } = await client.account());
});

const data = { name: 'Fresh', color: 'pink' } as const;
const replayed = replayedAs(data.name);
const input = (given: { name: string; color: 'pink' | 'blue' } = data) =>
  ({ organizationId, resource: 'tags', label: given.name, data: given }) as const;
/** A client on another machine: it shares nothing with the others. */
const elsewhere = () => createClient(options);
const createElsewhere = (given?: CreateOnceOptions) => createOnce(elsewhere(), input(), given);

async function tagsNamed(name: string) {
  const found = [];
  for await (const tag of client.tags.list()) if (tag.name === name) found.push(tag);
  return found;
}

async function theTag() {
  const [tag, ...others] = await tagsNamed(data.name);
  if (tag === undefined || others.length > 0) throw new Error(`${others.length + 1} tags, not one`);
  return tag;
}

describe('equal input creates one record', () => {
  test('one after the other', async () => {
    expect(await createElsewhere()).toMatchObject({ status: 'created', counter: 0 });
    expect(await createElsewhere()).toMatchObject({ status: 'existing', counter: 0 });
    expect(await tagsNamed('Fresh')).toHaveLength(1);
  });

  test('at the same time', async () => {
    const results = await Promise.all(Array.from({ length: 8 }, () => createElsewhere()));
    expect(results.filter(({ status }) => status === 'created')).toHaveLength(1);
    expect(results.filter(({ status }) => status === 'existing')).toHaveLength(7);
    expect(await tagsNamed('Fresh')).toHaveLength(1);
  });

  test('with one journal, whose entry is found again', async () => {
    await createOnce(client, input());
    expect(await createOnce(client, input())).toMatchObject({ status: 'existing' });
    expect(await client.operations.list()).toHaveLength(1);
  });

  test('although the record was changed since, if it still has its label', async () => {
    await createElsewhere();
    await client.tags.edit(await theTag(), (tag) => ({ ...tag, color: 'green' }));
    expect(await createElsewhere()).toMatchObject({ status: 'existing', record: { color: 'green' } });
  });

  test('while another program has the operation in progress, if it may wait', async () => {
    const uncertain = failure(409, 'OPERATION_UNCERTAIN');
    const read = json({ record: { ...record, name: 'Fresh', label: 'Fresh' } });
    const { client: other, sent } = scripted([uncertain, uncertain, replayed, read]);
    expect(await createOnce(other, input(), { waitsMs: [1, 2, 3] })).toMatchObject({ status: 'existing' });
    const changes = sent.filter(({ url }) => url.endsWith('/changes'));
    expect(changes).toHaveLength(3);
    expect(new Set(changes.map(({ body }) => body)).size).toBe(1);
  });

  test('or none: an operation that stays uncertain is not resumed repeatedly', async () => {
    const { client: other, sent } = scripted([failure(409, 'OPERATION_UNCERTAIN')]);
    expect(await getRejection(createOnce(other, input()))).toBeInstanceOf(UncertainOperationError);
    expect(sent).toHaveLength(1);
    expect(await getRejection(createOnce(other, input(), { waitsMs: [1] }))).toBeInstanceOf(
      UncertainOperationError,
    );
    expect(sent).toHaveLength(3);
  });
});

describe('the next operation id is used', () => {
  test('after the record was deleted, again and again', async () => {
    for (const counter of [0, 1, 2]) {
      expect(await createElsewhere()).toMatchObject({ status: 'created', counter });
      expect(await createElsewhere()).toMatchObject({ status: 'existing' });
      await client.tags.delete(await theTag());
    }
  });

  test('after the record was renamed', async () => {
    await createElsewhere();
    await client.tags.edit(await theTag(), (tag) => ({ ...tag, name: 'Renamed' }));
    expect(await createElsewhere()).toMatchObject({ status: 'created', counter: 1 });
    expect(await tagsNamed('Renamed')).toHaveLength(1);
  });

  test('by several programs at the same time, for one record', async () => {
    await createElsewhere();
    await client.tags.delete(await theTag());
    const results = await Promise.all(Array.from({ length: 8 }, () => createElsewhere()));
    expect(results.filter(({ status }) => status === 'created')).toHaveLength(1);
    await theTag();
  });

  test('if the record of the first one was there before and is another one', async () => {
    await createElsewhere();
    const known = new Set([(await theTag()).id]);
    const second = await createElsewhere({ isKnown: (id) => known.has(id) });
    expect(second).toMatchObject({ status: 'created', counter: 1 });
    expect(await createElsewhere({ isKnown: (id) => known.has(id) })).toMatchObject({ status: 'existing' });
    expect(await tagsNamed('Fresh')).toHaveLength(2);
  });

  test('if the first one was abandoned', async () => {
    const first = await createOperationId(input(), 0);
    const result = await createElsewhere({ isGivenUp: (id) => id === first });
    expect(result).toMatchObject({ status: 'created', counter: 1 });
  });

  test('only as often as allowed', async () => {
    await createElsewhere();
    await client.tags.delete(await theTag());
    expect(await createElsewhere({ maxCounters: 1 })).toMatchObject({ status: 'spent', counter: 0 });
    expect(await tagsNamed('Fresh')).toEqual([]);
  });
});

describe('another record that has the label of one that is gone', () => {
  beforeEach(async () => {
    await createElsewhere();
    await client.tags.delete(await theTag());
  });

  test('is reported, and no second one is created', async () => {
    await client.tags.create({ ...data, color: 'blue' });
    expect(await createElsewhere()).toMatchObject({ status: 'taken', record: { color: 'blue' } });
    await theTag();
  });

  test('is what was to be created if its data is equal', async () => {
    const result = requireResult(await client.tags.create(data));
    expect(await createElsewhere()).toMatchObject({ status: 'existing', record: { id: result.id } });
    await theTag();
  });
});

test('different data creates two records with the label, which is seen afterwards', async () => {
  const known = new Set<string>();
  for await (const { id } of client.tags.list()) known.add(id);
  await createElsewhere();
  await createOnce(elsewhere(), input({ ...data, color: 'blue' }));
  const newer = await recordsSince(client, 'tags', (id) => known.has(id));
  expect(newer.map(({ label, color }) => [label, color])).toEqual([
    ['Fresh', 'blue'],
    ['Fresh', 'pink'],
  ]);
});

test('records are read up to the first known one, page by page', async () => {
  const before = await client.tags.create({ name: 'Before', color: 'blue' });
  for (let number = 0; number < 60; number++) await client.tags.create({ name: `T${number}`, color: 'blue' });
  mock.requests.clear();
  expect(await recordsSince(client, 'tags', (id) => id === requireResult(before).id)).toHaveLength(60);
  expect(mock.requests.list()).toHaveLength(2);
});

describe('an answer of a list that does not show all', () => {
  const day = (n: number) => ({
    ...{ ...data, id: `tag-${n}`, revision: 'a'.repeat(64), label: 'Tag' },
    createdAt: `2026-05-${10 + n}T00:00:00.000Z`,
  });
  const page = (...records: object[]) => json({ records, total: 120 });

  test('does not end at a known record behind a gap in which a newer one may be', async () => {
    const known = page(day(3), day(2), day(1));
    const { client: reader } = scripted([page(day(9), day(8)), page(), known]);
    const error = await getRejection(recordsSince(reader, 'tags', (id) => id === 'tag-2'));
    expect(error).toMatchObject({ code: 'UNEXPECTED_SHAPE' });
  });

  test('is read on behind a known record that does not show the order', async () => {
    const pages = [day(1), day(2)].map((row) => json({ records: [row], total: 2 }));
    const { client: reader } = scripted(pages);
    const found = await recordsSince(reader, 'tags', (id) => id === 'tag-1');
    expect(found.map(({ id }) => id)).toEqual(['tag-2']);
  });
});

describe('an answer to the question for the record', () => {
  test('that nothing can be read at the moment does not mean that the record is gone', async () => {
    const unavailable = failure(404, 'RUNTIME_UNAVAILABLE');
    const { client: other, sent } = scripted([replayed, unavailable]);
    expect(await getRejection(createOnce(other, input()))).toMatchObject({ code: 'RUNTIME_UNAVAILABLE' });
    expect(sent.filter(({ url }) => url.endsWith('/changes'))).toHaveLength(1);
  });

  test('is not needed for a record that the caller saw', async () => {
    const { client: other, sent } = scripted([replayed]);
    const seen = await createOnce(other, input(), { wasSeen: (id) => id === record.id });
    expect([seen.status, sent.length]).toEqual(['existing', 1]);
  });

  test('is looked for by the label if the answer to the change has no record', async () => {
    const bare = json({ ok: true, applied: true, replayed: true, auditRecorded: true });
    const found = { ...record, label: 'Fresh', name: 'Fresh', color: 'green' };
    const page = json({ records: [found], total: 1, limited: false });
    const { client: other } = scripted([bare, page]);
    expect(await createOnce(other, input())).toMatchObject({ status: 'existing', record: { id: record.id } });
  });
});

describe('the operation id', () => {
  const of = (given: object, counter = 0) =>
    createOperationId({ organizationId: 'org', resource: 'tags', label: 'Fresh', data, ...given }, counter);

  test('is the same in every version and on every machine', async () => {
    expect(await of({})).toBe('754f3cef-c454-5703-88ff-fbc6e250c641');
  });

  test('does not depend on the order of fields, nor on blanks around the label', async () => {
    expect(await of({ label: ' Fresh ', data: { color: 'pink', name: 'Fresh' } })).toBe(await of({}));
  });

  test('depends on everything else', async () => {
    const ids = await Promise.all([
      of({}),
      of({}, 1),
      of({ organizationId: 'other' }),
      of({ resource: 'routes' }),
      of({ label: 'Other' }),
      of({ data: { ...data, color: 'blue' } }),
    ]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('is what the change is sent under', async () => {
    const result = { ...record, name: data.name };
    const created = json({ ok: true, applied: true, replayed: false, auditRecorded: true, result });
    const { client: other, sent } = scripted([created]);
    const once = await createOnce(other, { organizationId: 'org', resource: 'tags', label: 'Fresh', data });
    expect(JSON.parse(sent[0]?.body ?? '').operationId).toBe(await of({}));
    expect(once.operationId).toBe(await of({}));
  });
});
