import { describe, expect, it } from 'vitest';
import { data, shop, vip } from '../../../packages/mock-server/test-support/data.ts';
import { withAt } from '../../../packages/mock-server/test-support/paths.ts';
import { document, validator } from '../../../spec/test-support/document.ts';
import { findReadInputs, listVariants, serve } from './service.ts';

const { mock, caller } = serve();
type Resource = keyof typeof data;

/** Whether the mock and the document accept a creation. They must agree. */
async function accepts(resource: Resource, body: unknown, trimmed = body): Promise<boolean> {
  mock.reset();
  const { status } = await caller.apply({ action: `create-${resource}`, data: body });
  const change = { action: `create-${resource}`, data: trimmed };
  const judge = validator('#/components/schemas/ChatChange');
  expect({ body, status }).toEqual({ body, status: judge(change) ? 200 : 400 });
  return status === 200;
}

const id = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
const hex = '0123456789abcdef';

describe('section 2: common rules', () => {
  it('[2.4] only the keyword endpoint ignores unknown fields', async () => {
    const { status, body } = await caller.keywords('demo-site', { keywords: ['open'], unknown: 1 });
    expect([status, body.added]).toEqual([201, ['open']]);
    const open = { keywords: ['open'], unknown: 1 };
    expect(validator('#/components/schemas/AddKeywordsInput')(open)).toBe(true);
    for (const [path, input] of [
      ['/chat/read', { resource: 'tags' }],
      ['/chat/changes', { operationId: id, change: { action: 'create-tags', data: data.tags } }],
      ['/studio/read', { resource: 'projects' }],
    ] as const) {
      expect((await caller.send(path, { ...input, unknown: 1 })).status, path).toBe(400);
      expect((await caller.send(path, input)).status, path).toBe(200);
    }
  });

  it.each([
    ['letters', 'a'],
    ['ideographs', '日'],
    ['emoji outside the basic plane', '😀'],
    ['letters of the last planes', '\u{10ffff}'],
  ])('[2.5] a limit of 100 counts characters: %s', async (_, character) => {
    expect(await accepts('tags', { name: character.repeat(100), color: 'pink' })).toBe(true);
    expect(await accepts('tags', { name: character.repeat(101), color: 'pink' })).toBe(false);
  });

  it.each([
    ['blanks', '  '],
    ['line ends', '\r\n'],
    ['ideographic space', '\u3000'],
    ['byte order mark', '\ufeff'],
  ])('[2.6] limits apply after trimming: %s', async (_, space) => {
    const name = (inner: string): object => ({ name: `${space}${inner}${space}`, color: 'pink' });
    const kept = (inner: string): object => ({ name: inner, color: 'pink' });
    for (const [inner, good] of [
      ['x'.repeat(100), true],
      ['x', true],
      ['', false],
      ['x'.repeat(101), false],
    ] as const) {
      expect(await accepts('tags', name(inner), kept(inner)), JSON.stringify(inner)).toBe(good);
    }
  });

  const formats: readonly [string, string, (value: unknown) => object, string[], unknown[]][] = [
    [
      '2.7',
      'a uuid',
      (value) => ({ resource: 'tags', id: value }),
      [vip, vip.toUpperCase()],
      ['', 'x', vip.slice(1), `${vip}0`, vip.replaceAll('-', ''), `{${vip}}`, ` ${vip}`, 1, null],
    ],
    [
      '2.9',
      'a friendId',
      (value) => ({ resource: 'friends', userId: value }),
      [`U${hex}${hex}`],
      [
        `u${hex}${hex}`,
        `U${hex}`,
        `U${hex}${hex}0`,
        `U${hex.toUpperCase()}${hex}`,
        `U${hex}${hex}\n`,
        1,
        null,
      ],
    ],
  ];
  it.each(formats)('[%s] %s must have its format', async (_clause, _what, read, good, bad) => {
    mock.reset();
    for (const value of good) expect((await caller.read(read(value))).status, String(value)).toBe(200);
    for (const value of bad) expect((await caller.read(read(value))).status, String(value)).toBe(400);
  });

  it('[2.8] a rev is 64 lowercase hexadecimal digits: those that are read have this form, others are rejected', async () => {
    mock.reset();
    const tag = await caller.first('tags');
    expect(tag.revision).toMatch(/^[0-9a-f]{64}$/);
    const update = (expectedRevision: unknown) =>
      caller.apply({
        action: 'update-tags',
        id: tag.id,
        expectedLabel: tag.label,
        expectedRevision,
        data: data.tags,
      });
    const { revision } = tag;
    for (const bad of [
      revision.slice(1),
      `${revision}0`,
      revision.toUpperCase(),
      `g${revision.slice(1)}`,
      '',
      1,
    ]) {
      expect((await update(bad)).status, String(bad)).toBe(400);
    }
    expect((await update(hex.repeat(4))).status).toBe(409);
    expect((await update(revision)).status).toBe(200);
  });

  it('[2.10] every time in an answer is a date-time and is declared as one', async () => {
    mock.reset();
    const inputs = await findReadInputs(caller);
    const answers = [(await caller.me()).body, (await caller.studio({ resource: 'projects' })).body];
    for (const resource of listVariants('ChatReadInput')) {
      answers.push((await caller.read({ resource, ...inputs[resource] })).body);
    }
    const times = new Map<string, unknown[]>();
    JSON.stringify(answers, (key, value) => {
      // A draft's scheduledAt is always null (5.9.6).
      if (/At$/.test(key) && key !== 'scheduledAt') times.set(key, [...(times.get(key) ?? []), value]);
      return value;
    });
    expect([...times.keys()].sort()).toEqual([
      'clickedAt',
      'createdAt',
      'enrolledAt',
      'lastMessageAt',
      'resetsAt',
      'sentAt',
      'submittedAt',
      'updatedAt',
    ]);
    for (const [name, values] of times) {
      for (const value of values)
        expect(value, name).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
    }
    const { StudioProject, StudioDocument } = document.components.schemas;
    for (const schema of [StudioProject, StudioDocument]) {
      expect(schema?.properties?.updatedAt).toMatchObject({ type: 'string', format: 'date-time' });
    }
  });

  /* Each field with a value of its type, and with values of every other type. */
  const typed: readonly [Resource, string, unknown][] = [
    ['tags', 'name', 'x'],
    ['scenarios', 'active', true],
    ['scenarios', 'steps.0.delayValue', 5],
    ['scenarios', 'steps.0.sendTime', null],
    ['links', 'tagId', null],
    ['forms', 'fields.0.options', []],
    ['broadcasts', 'accountIds', null],
    ['rich-menus', 'design', null],
  ];
  it.each(typed)(
    '[2.11] %s %s accepts only values of its type and converts none',
    async (resource, at, good) => {
      expect(await accepts(resource, withAt(data[resource], at, good))).toBe(true);
      const nullable = good === null;
      for (const other of ['5', 'true', '', 5, 1.5, 0, true, false, [], {}, null]) {
        if (typeof other === typeof good && Array.isArray(other) === Array.isArray(good) && !nullable)
          continue;
        if (nullable && other === null) continue;
        const body = withAt(data[resource], at, other);
        expect(await accepts(resource, body), JSON.stringify(other)).toBe(false);
      }
    },
  );

  it.each<[Resource, string, boolean]>([
    ['tags', 'name', false],
    ['templates', 'text', false],
    ['auto-replies', 'keyword', false],
    ['forms', 'title', false],
    ['forms', 'fields.0.label', false],
    ['rich-menus', 'chatBarText', false],
    ['forms', 'description', true],
    ['forms', 'thanksText', true],
    ['forms', 'fields.0.placeholder', true],
  ])(
    '[2.12] %s %s: an empty text is allowed only without a minimum length (%s)',
    async (resource, at, empty) => {
      expect(await accepts(resource, withAt(data[resource], at, ''))).toBe(empty);
      expect(await accepts(resource, withAt(data[resource], at, 'x'))).toBe(true);
    },
  );

  const steps = [{ ...data.scenarios.steps[0], nextStepOnFalse: 19, timingMode: 'relative' }];
  const [area] = data['rich-menus'].areas;
  const [field] = data.forms.fields;
  it.each<[string, Resource, object]>([
    ['a trigger tag without the trigger', 'scenarios', { trigger: 'follow', triggerTagId: vip }],
    ['the trigger without a tag', 'scenarios', { trigger: 'tag', triggerTagId: null }],
    ['a next step past the last', 'scenarios', { steps }],
    ['target tags without tags', 'broadcasts', { target: 'tags', tagIds: [] }],
    ['target all with tags', 'broadcasts', { target: 'all', tagIds: [vip, vip] }],
    ['the same account twice', 'broadcasts', { accountIds: [shop, shop] }],
    ['two fields of one key', 'forms', { fields: [field, field] }],
    ['a select without options', 'forms', { fields: [{ ...field, type: 'select' }] }],
    ['areas that overlap', 'rich-menus', { areas: [area, area] }],
  ])('[2.13] a combination without a rule is accepted: %s', async (_, resource, change) => {
    expect(await accepts(resource, { ...data[resource], ...change })).toBe(true);
  });
});
