import { configurationResources, limits } from '@orgchat/spec';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMock } from '../../src/index.ts';
import { type Answer, Caller } from '../../test-support/caller.ts';
import { data, nobody, shop } from '../../test-support/data.ts';

/* Each body has one invalid field. The message names the field and what is allowed. */

const mock = createMock({ rateLimit: 'off', monthlyLimit: 'off' });
const caller = new Caller(mock);
beforeEach(() => mock.reset());

type Case = readonly [place: string, problem: string, body: object];

const friend = { accountId: shop, userId: `U${'0'.repeat(32)}` };
const guard = { expectedRevision: '0'.repeat(64), expectedLabel: 'x' };
const required = 'is required';
const format = 'does not have the required format';
const unknown = 'has unknown fields: extra';
const integer = 'must be an integer';
const long = (count: number): string => 'あ'.repeat(count + 1);
const atMost = (count: number, unit = 'characters'): string => `must have at most ${count} ${unit}`;

const ofChatRead: readonly Case[] = [
  ['resource', required, {}],
  ['resource', 'must be one of accounts, tags, ', { resource: 'tag' }],
  ['resource', 'must be one of accounts, tags, ', { resource: 1 }],
  ['The body', unknown, { resource: 'accounts', extra: 1 }],
  ['The body', 'has unknown fields: limit', { resource: 'accounts', limit: 1 }],
  ...configurationResources.flatMap((resource): Case[] => [
    ['id', format, { resource, id: 'x' }],
    ['id', 'must be of type string', { resource, id: null }],
    ['offset', 'must be at least 0', { resource, offset: -1 }],
    ['offset', `must be at most ${limits.offset}`, { resource, offset: limits.offset + 1 }],
    ['offset', integer, { resource, offset: 0.5 }],
    ['limit', 'must be at least 1', { resource, limit: 0 }],
    ['limit', `must be at most ${limits.pageSize}`, { resource, limit: limits.pageSize + 1 }],
    ['limit', 'must be of type number', { resource, limit: '5' }],
    ['The body', unknown, { resource, extra: 1 }],
  ]),
  ['accountId', format, { resource: 'friends', accountId: 'x' }],
  ['userId', format, { resource: 'friends', userId: 'u1' }],
  [
    'search',
    atMost(limits.friendSearchLength),
    { resource: 'friends', search: long(limits.friendSearchLength) },
  ],
  ['limit', integer, { resource: 'friends', limit: 1.5 }],
  ['accountId', format, { resource: 'conversations', accountId: 'x' }],
  ['accountId', required, { resource: 'messages', userId: friend.userId }],
  ['userId', required, { resource: 'messages', accountId: shop }],
  ['limit', 'must be at least 1', { resource: 'messages', ...friend, limit: 0 }],
  ['id', required, { resource: 'form-submissions' }],
  ['userId', required, { resource: 'friend-automations', accountId: shop }],
  ['id', format, { resource: 'link-clicks', id: 'x' }],
];

const ofStudioRead: readonly Case[] = [
  ['resource', required, {}],
  ['resource', 'must be one of projects, documents, document', { resource: 'friends' }],
  [
    'query',
    atMost(limits.studioQueryLength),
    { resource: 'projects', query: long(limits.studioQueryLength) },
  ],
  ['archived', 'must be of type boolean', { resource: 'projects', archived: 'yes' }],
  [
    'cursor',
    atMost(limits.studioCursorLength),
    { resource: 'projects', cursor: long(limits.studioCursorLength) },
  ],
  ['The body', unknown, { resource: 'projects', extra: 1 }],
  ['projectId', required, { resource: 'documents' }],
  ['kind', 'must be one of specification, ', { resource: 'documents', projectId: nobody, kind: 'x' }],
  ['projectId', format, { resource: 'document', projectId: 'x', documentId: nobody }],
  ['documentId', required, { resource: 'document', projectId: nobody }],
];

const operationId = crypto.randomUUID();
const changing = (change: unknown) => ({ operationId, change });
const tag = { action: 'create-tags', data: data.tags };
const ofFriend = { ...friend, ...guard };

