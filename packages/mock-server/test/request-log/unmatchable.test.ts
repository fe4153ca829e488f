import { describe, expect, it } from 'vitest';
import { ControlError, createMock, type Mock, type MockOptions, type Verification } from '../../src/index.ts';
import { Caller, createGuard } from '../../test-support/caller.ts';
import { data, nobody, shop, vip } from '../../test-support/data.ts';

type Filter = Omit<Verification, 'times'>;

const open = (options: MockOptions = {}): Mock =>
  createMock({ rateLimit: 'off', monthlyLimit: 'off', ...options });

/** The message of the refusal, or undefined if the verification is not refused. */
function verify(mock: Mock, filter: Filter, times: Verification['times'] = 0): string | undefined {
  try {
    mock.requests.verify({ ...filter, times });
    return undefined;
  } catch (error) {
    if (error instanceof ControlError && error.status === 400) return error.message;
    throw error;
  }
}

const tag = { action: 'create-tags', data: data.tags };

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
      const message = verify(open(), filter, times);
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
    const mock = open();
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
    expect(verify(open(), filter)).toContain(says);
    const { status, recordId, ...others } = filter;
    expect(verify(open(), others)).toBeUndefined();
  });

  it('but not that of a GET, which is not read', () => {
    expect(verify(open(), { operation: 'getAccount', status: 200, body: { x: 1 } })).toBeUndefined();
    expect(verify(open(), { status: 200, body: { x: 1 } })).toBeUndefined();
  });
});

describe('a verification that a request can match is not refused', () => {
  it('for every field and value of a request that was sent', async () => {
    const mock = open();
    const caller = new Caller(mock);
    const { result } = (await caller.apply(tag)).body;
    const update = { action: 'update-tags', id: result.id, ...createGuard(result), data: data.tags };
    await caller.apply(update);
    await caller.apply(update);
    await caller.keywords('demo-site', { keywords: [' a '], note: 'ignored' });
    await caller.keywords('no-site', { keywords: ['a'] });
    await caller.read({ resource: 'projects' });
    await caller.read({ resource: 'tags', limit: 3 });
    await caller.apply({ action: 'delete-configuration', resource: 'rich-menus', id: vip });
    await caller.as('no-key').me();
    await caller.send('/nowhere');
    await caller.send('/chat/read', undefined, { method: 'GET' });
    for (const { id } of mock.requests.list()) {
      const { operation, action, resource, recordId, operationId, status, applied, path, request } =
        mock.requests.get(id);
      const all = { operation, action, resource, recordId, operationId, status, path };
      const filter = {
        ...Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)),
        applied,
        ...(request.body !== null && { body: request.body as Record<string, unknown> }),
      };
      expect(mock.requests.verify({ ...filter, times: 1 }), JSON.stringify(filter)).toEqual({ ok: true });
      for (const [name, value] of Object.entries(filter))
        expect(mock.requests.verify({ [name]: value, times: { atLeast: 1 } })).toEqual({ ok: true });
    }
    expect(verify(mock, { key: 'no-key' }, 1)).toBeUndefined();
    expect(verify(mock, { siteId: 'no-site' }, 1)).toBeUndefined();
  });

  it('for what a fault may have answered, also after it was disarmed', () => {
    const mock = open();
    expect(verify(mock, { operation: 'getAccount', status: 503 })).toMatch(/^status/);
    mock.faults.arm({ effect: 'respond', status: 503, undeclared: true, probability: 0.01, times: 'always' });
    mock.faults.disarm();
    expect(verify(mock, { operation: 'getAccount', status: 503 })).toBeUndefined();
  });

  it('for a change that was applied and answered with an error', async () => {
    const mock = open();
    expect(verify(mock, { applied: true, status: 409 })).toMatch(/^status is 409/);
    mock.faults.arm({ effect: 'fail-response', operation: 'changeChat', status: 409 });
    const { headers } = await new Caller(mock).apply(tag);
    expect(headers.get('x-request-id')).toBe(mock.requests.list()[0]?.requestId);
    mock.requests.verify({ applied: true, status: 409, times: 1 });
  });

  it('for a record that was deleted, changed before the log was cleared, or is a friend or an enrollment', async () => {
    const mock = open();
    const caller = new Caller(mock);
    const { result } = (await caller.apply(tag)).body;
    await caller.apply({
      action: 'delete-configuration',
      resource: 'tags',
      id: result.id,
      ...createGuard(result),
    });
    const { accountId, userId } = await caller.first('friends');
    const [enrollment] = (await caller.read({ resource: 'friend-automations', accountId, userId })).body
      .records;
    mock.requests.clear();
    for (const recordId of [
      result.id,
      result.id.toUpperCase(),
      vip,
      `${accountId}/${userId}`,
      enrollment?.id ?? '',
    ])
      expect([recordId, verify(mock, { recordId })]).toEqual([recordId, undefined]);
  });

  it('for what a full log may have dropped', async () => {
    const mock = open({ requestLogSize: 1 });
    const caller = new Caller(mock);
    await caller.as('other-key').me();
    await caller.me();
    expect(() => mock.requests.verify({ key: 'other-key', times: 0 })).toThrow(/request log is full/);
    expect(verify(mock, { action: 'create-tags', operation: 'readChat' })).toMatch(/^action/);
  });

  it('for parts of bodies that are valid', () => {
    const mock = open();
    for (const body of [
      {},
      { change: {} },
      { change: { data: { name: ' VIP ' } } },
      { change: { action: 'create-links', data: { url: 'https://example.com', tagId: null } } },
      { change: { data: { content: [{ type: 'text' }] } } },
      { change: { data: { design: null } } },
      { change: { tagIds: [vip.toUpperCase()] } },
      { keywords: ['a'] },
      { note: 'a keyword body may have any field' },
    ])
      expect([body, verify(mock, { body, applied: true })]).toEqual([body, undefined]);
    expect(verify(mock, { body: { note: 1 }, applied: true, action: 'create-tags' })).toMatch(/^body\.note/);
  });
});

describe('a keyword write', () => {
  it('is found by its site and its path', async () => {
    const mock = open();
    const caller = new Caller(mock);
    await caller.keywords('demo-site', { keywords: ['a'] });
    await caller.keywords('demo%2Dsite', { keywords: ['b'] });
    await caller.keywords('demo-blog', { keywords: ['c'] });
    mock.requests.verify({ siteId: 'demo-site', times: 2 });
    mock.requests.verify({ siteId: 'demo-blog', applied: true, times: 1 });
    mock.requests.verify({ path: '/sites/demo%2Dsite/keywords', times: 1 });
    mock.requests.verify({ path: '/sites/demo-blog/keywords', times: 1 });
    mock.requests.verify({ path: '/me', times: 0 });
    expect(() => mock.requests.verify({ siteId: 'demo-blog', times: 2 })).toThrow(/found 1/);
    try {
      mock.requests.verify({ siteId: 'demo-blog', body: { keywords: ['a'] }, times: 1 });
    } catch (error) {
      expect((error as ControlError).extra.nearMisses).toMatchObject([
        { missed: ['body'] },
        { missed: ['siteId'] },
        { missed: ['siteId', 'body'] },
      ]);
    }
  });
});
