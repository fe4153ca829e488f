import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOrganization } from '../../../../test/models/server-family/create-organization.ts';
import { assumed, type Choices } from '../../../../test/models/server-family/members/axes.ts';
import { createPresentation } from '../../../../test/models/server-family/members/create-presentation.ts';
import { describeMember } from '../../../../test/models/server-family/members/describe-member.ts';
import { keys, Service } from '../../../../test/models/server-family/server/service.ts';
import { type FamilyServer, startServer } from '../../../../test/models/server-family/server/start-server.ts';
import { Harness } from '../../test-support/harness.ts';

/* What doctor says of servers that frame records in other ways. */

const cli = new Harness({ inProcess: true });
let family: FamilyServer;
let reads: string[] = [];

/** A server that frames records in its own way, and counts what is read. */
class CountedService extends Service {
  override answer(...request: Parameters<Service['answer']>) {
    const [, path, , text] = request;
    if (path === '/chat/read') reads.push(text);
    return super.answer(...request);
  }
}

function become(choices: Partial<Choices>): CountedService {
  const all = { ...assumed, ...choices };
  const service = new CountedService(createOrganization(all), createPresentation(all));
  family.service = service;
  reads = [];
  return service;
}

beforeAll(async () => {
  family = await startServer(new Service(createOrganization(assumed), createPresentation(assumed)));
});
afterAll(async () => {
  family.close();
  await cli.end();
});

interface Row {
  readonly check: string;
  readonly result: string;
  readonly detail: string;
  readonly hint?: string;
}

async function runDoctor(description?: object) {
  const file = join(cli.folder, 'server.json');
  if (description !== undefined) writeFileSync(file, JSON.stringify(description));
  const env = { ORGCHAT_BASE_URL: family.baseUrl, ORGCHAT_API_KEY: keys.write };
  const given = description === undefined ? [] : ['--server', file];
  const { code, json } = await cli.run(['doctor', '--json', '--pacing', 'off', ...given], { env });
  const rows = json.checks as unknown as Row[];
  const records = rows.find(({ check }) => check === 'records');
  return { code, ok: json.ok as unknown as boolean, records };
}

test('where everything is, is said of a server as it is assumed', async () => {
  become({});
  const { code, ok, records } = await runDoctor();
  expect([code, ok]).toEqual([0, true]);
  expect(records).toEqual({
    check: 'records',
    result: 'ok',
    detail: `tag "${describeTag()}": list at "/records", record at "/record", name at "/name", revision at "/revision", label at "/label"`,
  });
  expect(reads).toHaveLength(2);
});

const describeTag = (): unknown => family.service.organization.records.tags.at(-1)?.data.name;

const framed: [string, Partial<Choices>, keys: string[]][] = [
  ['a record in a list', { one: 'records' }, ['shapes.one']],
  ['a record without a frame', { one: 'root' }, ['shapes.one']],
  ['a record with another name', { one: 'item' }, ['shapes.one']],
  ['a renamed list', { list: 'items' }, ['shapes.list.records']],
  ['a list in an object', { list: 'data.rows' }, ['shapes.list.records']],
  ['nested data', { nesting: 'data' }, ['shapes.record.data']],
  ['everything but the identity nested', { nesting: 'attributes' }, ['shapes.record.data']],
  ['summaries', { rows: 'summary', rowGuards: 'absent' }, ['shapes.row.data']],
  [
    'several of these',
    { list: 'data.rows', one: 'item', nesting: 'attributes', rows: 'summary', ids: 'upper case' },
    ['shapes.list.records', 'shapes.one', 'shapes.record.data'],
  ],
];

