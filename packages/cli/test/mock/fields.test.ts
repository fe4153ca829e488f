import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { injectedFields, mockFields } from '../../src/output/mock-fields.ts';
import { useCli } from '../../test-support/harness.ts';
import { named } from '../../test-support/tags.ts';

const cli = useCli({ inProcess: true });

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

const description = parse(
  readFileSync(join(import.meta.dirname, '../../../../spec/control.openapi.yaml'), 'utf8'),
) as { readonly components: { readonly schemas: Readonly<Record<string, Schema>> } };

const resolve = (schema: Schema = {}): Schema =>
  schema.$ref === undefined
    ? schema
    : resolve(description.components.schemas[schema.$ref.split('/').at(-1) ?? '']);

const listFields = (schema?: Schema): string[] => {
  const { properties = {}, oneOf, anyOf } = resolve(schema);
  return [...Object.keys(properties), ...(oneOf ?? anyOf ?? []).flatMap(listFields)];
};
const fieldsOf = (name: string): string[] => listFields(description.components.schemas[name]);
const rowsOf = (name: string, list: string): string[] =>
  listFields(resolve(resolve(description.components.schemas[name]).properties?.[list]).items);

describe('the fields of what the mock answers are those of its description:', () => {
  test.each([
    ['mock reset', fieldsOf('Done')],
    ['mock rewind', fieldsOf('RewoundRequest')],
    ['mock state load', fieldsOf('Done')],
    ['mock fault add', fieldsOf('ArmedFault')],
    ['mock fault list', rowsOf('FaultList', 'faults')],
    ['mock fault clear', fieldsOf('Disarmed')],
    ['mock requests list', rowsOf('RequestList', 'requests')],
    ['mock requests show', fieldsOf('RequestDetail')],
    ['mock requests clear', fieldsOf('Done')],
    ['mock requests verify', fieldsOf('Done')],
    ['mock clock', fieldsOf('ClockReading')],
    ['mock limits', fieldsOf('Limits')],
    ['mock sandbox create', fieldsOf('Sandbox')],
    ['mock sandbox list', rowsOf('SandboxList', 'sandboxes')],
    ['mock sandbox drop', [...fieldsOf('Done'), ...fieldsOf('DroppedSandboxes')]],
  ])('%s', (command, fields) => {
    expect(new Set(mockFields[command])).toEqual(new Set(fields));
  });

  test.each([
    ['friend', 'FriendRecord'],
    ['message', 'MessageRecord'],
    ['submission', 'FormSubmissionRecord'],
    ['click', 'LinkClickRecord'],
    ['project', 'InjectedProject'],
    ['document', 'InjectedDocument'],
    ['site', 'SiteEntry'],
    ['key', 'KeyEntry'],
  ] as const)('mock inject %s', (what, schema) => {
    expect(new Set<string>(injectedFields[what])).toEqual(new Set(fieldsOf(schema)));
  });
});

test.each([
  [['mock', 'reset'], 'ok'],
  [['mock', 'inject', 'friend', 'displayName=Nobody'], 'userId'],
  [['mock', 'fault', 'lose-response'], 'effect'],
  [['mock', 'requests', 'clear'], 'ok'],
  [['mock', 'sandbox', 'create'], 'baseUrl'],
  [['mock', 'clock', '--advance', '1h'], 'iso'],
  [['mock', 'drill', '--', 'false'], 'rows'],
  [['mock', 'drill', 'none.yaml'], 'rounds'],
  [['contract', 'check'], 'topics'],
])('%j does nothing if one of --fields is unknown', async (args, known) => {
  await cli.run(['tags', 'create', '--name', 'Kept', '--color', 'blue']);
  const before = await cli.control('GET', '/requests');
  const friends = await cli.control('GET', '/records?resource=friends');
  const { code, json } = await cli.run([
    args[0] ?? '',
    ...args.slice(1, 2),
    '--fields',
    'nope',
    ...args.slice(2),
  ]);
  expect([code, json.error]).toMatchObject([
    3,
    { code: 'UNKNOWN_FIELD', hint: expect.stringMatching(new RegExp(`^Available fields: .*\\b${known}\\b`)) },
  ]);
  expect([await named(cli, 'Kept'), await cli.control('GET', '/faults')]).toEqual([1, { faults: [] }]);
  const listed = (await cli.control('GET', '/requests')) as typeof before & { requests: unknown[] };
  expect(listed.requests.slice(0, -1)).toEqual((before as typeof listed).requests);
  expect(await cli.control('GET', '/records?resource=friends')).toEqual(friends);
  expect(await cli.control('GET', '/sandboxes')).toEqual({ sandboxes: [] });
});

test('--fields names the same fields of a drill in a table', async () => {
  const { code, stderr } = await cli.run([
    'mock',
    'drill',
    '--fields',
    'nope',
    '--format',
    'table',
    '--',
    'false',
  ]);
  expect([code, stderr]).toEqual([3, expect.stringMatching(/Available fields: command, writes, .*rows/)]);
});

test('--fields picks what a command of the mock prints', async () => {
  expect((await cli.run(['mock', 'fault', 'lose-response', '--fields', 'effect,times'])).json).toEqual({
    effect: 'lose-response',
    times: 1,
  });
  expect((await cli.run(['mock', 'reset', '--fields', 'ok'])).json).toEqual({ ok: true });
});