const ofChange: readonly Case[] = [
  ['operationId', required, { change: tag }],
  ['operationId', format, { operationId: 'x', change: tag }],
  ['change', required, { operationId }],
  ['change', 'must be of type object', changing('create-tags')],
  ['The body', unknown, { ...changing(tag), extra: 1 }],
  ['change.action', required, changing({})],
  ['change.action', 'must be one of create-tags, ', changing({ action: 'create-tag' })],
  ['change', unknown, changing({ ...tag, extra: 1 })],
  ['change.data', required, changing({ action: 'create-tags' })],
  ...configurationResources.flatMap((resource): Case[] => {
    const update = { action: `update-${resource}`, id: nobody, ...guard, data: data[resource] };
    return [
      ['change.id', required, changing({ ...update, id: undefined })],
      ['change.expectedRevision', format, changing({ ...update, expectedRevision: 'x' })],
      ['change.expectedRevision', required, changing({ ...update, expectedRevision: undefined })],
      ['change.expectedLabel', required, changing({ ...update, expectedLabel: undefined })],
      [
        'change.expectedLabel',
        atMost(limits.expectedLabelLength),
        changing({ ...update, expectedLabel: long(limits.expectedLabelLength) }),
      ],
      ['change.data', unknown, changing({ ...update, data: { ...(data[resource] as object), extra: 1 } })],
    ];
  }),
  [
    'change.resource',
    'must be one of tags, ',
    changing({ action: 'delete-configuration', resource: 'rich-menus', id: nobody, ...guard }),
  ],
  ['change.id', format, changing({ action: 'delete-configuration', resource: 'tags', id: 'x', ...guard })],
  [
    'change.data.notes',
    atMost(limits.friendNotesLength),
    changing({ action: 'update-friend', ...ofFriend, data: { notes: long(limits.friendNotesLength) } }),
  ],
  ['change.userId', format, changing({ action: 'update-friend', ...ofFriend, userId: 'u1', data: {} })],
  ['change.tagIds', required, changing({ action: 'set-friend-tags', ...ofFriend })],
  ['change.tagIds[1]', format, changing({ action: 'set-friend-tags', ...ofFriend, tagIds: [nobody, 'x'] })],
  [
    'change.tagIds',
    atMost(limits.tagsPerRecord, 'items'),
    changing({
      action: 'set-friend-tags',
      ...ofFriend,
      tagIds: Array(limits.tagsPerRecord + 1).fill(nobody),
    }),
  ],
  ['change.scenarioId', required, changing({ action: 'enroll-scenario', ...friend })],
  ['change.accountId', format, changing({ action: 'enroll-scenario', ...friend, accountId: 'x' })],
];

const ofKeywords: readonly Case[] = [
  ['keywords', required, {}],
  ['keywords', 'must be of type array', { keywords: 'summer' }],
  ['keywords', 'must have at least 1 item', { keywords: [] }],
  ['keywords', atMost(limits.keywordsPerRequest, 'items'), { keywords: Array(51).fill('x') }],
  ['keywords[1]', 'must have at least 1 character', { keywords: ['x', ' \t'] }],
  ['keywords[1]', atMost(limits.siteKeywordLength), { keywords: ['x', long(limits.siteKeywordLength)] }],
  ['keywords[0]', 'must be of type string', { keywords: [null] }],
  [
    'group',
    atMost(limits.siteKeywordGroupLength),
    { keywords: ['x'], group: long(limits.siteKeywordGroupLength) },
  ],
  ['group', 'must be of type string', { keywords: ['x'], group: 1 }],
];

const bodies: readonly [operation: string, path: string, cases: readonly Case[]][] = [
  ['a chat read', '/chat/read', ofChatRead],
  ['a Studio read', '/studio/read', ofStudioRead],
  ['a change', '/chat/changes', ofChange],
  ['an addition of keywords', '/sites/demo-site/keywords', ofKeywords],
];

describe.each(bodies)('[7.1.3] rejects invalid values in %s', (_, path, cases) => {
  const send = (body: object, language: string): Promise<Answer> =>
    caller.send(path, body, { headers: { 'Accept-Language': language } });

  it.each(cases)('is described with its path: %s %s', async (place, problem, body) => {
    const english = await send(body, 'en');
    expect(english).toMatchObject({ status: 400, body: { error: 'INVALID_INPUT' } });
    expect(english.body.message).toContain(` ${place} ${problem}`);
    const japanese = await send(body, 'ja');
    if (place !== 'The body') expect(japanese.body.message).toContain(`${place}: `);
    expect(japanese.body.message).toMatch(/[\u3040-\u30ff\u4e00-\u9fff]/);
    expect(mock.operations()).toEqual([]);
  });
});