describe.each(framed)('a server with %s', (_name, choices, named) => {
  test('is described by the hint, with which it is fine', async () => {
    become(choices);
    const { code, ok, records } = await runDoctor();
    expect([code, ok, records?.result]).toEqual([1, false, 'failed']);
    for (const key of named) expect(records?.detail).toContain(`(${key})`);
    expect(records?.hint).toMatch(/orgchat help server$/);
    expect(`${records?.detail} ${records?.hint}`).not.toContain('orgchat doctor');
    expect(reads.length).toBeLessThanOrEqual(3);
    const [, document = ''] = /--server: (\{.*\}) /.exec(`${records?.hint}`) ?? [];
    const described = await runDoctor(JSON.parse(document) as object);
    expect([described.code, described.ok, described.records?.result]).toEqual([0, true, 'ok']);
  });

  test('is fine with its own description', async () => {
    become(choices);
    const { code, ok, records } = await runDoctor(describeMember({ ...assumed, ...choices }));
    expect([code, ok, records?.result]).toEqual([0, true, 'ok']);
  });
});

test.each(['version', 'meta.version'] as const)(
  'guards with another name (%s) are named, and their place is left to people',
  async (guards) => {
    become({ guards });
    const { ok, records } = await runDoctor();
    expect(ok).toBe(false);
    expect(records?.detail).toMatch(/revision was not found\. .*\(shapes\.record\.revision\)/);
    expect(records?.hint).toMatch(/the key shapes\.record\.revision\..*orgchat help server$/);
    const described = await runDoctor(describeMember({ ...assumed, guards }));
    expect([described.ok, described.records?.result]).toEqual([true, 'ok']);
  },
);

test('a description that points to the wrong place is corrected, and keeps the rest', async () => {
  become({ nesting: 'data', list: 'items' });
  const wrong = { server: 1, shapes: { list: { records: '/items' }, record: { data: '/values' } } };
  const { ok, records } = await runDoctor(wrong);
  expect(ok).toBe(false);
  expect(records?.detail).toContain('(shapes.record.data)');
  expect(records?.hint).toContain(
    '{"server":1,"shapes":{"list":{"records":"/items"},"record":{"data":"/data"}}}',
  );
});

test('what a resource has of its own in the description is corrected there', async () => {
  become({ one: 'item' });
  const own = { server: 1, shapes: { resources: { tags: { one: '/records/0' } } } };
  const { ok, records } = await runDoctor(own);
  expect(ok).toBe(false);
  expect(records?.hint).toContain('{"server":1,"shapes":{"resources":{"tags":{"one":"/item"}}}}');
});

test('the record of another id is not taken for the one that was read', async () => {
  const service = become({});
  const [first, second] = service.organization.records.tags;
  Object.assign(service.presentation, {
    one: () => ({ record: { ...second?.identity, ...second?.data, revision: 'r', label: 'x' }, first }),
  });
  const { ok, records } = await runDoctor();
  expect(ok).toBe(false);
  expect(records?.detail).toMatch(/the record read by its id was not found\. .*\(shapes\.one\)/);
});

test('a field that has no value of its type is named', async () => {
  const service = become({});
  const { records: lists } = service.organization;
  const tags = lists.tags.map((tag) => ({ ...tag, data: { ...tag.data, color: 5 } }));
  Object.assign(lists, { tags });
  const { ok, records } = await runDoctor();
  expect([ok, records?.detail]).toEqual([false, expect.stringContaining('the field color is a number')]);
});

test('without tags another resource is read, and without any record nothing is missing', async () => {
  const service = become({ one: 'root' });
  Object.assign(service.organization.records, { tags: [] });
  expect((await runDoctor()).records).toMatchObject({
    result: 'failed',
    detail: expect.stringMatching(/^templates: .*\(shapes\.one\)/),
  });
  expect(reads).toHaveLength(3);
  Object.assign(service.organization.records, { templates: [] });
  expect((await runDoctor()).records).toMatchObject({
    result: 'ok',
    detail: expect.stringContaining('no tags'),
  });
});

test('an error of a command leads to the description, and so does doctor', async () => {
  become({ nesting: 'data' });
  const env = { ORGCHAT_BASE_URL: family.baseUrl, ORGCHAT_API_KEY: keys.write };
  const { code, json } = await cli.run(['tags', 'list', '--json'], { env });
  expect([code, json.error?.code]).toEqual([1, 'UNEXPECTED_ANSWER']);
  expect(json.error?.hint).toContain('orgchat help server');
  expect(json.error?.message).toContain('shapes.record.data');
});
