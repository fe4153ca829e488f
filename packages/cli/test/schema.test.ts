import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SeedDocument } from '@orgchat/mock-server';
import { changeActions, changeableResources, configurationResources } from '@orgchat/spec';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { plantTypos } from '../../../spec/test-support/typos.ts';
import { useCli } from '../test-support/harness.ts';
import { createRichOrganization, ownId } from '../test-support/rich-organization.ts';

const cli = useCli({ inProcess: true });

type Row = Readonly<Record<string, unknown>>;
const names = ['config', ...changeableResources, ...changeActions];
/** Without a key, and with a server that no request reaches. */
const offline = { env: { ORGCHAT_API_KEY: undefined, ORGCHAT_BASE_URL: 'http://127.0.0.1:9/api/v1' } };

const schemas = new Map<string, Row>();
const judges = new Map<string, ValidateFunction>();

async function readSchema(name: string): Promise<Row> {
  const known = schemas.get(name);
  if (known !== undefined) return known;
  const { code, json, stderr } = await cli.run(['schema', name], offline);
  expect([code, stderr]).toEqual([0, '']);
  schemas.set(name, json);
  return json;
}

/** The judge of a schema, as strict as possible: unknown keywords and formats are errors. */
async function compile(name: string): Promise<ValidateFunction> {
  const judge = judges.get(name) ?? new Ajv2020({ strict: true }).compile(await readSchema(name));
  judges.set(name, judge);
  return judge;
}

/** Expects that a value is valid, and not with any of its typos. */
function expectStrict(judge: ValidateFunction, value: unknown): void {
  expect([judge(value), judge.errors]).toEqual([true, null]);
  const typos = plantTypos(value);
  expect(typos.filter((typo) => judge(typo.value)).map(({ what }) => what)).toEqual([]);
}

test.each(names)('the schema of %s needs no key and no request, and has a valid example', async (name) => {
  const schema = await readSchema(name);
  expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  const judge = await compile(name);
  for (const example of schema.examples as unknown[])
    expect([judge(example), judge.errors]).toEqual([true, null]);
  expect(schema.examples).toHaveLength(1);
});

test('the example of a configuration is a valid file', async () => {
  const [example] = (await readSchema('config')).examples as unknown[];
  const { json } = await cli.run(['config', 'validate', '-', '--json'], { input: JSON.stringify(example) });
  expect(json).toMatchObject({ valid: true, records: configurationResources.length });
});

test('other formats and fields are those of every command', async () => {
  const schema = await readSchema('tags');
  const print = async (...args: string[]) => (await cli.run(['schema', 'tags', ...args], offline)).stdout;
  expect(parse(await print('--format', 'yaml'))).toEqual(schema);
  expect(await print('--format', 'table')).toBe(`${JSON.stringify(schema, null, 2)}\n`);
  expect(await print('--format', 'ndjson')).toBe(`${JSON.stringify(schema)}\n`);
  expect(JSON.parse(await print('--fields', 'required'))).toEqual({ required: ['name', 'color'] });
});

test.each(['yaml', 'ndjson', 'table'])('a variable with the format %s does not change it', async (format) => {
  const { env } = offline;
  const { stdout } = await cli.run(['schema', 'tags'], { env: { ...env, ORGCHAT_FORMAT: format } });
  expect(stdout).toBe(`${JSON.stringify(await readSchema('tags'), null, 2)}\n`);
});

test('an unknown name prints nothing but what was meant', async () => {
  const { code, stdout, stderr } = await cli.run(['schema', 'senarios'], offline);
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toContain('next: Did you mean scenarios? See the help: orgchat schema --help');
  const { json } = await cli.run(['schema', 'create-tag', '--json'], offline);
  expect(json.error).toMatchObject({ code: 'USAGE', hint: expect.stringContaining('create-tags') });
});

test('completion offers every name', async () => {
  const { stdout } = await cli.run(['complete', '--', 'schema', '']);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t')[0]),
  ).toEqual(names);
});

type Organization = SeedDocument['organizations'][number];
type Resource = (typeof configurationResources)[number];

/** The data of a record of a seed. */
function toData(record: object): Row {
  const { id: _id, createdAt: _at, ...data } = record as Row;
  const { submissions: _submissions, clicks: _clicks, ...sent } = data;
  return sent;
}

let count = 0;
/** An organization with every kind of value. */
const organization: Organization = createRichOrganization((kind) => {
  const n = count++;
  return { text: `Text: "${n}" # 千葉`, host: `host${n}.example`, word: `word${n}` }[kind];
});
const dataOf = (resource: Resource): Row[] => (organization[resource] ?? []).map(toData);

