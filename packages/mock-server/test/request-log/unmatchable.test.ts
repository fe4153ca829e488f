import { describe, expect, it } from 'vitest';
import { nobody, shop, vip } from '../../test-support/data.ts';
import { type Filter, openUnlimited, verify } from '../../test-support/verification.ts';

describe('a verification that no request can match is refused', () => {
  it.each<[string, Filter, RegExp]>([
    ['an unknown key', { key: 'demo-writ-key' }, /^key must be the text of a key.*Demo write key/],
    [
      'an action of another operation',
      { action: 'create-tags', operation: 'readChat' },
      /^action .*no request matches create-tags/,
    ],
    [
      'an action with another resource',
      { action: 'create-tags', resource: 'forms' },
      /^resource must be tags/,
    ],
    [
      'a resource of another operation',
      { operation: 'readChat', resource: 'projects' },
      /^resource must be one of accounts/,
    ],
    [
      'a resource of an operation without one',
      { operation: 'getAccount', resource: 'tags' },
      /^resource can only be set if operation is one of/,
    ],
    [
      'a change that cannot be made',
      { action: 'delete-configuration', resource: 'rich-menus' },
      /^resource must be one of tags/,
    ],
    [
      'a status of another operation',
      { operation: 'getAccount', status: 404 },
      /^status must be one of 200, 401/,
    ],
    [
      'the success of another operation',
      { operation: 'addSeoKeywords', status: 200 },
      /^status must be one of 201/,
    ],
    ['a status that nothing has', { status: 302 }, /^status must be one of/],
    ['a number that is not a status', { status: 20 }, /^status must be one of/],
    [
      'a read that changed something',
      { operation: 'readStudio', applied: true },
      /^applied is true only for changes/,
    ],
    ['a refusal that changed something', { applied: true, status: 409 }, /^status is 409/],
    ['a record of a read', { operation: 'readChat', recordId: vip }, /^recordId can only be set for changes/],
    [
      'a record that was not changed',
      { recordId: vip, applied: false },
      /^recordId can only be set for requests that changed/,
    ],
    ['an unknown record', { recordId: nobody }, /^recordId must be the id of a record/],
    ['an unknown friend', { recordId: `${shop}/U${'0'.repeat(32)}` }, /^recordId must be the id of a record/],
    [
      'an id that no applied change has',
      { operationId: 'order-1', applied: true },
      /^operationId must be a UUID/,
    ],
    [
      'an operationId of a read',
      { operation: 'readChat', operationId: nobody },
      /^operation must be changeChat/,
    ],
    ['an unknown site', { siteId: 'demo-sit' }, /^siteId must be .*demo-site, demo-blog/],
    ['a site of a change', { siteId: 'demo-site', action: 'create-tags' }, /^action .*siteId demo-site/],
    ['a site of a read', { siteId: 'demo-site', operation: 'readChat' }, /^operation must be addSeoKeywords/],
    ['an unknown path', { path: '/chat/reads' }, /^path must be a path below the base URL.*\/chat\/read/],
    ['a path with the base', { path: '/api/v1/me' }, /^path must be a path below the base URL/],
    ['a path of another operation', { path: '/me', operation: 'readChat' }, /^operation must be getAccount/],
    [
      'a body of another action',
      { action: 'create-tags', body: { change: { action: 'update-tags' } } },
      /^body\.change\.action must be create-tags/,
    ],
    [
      'a body of another operationId',
      { operationId: nobody, body: { operationId: vip } },
      /^body\.operationId must be/,
    ],
    [
      'a body of another resource',
      { resource: 'tags', operation: 'readChat', body: { resource: 'forms' } },
      /^body\.resource must be tags, as resource/,
    ],
    [
      'a deletion of another resource',
      { action: 'delete-configuration', resource: 'tags', body: { change: { resource: 'forms' } } },
      /^body\.change\.resource must be tags/,
    ],
    [
      'a body with another record',
      { recordId: vip, body: { change: { id: nobody } } },
      /^body\.change\.id must be/,
    ],
    [
      'a record of another resource',
      { recordId: vip, action: 'update-templates' },
      /^recordId is of tags, and the requests are for templates/,
    ],
    ['a record of other requests', { recordId: vip, resource: 'friends' }, /^recordId is of tags/],
    [
      'a path of another site',
      { path: '/sites/demo-blog/keywords', siteId: 'demo-site' },
      /^siteId must be demo-blog, the site of path/,
    ],
    [
      'an id that no change of a record has',
      { operationId: 'order-1', recordId: vip },
      /^operationId must be a UUID/,
    ],
    [
      'an id that no answered change has',
      { operationId: 'order-1', status: 200 },
      /^operationId must be a UUID/,
    ],
  ])('%s', (_what, filter, says) => {
    for (const times of [0, 1, { atMost: 3 }, { atLeast: 2 }] as const) {
      const message = verify(openUnlimited(), filter, times);
      expect(message).toMatch(says);
      expect(message).toMatch(/\.$/);
    }
  });

  it.each<[Record<string, unknown>, string]>([
    [
      { change: { data: { colour: 'pink' } } },
      'body.change.data.colour is in no valid body (did you mean color?)',
    ],
    [
      { change: { action: 'create-links', data: { uri: 'x' } } },
      'body.change.data.uri is in no valid body (did you mean url?)',
    ],
    [
      { change: { data: { steps: [{}, { delay: 1 }] } } },
      'body.change.data.steps[1].delay is in no valid body',
    ],
    [
      { change: { data: { messages: [{ type: 'card', cards: [{ titel: 'x' }] }] } } },
      'body.change.data.messages[0].cards[0].titel is in no valid body (did you mean title?)',
    ],
    [
      { change: { data: { design: { styles: 'bold' } } } },
      'body.change.data.design.styles is in no valid body (did you mean style?)',
    ],
    [{ change: { data: { color: 'red' } } }, 'body.change.data.color is "red" in no valid body'],
    [{ change: { data: { tagIds: vip } } }, 'body.change.data.tagIds'],
    [{ keywords: [''] }, 'body.keywords[0] is "" in no valid body'],
    [{ operationId: 'x' }, 'body.operationId is "x" in no valid body'],
  ])('a body that no applied request has: %j', (body, says) => {
    const mock = openUnlimited();
    expect(verify(mock, { body, applied: true })).toContain(says);
    // A request that is refused may have any body.
    expect(verify(mock, { body })).toBeUndefined();
    expect(verify(mock, { body, applied: false })).toBeUndefined();
  });
});

