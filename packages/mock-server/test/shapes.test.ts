import { type ConfigurationResource, configurationResources, placeOf } from '@orgchat/spec';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMock } from '../src/index.ts';
import { Caller } from './caller.ts';
import {
  area,
  card,
  cardBlock,
  data,
  field,
  imageBlock,
  mainMenu,
  nobody,
  shop,
  step,
  textBlock,
  vip,
} from './data.ts';
import { withAt } from './paths.ts';

const mock = createMock({ rateLimit: 'off', monthlyLimit: 'off' });
const caller = new Caller(mock);

beforeEach(() => mock.reset());

const chars = (count: number, character = 'あ'): string => character.repeat(count);
const items = (count: number, item: unknown): unknown[] => Array(count).fill(item);

/** A clause: where in the data of a resource it speaks, what it takes and what it refuses. */
interface Rule {
  readonly clause: string;
  readonly on: ConfigurationResource;
  readonly at: string;
  readonly takes: readonly unknown[];
  readonly refuses: readonly unknown[];
  /** Data in which the place exists. */
  readonly data?: unknown;
}

/** Required text of so many characters, counted as code points after trimming. */
const text = (min: number, max: number): Pick<Rule, 'takes' | 'refuses'> => ({
  takes: [chars(min, 'a'), chars(max), chars(max, '😀'), ` \u3000${chars(max)}\n`],
  refuses: [
    ...(min > 0 ? ['', '   ', '\u3000'] : []),
    chars(max + 1),
    chars(max + 1, '😀'),
    null,
    undefined,
    1,
  ],
});
const oneOf = (...takes: string[]): Pick<Rule, 'takes' | 'refuses'> => ({
  takes,
  refuses: ['other', takes[0]?.toUpperCase(), ` ${takes[0]}`, null, undefined, ''],
});
const list = (min: number, max: number, item: unknown): Pick<Rule, 'takes' | 'refuses'> => ({
  takes: [items(min, item), items(max, item)],
  refuses: [...(min > 0 ? [[]] : []), items(max + 1, item), item, null],
});
const integer = (min: number, max?: number): Pick<Rule, 'takes' | 'refuses'> => ({
  takes: [min, max ?? 1e15],
  refuses: [min - 1, min + 0.5, `${min}`, null, ...(max === undefined ? [] : [max + 1])],
});
const flag = { takes: [true, false], refuses: ['true', 1, null, undefined] };
const optional = (rule: Pick<Rule, 'takes' | 'refuses'>): Pick<Rule, 'takes' | 'refuses'> => ({
  takes: [...rule.takes, undefined],
  refuses: rule.refuses.filter((value) => value !== undefined),
});
const nullable = (rule: Pick<Rule, 'takes' | 'refuses'>): Pick<Rule, 'takes' | 'refuses'> => ({
  takes: [...rule.takes, null],
  refuses: rule.refuses.filter((value) => value !== null),
});
const uuid = (known: string): Pick<Rule, 'takes' | 'refuses'> => ({
  takes: [known, known.toUpperCase()],
  refuses: ['x', `${known} `, known.replaceAll('-', ''), null, undefined],
});
const hexColor = {
  takes: ['#1f6feb', '#ABCDEF'],
  refuses: ['1f6feb', '#1f6fe', '#1f6febf', '#gggggg', '#1f6feb\n'],
};
const uri = {
  takes: [
    'https://e',
    'http://e',
    'chat://x',
    'tel:1',
    `https://${chars(992, 'a')}`,
    '{link:6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21}',
    `{link:${chars(36, '-')}}`,
    '{miniapp:/}',
    `{miniapp:/${chars(100, '_')}}`,
  ],
  refuses: [
    '',
    'https://',
    'ftp://e',
    'HTTPS://e',
    'https://a b',
    `https://${chars(993, 'a')}`,
    '{link:6F1C2F0E-8A53-4B6E-9A55-0D6F3C1E7B21}',
    `{link:${chars(35, 'a')}}`,
    '{miniapp:x}',
    `{miniapp:/${chars(101, 'a')}}`,
    ' https://e',
    'https://e\n',
    null,
  ],
};

const withStep = (change: object): unknown => ({ ...data.scenarios, steps: [{ ...step, ...change }] });
const withCard = (change: object): unknown => ({
  ...data.broadcasts,
  messages: [{ ...cardBlock, cards: [{ ...card, ...change }] }],
});
const withAction = (action: object): unknown => ({ ...data['rich-menus'], areas: [{ ...area, action }] });
const tagCondition = { type: 'tag_exists', tagId: vip };
const metadata = { type: 'metadata_equals', key: 'city', value: '' };
const design = { style: 'tiles', color: '#1f6feb', areas: [{ icon: null, caption: '' }] };