/** The same organization with two records of each name, so that references cannot be names. */
const twins = Object.fromEntries(
  (['accounts', ...configurationResources] as const).map((resource, place) => {
    const records = organization[resource] ?? [];
    const second = records.map((record, n) => ({ ...toData(record), id: ownId(1000 + place * 10 + n) }));
    return [resource, [...records, ...second]];
  }),
);

const guard = { expectedRevision: 'a'.repeat(64), expectedLabel: 'Label' };
const friend = { accountId: ownId(1), userId: `U${'0'.repeat(32)}` };
const target = { id: ownId(10), ...guard };

/** Changes with every kind of value, by action. */
const changes: Readonly<Record<string, readonly Row[]>> = {
  ...Object.fromEntries(
    configurationResources.flatMap((resource) => [
      [`create-${resource}`, dataOf(resource).map((data) => ({ data }))],
      [`update-${resource}`, dataOf(resource).map((data) => ({ ...target, data }))],
    ]),
  ),
  'delete-configuration': ['tags', 'broadcasts'].map((resource) => ({ resource, ...target })),
  'update-friend': [{ notes: 'Notes', status: 'in_progress' }, { notes: null }, {}].map((data) => ({
    ...friend,
    ...guard,
    data,
  })),
  'set-friend-tags': [[], [ownId(10), ownId(11)]].map((tagIds) => ({ ...friend, ...guard, tagIds })),
  'enroll-scenario': [{ ...friend, scenarioId: ownId(25) }],
};

test.each(changeActions)('a change %s is valid, and with a typo it is not', async (action) => {
  const judge = await compile(action);
  expect(changes[action]?.length).toBeGreaterThan(0);
  for (const change of changes[action] ?? []) expectStrict(judge, { action, ...change });
});

test.each(configurationResources)('data of %s are valid, and with a typo they are not', async (resource) => {
  const judge = await compile(resource);
  for (const data of dataOf(resource)) expectStrict(judge, data);
});

describe('what config export writes', () => {
  /** Exports an organization as JSON. */
  async function exportFrom(exporting: Organization): Promise<Row> {
    const state = { organizations: [exporting] };
    const { baseUrl } = (await cli.control('POST', '/sandboxes', { state })) as { baseUrl: string };
    const args = ['config', 'export', '--json', '--pacing', 'off'];
    return (await cli.run(args, { env: { ORGCHAT_BASE_URL: baseUrl } })).json;
  }

  test('of the demo organization is valid in YAML and JSON', async () => {
    const judge = await compile('config');
    const { stdout } = await cli.run(['config', 'export', '--pacing', 'off']);
    expectStrict(judge, parse(stdout));
    expectStrict(judge, (await cli.run(['config', 'export', '--json', '--pacing', 'off'])).json);
  });

  test.each([
    ['names', organization],
    ['ids', { ...organization, ...twins } as Organization],
  ])('with references by %s is valid, and with a typo it is not', async (form, exporting) => {
    const exported = await exportFrom(exporting);
    expect(Object.keys(exported)).toEqual(['version', ...configurationResources]);
    const text = JSON.stringify(exported);
    const ids = [`"accountId":"${ownId(1)}"`, `"menuId":"${ownId(35)}"`, `"{link:${ownId(40)}}"`];
    for (const id of ids) expect([id, text.includes(id)]).toEqual([id, form === 'ids']);
    expectStrict(await compile('config'), exported);
  });

  test('is valid with ids of links and accounts, keys of your own and commented lists', async () => {
    const judge = await compile('config');
    const uri = (value: string): Row => ({
      x: 0,
      y: 0,
      width: 1,
      height: 1,
      action: { type: 'uri', uri: value, label: 'A' },
    });
    const uris = [
      `{link:${ownId(40)}}`,
      '{link:Spring page}',
      '{miniapp:/a}',
      'tel:1',
      'https://example.com',
    ];
    const [menu = {}] = dataOf('rich-menus');
    const file = {
      $schema: './a.json',
      'x-own': [{ anything: 1 }],
      tags: null,
      links: [],
      'rich-menus': [{ ...menu, areas: uris.map(uri) }],
    };
    expect([judge(file), judge.errors]).toEqual([true, null]);
    for (const wrong of ['{link:}', '{links:Spring page}', 'htps://example.com', 'Spring page', ''])
      expect([wrong, judge({ ...file, 'rich-menus': [{ ...menu, areas: [uri(wrong)] }] })]).toEqual([
        wrong,
        false,
      ]);
    for (const wrong of [{ version: 2 }, { version: '1' }, { tgas: [] }, { tags: {} }, { tags: [null] }])
      expect([wrong, judge(wrong)]).toEqual([wrong, false]);
    writeFileSync(join(cli.folder, 'own.json'), JSON.stringify({ ...file, version: 1 }));
    expect((await cli.run(['config', 'validate', 'own.json', '--json'])).json).toMatchObject({ valid: true });
  });
});