describe('a body that no accepted request has is refused', () => {
  it.each<[Filter, string]>([
    [{ operation: 'readChat', status: 200, body: { limit: 99 } }, 'body.limit is 99 in no valid body'],
    [
      { operation: 'readStudio', status: 200, body: { querry: 'a' } },
      'body.querry is in no valid body (did you mean query?)',
    ],
    [{ status: 201, body: { keywords: 'a' } }, 'body.keywords is "a" in no valid body'],
    [
      { action: 'create-tags', status: 200, body: { change: { data: { colour: 'pink' } } } },
      'body.change.data.colour is in no valid body (did you mean color?)',
    ],
    [
      { recordId: vip, body: { change: { data: { nmae: 'a' } } } },
      'body.change.data.nmae is in no valid body',
    ],
  ])('%j', (filter, says) => {
    expect(verify(openUnlimited(), filter)).toContain(says);
    const { status, recordId, ...others } = filter;
    expect(verify(openUnlimited(), others)).toBeUndefined();
  });

  it('but not that of a GET, which is not read', () => {
    expect(verify(openUnlimited(), { operation: 'getAccount', status: 200, body: { x: 1 } })).toBeUndefined();
    expect(verify(openUnlimited(), { status: 200, body: { x: 1 } })).toBeUndefined();
  });
});