const rules: readonly Rule[] = [
  { clause: '5.1.1', on: 'tags', at: 'name', ...text(1, 100) },
  {
    clause: '5.1.2',
    on: 'tags',
    at: 'color',
    ...oneOf('neutral', 'blue', 'purple', 'brown', 'pink', 'orange', 'green'),
  },
  { clause: '5.2.1', on: 'templates', at: 'name', ...text(1, 100) },
  { clause: '5.2.2', on: 'templates', at: 'text', ...text(1, 5000) },
  { clause: '5.3.1', on: 'auto-replies', at: 'accountId', ...nullable(uuid(shop)) },
  { clause: '5.3.2', on: 'auto-replies', at: 'keyword', ...text(1, 100) },
  { clause: '5.3.3', on: 'auto-replies', at: 'matchType', ...oneOf('contains', 'exact') },
  { clause: '5.3.4', on: 'auto-replies', at: 'responseText', ...text(1, 5000) },
  { clause: '5.3.5', on: 'auto-replies', at: 'content', ...optional(list(1, 5, textBlock)) },
  { clause: '5.3.6', on: 'auto-replies', at: 'active', ...flag },
  { clause: '5.4.1', on: 'scenarios', at: 'name', ...text(1, 100) },
  { clause: '5.4.2', on: 'scenarios', at: 'accountId', ...nullable(uuid(shop)) },
  { clause: '5.4.3', on: 'scenarios', at: 'trigger', ...oneOf('follow', 'tag', 'manual') },
  { clause: '5.4.4', on: 'scenarios', at: 'triggerTagId', ...nullable(uuid(vip)) },
  { clause: '5.4.5', on: 'scenarios', at: 'active', ...flag },
  { clause: '5.4.6', on: 'scenarios', at: 'steps', ...list(1, 20, step) },
  { clause: '5.4.7', on: 'scenarios', at: 'steps.0.delayValue', ...integer(0, 525_600) },
  { clause: '5.4.8', on: 'scenarios', at: 'steps.0.delayUnit', ...oneOf('minutes', 'hours', 'days') },
  {
    clause: '5.4.9',
    on: 'scenarios',
    at: 'steps.0.sendTime',
    takes: ['00:00', '23:59', '19:05', null],
    refuses: ['24:00', '9:30', '12:60', '09:30 ', '09:30\n', undefined],
  },
  { clause: '5.4.10', on: 'scenarios', at: 'steps.0.text', ...text(1, 5000) },
  { clause: '5.4.11', on: 'scenarios', at: 'steps.0.content', ...optional(list(1, 5, imageBlock)) },
  {
    clause: '5.4.12',
    on: 'scenarios',
    at: 'steps.0.timingMode',
    ...optional(oneOf('relative', 'elapsed', 'absolute_time')),
  },
  {
    clause: '5.4.13',
    on: 'scenarios',
    at: 'steps.0.condition',
    takes: [
      tagCondition,
      { ...tagCondition, type: 'tag_not_exists' },
      metadata,
      { ...metadata, type: 'metadata_not_equals' },
      undefined,
    ],
    refuses: [
      { type: 'other' },
      {},
      { ...tagCondition, key: 'x' },
      { type: 'tag_exists' },
      { type: 'metadata_equals', key: 'x' },
    ],
  },
  { clause: '5.4.14', on: 'scenarios', at: 'steps.0.nextStepOnFalse', ...optional(nullable(integer(0, 19))) },
  {
    clause: '5.4.15',
    on: 'scenarios',
    at: 'steps.0.condition.tagId',
    data: withStep({ condition: tagCondition }),
    ...uuid(vip),
  },
  {
    clause: '5.4.16',
    on: 'scenarios',
    at: 'steps.0.condition.key',
    data: withStep({ condition: metadata }),
    ...text(1, 100),
  },
  {
    clause: '5.4.17',
    on: 'scenarios',
    at: 'steps.0.condition.value',
    data: withStep({ condition: metadata }),
    ...text(0, 1000),
  },
  { clause: '5.4.18', on: 'scenarios', at: 'steps.0.condition', takes: [null], refuses: ['null'] },
  { clause: '5.5.1', on: 'forms', at: 'accountId', ...uuid(shop) },
  { clause: '5.5.2', on: 'forms', at: 'name', ...text(1, 100) },
  { clause: '5.5.3', on: 'forms', at: 'title', ...text(1, 100) },
  { clause: '5.5.4', on: 'forms', at: 'description', ...text(0, 1000) },
  { clause: '5.5.5', on: 'forms', at: 'fields', ...list(1, 30, field) },
  { clause: '5.5.6', on: 'forms', at: 'submitTagId', ...nullable(uuid(vip)) },
  { clause: '5.5.7', on: 'forms', at: 'submitScenarioId', takes: [null], refuses: ['x', undefined] },
  { clause: '5.5.8', on: 'forms', at: 'saveToProfile', ...flag },
  { clause: '5.5.9', on: 'forms', at: 'thanksText', ...text(0, 5000) },
  { clause: '5.5.10', on: 'forms', at: 'active', ...flag },
  {
    clause: '5.5.11',
    on: 'forms',
    at: 'fields.0.key',
    takes: ['a', 'a_1', `a${chars(39, '9')}`],
    refuses: ['', 'A', '1a', '_a', 'a-b', `a${chars(40, '9')}`, ' a', 'a\n', null, undefined],
  },
  { clause: '5.5.12', on: 'forms', at: 'fields.0.label', ...text(1, 100) },
  {
    clause: '5.5.13',
    on: 'forms',
    at: 'fields.0.type',
    ...oneOf('text', 'textarea', 'email', 'tel', 'number', 'select', 'radio', 'checkbox', 'date'),
  },
  { clause: '5.5.14', on: 'forms', at: 'fields.0.required', ...flag },
  { clause: '5.5.15', on: 'forms', at: 'fields.0.options', ...list(0, 30, 'x') },
  {
    clause: '5.5.16',
    on: 'forms',
    at: 'fields.0.options.0',
    data: { ...data.forms, fields: [{ ...field, options: ['x'] }] },
    takes: text(1, 100).takes,
    refuses: ['', chars(101), 1],
  },
  { clause: '5.5.17', on: 'forms', at: 'fields.0.placeholder', ...text(0, 100) },
  { clause: '5.6.1', on: 'rich-menus', at: 'accountId', ...uuid(shop) },
  { clause: '5.6.2', on: 'rich-menus', at: 'name', ...text(1, 100) },
  { clause: '5.6.3', on: 'rich-menus', at: 'chatBarText', ...text(1, 14) },
  { clause: '5.6.4', on: 'rich-menus', at: 'size', ...oneOf('large', 'compact') },
  { clause: '5.6.5', on: 'rich-menus', at: 'template', ...text(1, 100) },
  { clause: '5.6.6', on: 'rich-menus', at: 'areas', ...list(1, 20, area) },
  { clause: '5.6.7', on: 'rich-menus', at: 'design', takes: [design, null, undefined], refuses: [{}, 'x'] },
  {
    clause: '5.6.8',
    on: 'rich-menus',
    at: 'design.style',
    data: { ...data['rich-menus'], design },
    ...oneOf('tiles', 'cards', 'bold'),
  },
  {
    clause: '5.6.9',
    on: 'rich-menus',
    at: 'design.color',
    data: { ...data['rich-menus'], design },
    ...hexColor,
  },
  {
    clause: '5.6.10',
    on: 'rich-menus',
    at: 'design.areas',
    data: { ...data['rich-menus'], design },
    ...list(0, 20, design.areas[0]),
  },
  {
    clause: '5.6.11',
    on: 'rich-menus',
    at: 'design.areas.0.icon',
    data: { ...data['rich-menus'], design },
    ...nullable(text(0, 100)),
  },
  {
    clause: '5.6.12',
    on: 'rich-menus',
    at: 'design.areas.0.caption',
    data: { ...data['rich-menus'], design },
    ...text(0, 30),
  },
  { clause: '5.6.13', on: 'rich-menus', at: 'areas.0.x', ...integer(0) },
  { clause: '5.6.14', on: 'rich-menus', at: 'areas.0.y', ...integer(0) },
  { clause: '5.6.15', on: 'rich-menus', at: 'areas.0.width', ...integer(1) },
  { clause: '5.6.16', on: 'rich-menus', at: 'areas.0.height', ...integer(1) },
  {
    clause: '5.6.17',
    on: 'rich-menus',
    at: 'areas.0.action',
    takes: [area.action],
    refuses: [{ type: 'other' }, {}, null, undefined],
  },
  { clause: '5.6.18', on: 'rich-menus', at: 'areas.0.action.uri', ...uri },
  { clause: '5.6.19', on: 'rich-menus', at: 'areas.0.action.label', ...text(1, 20) },
  {
    clause: '5.6.20',
    on: 'rich-menus',
    at: 'areas.0.action.text',
    data: withAction({ type: 'message', text: 'x', label: 'x' }),
    ...text(1, 300),
  },
  {
    clause: '5.6.21',
    on: 'rich-menus',
    at: 'areas.0.action.label',
    data: withAction({ type: 'message', text: 'x', label: 'x' }),
    ...text(1, 20),
  },
  {
    clause: '5.6.22',
    on: 'rich-menus',
    at: 'areas.0.action.menuId',
    data: withAction({ type: 'switch', menuId: mainMenu, label: 'x' }),
    ...uuid(mainMenu),
  },
  {
    clause: '5.6.23',
    on: 'rich-menus',
    at: 'areas.0.action.label',
    data: withAction({ type: 'switch', menuId: mainMenu, label: 'x' }),
    ...text(1, 20),
  },
  { clause: '5.7.1', on: 'links', at: 'name', ...text(1, 100) },
  {
    clause: '5.7.2',
    on: 'links',
    at: 'url',
    takes: ['http://', 'https://', 'https://a b', `https://${chars(1992)}`],
    refuses: ['ftp://x', 'HTTP://x', 'x', '', ' https://x', `https://${chars(1993)}`, null, undefined],
  },
  { clause: '5.7.3', on: 'links', at: 'tagId', ...nullable(uuid(vip)) },
  { clause: '5.7.4', on: 'links', at: 'scenarioId', takes: [null], refuses: ['x', undefined] },
  { clause: '5.8.1', on: 'routes', at: 'accountId', ...uuid(shop) },
  { clause: '5.8.2', on: 'routes', at: 'name', ...text(1, 100) },
  { clause: '5.8.3', on: 'routes', at: 'tagId', ...nullable(uuid(vip)) },
  { clause: '5.8.4', on: 'routes', at: 'scenarioId', takes: [null], refuses: ['x', undefined] },
  { clause: '5.9.1', on: 'broadcasts', at: 'accountId', ...uuid(shop) },
  { clause: '5.9.2', on: 'broadcasts', at: 'title', ...text(1, 100) },
  { clause: '5.9.3', on: 'broadcasts', at: 'messages', ...list(1, 5, textBlock) },
  { clause: '5.9.4', on: 'broadcasts', at: 'target', ...oneOf('all', 'tags') },
  { clause: '5.9.5', on: 'broadcasts', at: 'tagIds', ...list(0, 50, vip) },
  {
    clause: '5.9.6',
    on: 'broadcasts',
    at: 'scheduledAt',
    takes: [null],
    refuses: ['2026-01-01T00:00:00Z', undefined, 0],
  },
  {
    clause: '5.9.7',
    on: 'broadcasts',
    at: 'accountIds',
    takes: [items(2, shop), items(10, shop), null, undefined],
    refuses: [[], [shop], items(11, shop), shop],
  },
  { clause: '5.11.1', on: 'broadcasts', at: 'messages.0.text', ...text(1, 5000) },
  {
    clause: '5.11.2',
    on: 'broadcasts',
    at: 'messages.0.imageId',
    data: { ...data.broadcasts, messages: [imageBlock] },
    ...uuid(nobody),
  },
  { clause: '5.11.3', on: 'broadcasts', at: 'messages.0.altText', data: withCard({}), ...text(1, 400) },
  { clause: '5.11.4', on: 'broadcasts', at: 'messages.0.color', data: withCard({}), ...nullable(hexColor) },
  { clause: '5.11.5', on: 'broadcasts', at: 'messages.0.cards', data: withCard({}), ...list(1, 10, card) },
  {
    clause: '5.11.6',
    on: 'broadcasts',
    at: 'messages.0.cards.0.imageId',
    data: withCard({}),
    ...nullable(uuid(nobody)),
  },
  { clause: '5.11.7', on: 'broadcasts', at: 'messages.0.cards.0.title', data: withCard({}), ...text(1, 40) },
  { clause: '5.11.8', on: 'broadcasts', at: 'messages.0.cards.0.text', data: withCard({}), ...text(0, 300) },
  {
    clause: '5.11.9',
    on: 'broadcasts',
    at: 'messages.0.cards.0.buttons',
    data: withCard({}),
    ...list(0, 3, card.buttons[0]),
  },
  {
    clause: '5.11.10',
    on: 'broadcasts',
    at: 'messages.0.cards.0.buttons.0.label',
    data: withCard({}),
    ...text(1, 20),
  },
  {
    clause: '5.11.11',
    on: 'broadcasts',
    at: 'messages.0.cards.0.buttons.0.action',
    data: withCard({}),
    takes: [{ type: 'message', text: 'x' }],
    refuses: [{ type: 'switch', menuId: mainMenu }, { type: 'uri' }, {}],
  },
  {
    clause: '5.11.12',
    on: 'broadcasts',
    at: 'messages.0.cards.0.buttons.0.action.uri',
    data: withCard({}),
    ...uri,
  },
  {
    clause: '5.11.13',
    on: 'broadcasts',
    at: 'messages.0.cards.0.buttons.0.action.text',
    data: withCard({ buttons: [{ label: 'x', action: { type: 'message', text: 'x' } }] }),
    ...text(1, 300),
  },
];

const create = (on: ConfigurationResource, body: unknown) =>
  caller.apply({ action: `create-${on}`, data: body });

describe.each(rules)('[$clause] $on: $at', ({ on, at, takes, refuses, data: base = data[on] }) => {
  it('takes what the clause allows', async () => {
    for (const value of takes) {
      const { status, body } = await create(on, withAt(base, at, value));
      expect({ value, status, message: body.message }).toEqual({ value, status: 200, message: undefined });
    }
  });

  it('refuses the rest, and says where', async () => {
    const keys = at.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key));
    const place = ` ${placeOf(['change', 'data', ...keys])}`;
    for (const value of refuses) {
      const { status, body } = await create(on, withAt(base, at, value));
      expect({ value, status, error: body.error }).toEqual({ value, status: 400, error: 'INVALID_INPUT' });
      expect({ value, message: body.message }).toEqual({ value, message: expect.stringContaining(place) });
    }
    expect(mock.operations()).toEqual([]);
  });
});

describe('[2.2] [2.3] unknown fields', () => {
  const places: readonly [ConfigurationResource, unknown, string][] = [
    ...configurationResources.map((on): [ConfigurationResource, unknown, string] => [on, data[on], 'extra']),
    ['scenarios', data.scenarios, 'steps.0.extra'],
    ['scenarios', withStep({ condition: tagCondition }), 'steps.0.condition.extra'],
    ['scenarios', withStep({ condition: metadata }), 'steps.0.condition.extra'],
    ['scenarios', withStep({ content: [textBlock] }), 'steps.0.content.0.extra'],
    ['forms', data.forms, 'fields.0.extra'],
    ['rich-menus', data['rich-menus'], 'areas.0.extra'],
    ['rich-menus', data['rich-menus'], 'areas.0.action.extra'],
    ['rich-menus', { ...data['rich-menus'], design }, 'design.extra'],
    ['rich-menus', { ...data['rich-menus'], design }, 'design.areas.0.extra'],
    ['broadcasts', { ...data.broadcasts, messages: [imageBlock] }, 'messages.0.extra'],
    ['broadcasts', withCard({}), 'messages.0.extra'],
    ['broadcasts', withCard({}), 'messages.0.cards.0.extra'],
    ['broadcasts', withCard({}), 'messages.0.cards.0.buttons.0.extra'],
    ['broadcasts', withCard({}), 'messages.0.cards.0.buttons.0.action.extra'],
    ['broadcasts', data.broadcasts, 'status'],
  ];
  it.each(places)('are refused in %s', async (on, base, at) => {
    expect((await create(on, base)).status).toBe(200);
    for (const name of [at, at.replace(/\w+$/, 'constructor')]) {
      const { status, body } = await create(on, withAt(base, name, 1));
      expect({ name, status }).toEqual({ name, status: 400 });
      expect(body.message).toContain(name.split('.').at(-1));
    }
  });

  it('are refused when they are called __proto__, at every depth', async () => {
    const change = (inner: string): string =>
      `{"operationId":"${crypto.randomUUID()}","change":{"action":"create-tags","data":{"name":"x","color":"blue"${inner}}}}`;
    const raw = (text: string) => caller.send('/chat/changes', undefined, { raw: text });
    expect((await raw(change(''))).status).toBe(200);
    expect((await raw(change(',"__proto__":{"name":"y"}'))).status).toBe(400);
    expect((await raw('{"__proto__":1,"resource":"tags"}')).status).toBe(400);
    expect(({} as Record<string, unknown>).name).toBeUndefined();
  });
});
