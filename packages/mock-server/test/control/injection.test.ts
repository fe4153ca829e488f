import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ControlError, createMock, type InjectedRecord, type Listening, type Mock } from '../../src/index.ts';
import { deriveFriendId, deriveUuid } from '../../src/primitives/digest.ts';
import { Caller } from '../../test-support/caller.ts';
import { salon, shop, vip, welcome } from '../../test-support/data.ts';

const aiko = { accountId: shop, userId: deriveFriendId('aiko') };
const at = '2027-01-01T00:00:00.000Z';

let mock: Mock;
let server: Listening;
let caller: Caller;
beforeEach(async () => {
  mock = createMock({ rateLimit: 'off', now: () => Date.parse(at) });
  server = await mock.listen({ port: 0 });
  caller = new Caller({ baseUrl: server.baseUrl, fetch });
});
afterEach(() => server.close());

interface ControlAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function control(method: string, path: string, body?: unknown): Promise<ControlAnswer> {
  const response = await fetch(`${server.controlUrl}${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Injects through the method that a path stands for. */
function injectByMethod(path: string, input: never): InjectedRecord | object {
  const [, first = '', one = '', two = '', three = ''] = path.split('/').map(decodeURIComponent);
  if (path.endsWith('/messages')) return mock.inject.message({ accountId: one, userId: two }, input);
  if (path.endsWith('/submissions')) return mock.inject.submission(one, input);
  if (path.endsWith('/clicks')) return mock.inject.click(one, input);
  if (path.endsWith('/documents')) return mock.inject.document(two, input);
  if (first === 'studio' && three === '') return mock.inject.project(input);
  if (first === 'friends') return mock.inject.friend(input);
  return first === 'sites' ? mock.inject.site(input) : mock.inject.key(input);
}

async function injectOverHttp(path: string, input: unknown): Promise<ControlAnswer['body']> {
  const { status, body } = await control('POST', path, input);
  expect([status, body.message]).toEqual([201, undefined]);
  return body;
}

const messages = `/friends/${aiko.accountId}/${aiko.userId}/messages`;
const form = deriveUuid('survey');
const link = deriveUuid('spring-page');
const website = deriveUuid('website');

describe.each([
  ['over HTTP', injectOverHttp],
  ['by method', async (path: string, input: unknown) => injectByMethod(path, input as never)],
] as const)('injected %s', (_, inject) => {
  it('a friend is read by the API, with what was left out', async () => {
    const friend = (await inject('/friends', { displayName: 'Mio' })) as Record<string, string>;
    expect(friend).toMatchObject({
      ...{ accountId: shop, label: 'Mio', displayName: 'Mio', status: 'unread', notes: null, tagIds: [] },
      ...{ createdAt: at, updatedAt: at, userId: expect.stringMatching(/^U[0-9a-f]{32}$/) },
      revision: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const { body } = await caller.read({ resource: 'friends', limit: 1 });
    expect(body.records).toEqual([friend]);
    const again = (await inject('/friends', { displayName: 'Mio' })) as Record<string, string>;
    expect(again.userId).not.toBe(friend.userId);
  });

  it('a friend may have everything a seed can say, with names instead of ids', async () => {
    const friend = await inject('/friends', {
      ...{ accountId: 'salon', userId: 'mio', displayName: 'Mio', status: 'resolved', notes: 'Regular' },
      ...{ tagIds: ['vip'], createdAt: '2026-12-01', version: 3 },
      messages: [{ text: 'Hello' }, { direction: 'outgoing', text: 'Hi', sentAt: '2027-02-01T00:00:00Z' }],
      automations: [{ scenarioId: 'welcome' }],
    });
    const mio = { accountId: salon, userId: deriveFriendId('mio') };
    expect(friend).toMatchObject({ ...mio, tagIds: [vip], createdAt: '2026-12-01T00:00:00.000Z' });
    expect((await caller.read({ resource: 'messages', ...mio })).body.records).toMatchObject([
      { direction: 'outgoing', text: 'Hi', sentAt: '2027-02-01T00:00:00.000Z' },
      { direction: 'incoming', text: 'Hello', sentAt: at },
    ]);
    expect((await caller.read({ resource: 'friend-automations', ...mio })).body.records).toMatchObject([
      { scenarioId: welcome, scenarioName: 'Welcome series', status: 'active', nextStep: 0, enrolledAt: at },
    ]);
    expect(mock.notifications()).toEqual([]);
  });

  it('a message moves its conversation to the top, and changes no revision', async () => {
    const before = await caller.read({ resource: 'friends' });
    const { body: old } = await caller.read({ resource: 'conversations' });
    const last = old.records.at(-1);
    const path = `/friends/${last?.accountId}/${last?.userId}/messages`;
    const message = await inject(path, { text: 'Are you open?' });
    expect(message).toMatchObject({ direction: 'incoming', text: 'Are you open?', sentAt: at });
    const { body } = await caller.read({ resource: 'conversations' });
    expect(body.total).toBe(old.total);
    expect(body.records[0]).toEqual({ ...last, lastMessageText: 'Are you open?', lastMessageAt: at });
    expect(body.records.slice(1)).toEqual(old.records.slice(0, -1));
    const person = { accountId: last?.accountId, userId: last?.userId };
    expect((await caller.read({ resource: 'messages', ...person })).body.records[0]).toEqual(message);
    expect((await caller.read({ resource: 'friends' })).body).toEqual(before.body);
    await inject('/friends', { displayName: 'New', userId: 'new' });
    await inject('/friends/shop/new/messages', { text: 'First' });
    expect((await caller.read({ resource: 'conversations' })).body.total).toBe(old.total + 1);
  });

  it('submissions and clicks need no friend, and do not tag or enroll', async () => {
    const friends = await caller.read({ resource: 'friends', accountId: shop });
    const submission = await inject(`/forms/${form}/submissions`, { values: { mail: 'x@example.com' } });
    const { accountId, userId } = friends.body.records[0] ?? {};
    expect(submission).toMatchObject({ formId: form, accountId, userId, submittedAt: at });
    const own = await inject('/forms/survey/submissions', { ...aiko, values: {} });
    const read = await caller.read({ resource: 'form-submissions', id: form });
    expect(read.body.records.slice(0, 2)).toEqual([own, submission]);
    const click = await inject(`/links/${link}/clicks`, {});
    expect(click).toMatchObject({ linkId: link, accountId: null, userId: null, clickedAt: at });
    const known = await inject('/links/spring-page/clicks', { accountId: 'shop', userId: 'aiko' });
    expect(known).toMatchObject(aiko);
    expect((await caller.read({ resource: 'link-clicks', id: link })).body.records.slice(0, 2)).toEqual([
      known,
      click,
    ]);
    expect((await caller.read({ resource: 'friends', accountId: shop })).body).toEqual(friends.body);
    expect([mock.notifications(), mock.audit(), mock.operations()]).toEqual([[], [], []]);
  });

  it('projects and documents are read by the API, the last changed first', async () => {
    const project = await inject('/studio/projects', {
      name: 'Autumn',
      documents: [{ title: 'Plan', kind: 'note', body: '# Plan' }],
    });
    expect(project).toMatchObject({ name: 'Autumn', description: '', archived: false, updatedAt: at });
    const { id } = project as { id: string };
    expect((await caller.studio({ resource: 'projects' })).body.projects[0]).toEqual(project);
    const document = await inject(`/studio/projects/${id}/documents`, {
      title: 'Colors',
      kind: 'brand',
      body: '# Colors',
    });
    const { body } = await caller.studio({ resource: 'documents', projectId: id });
    expect(body.documents).toMatchObject([{ title: 'Colors' }, { title: 'Plan' }]);
    const documentId = (document as { id: string }).id;
    const read = await caller.studio({ resource: 'document', projectId: id, documentId });
    expect(read.body.document).toEqual(document);
    await inject('/studio/projects/website/documents', { title: 'A', kind: 'brand', body: '' });
    expect((await caller.studio({ resource: 'documents', projectId: website })).body.total).toBeGreaterThan(
      1,
    );
  });

  it('a site takes keywords', async () => {
    const site = await inject('/sites', {
      keywordLimit: 3,
      keywords: ['one', { keyword: 'two', group: 'g' }],
    });
    const { id } = site as { id: string };
    expect(site).toEqual({ id, name: id, keywordLimit: 3 });
    expect(mock.keywords(id)).toEqual([
      { keyword: 'one', group: null, addedAt: at },
      { keyword: 'two', group: 'g', addedAt: at },
    ]);
    expect((await caller.keywords(id, { keywords: ['two', 'three'] })).body.added).toEqual(['three']);
    expect((await caller.keywords(id, { keywords: ['four'] })).body.error).toBe('KEYWORD_LIMIT_EXCEEDED');
  });

  it('a key makes requests', async () => {
    const key = await inject('/keys', { name: 'Salon', scope: 'read', accountIds: ['salon'] });
    expect(key).toMatchObject({
      organizationId: 'org_demo',
      accountIds: [salon],
      editor: true,
      revoked: false,
    });
    const limited = caller.as((key as { key: string }).key);
    expect((await limited.me()).status).toBe(200);
    expect((await limited.read({ resource: 'accounts' })).body.total).toBe(1);
    expect(mock.listKeys()).toContainEqual(expect.objectContaining(key));
    await inject('/keys', { key: 'my-own-key', name: 'Own', scope: 'write' });
    expect((await caller.as('my-own-key').me()).status).toBe(200);
  });

  it('everything is in the events of the mock', async () => {
    const events = mock.events()[Symbol.asyncIterator]();
    const next = async (): Promise<unknown> => {
      const { value } = await events.next();
      if (value?.name !== 'record') throw new Error('It is an event about a record.');
      const { resource, action, by, requestId } = value.data;
      return [resource, action, by, requestId];
    };
    for (const [path, input, resource] of [
      ['/friends', { displayName: 'A' }, 'friends'],
      [messages, { text: 'B' }, 'messages'],
      [`/forms/${form}/submissions`, { values: {} }, 'form-submissions'],
      [`/links/${link}/clicks`, {}, 'link-clicks'],
      ['/studio/projects', { name: 'C' }, 'projects'],
      ['/studio/projects/website/documents', { title: 'D', kind: 'brand', body: '' }, 'documents'],
      ['/sites', {}, 'sites'],
      ['/keys', { name: 'E', scope: 'read' }, 'keys'],
    ] as const) {
      await inject(path, input);
      expect(await next()).toEqual([resource, 'created', 'control', null]);
    }
    await events.return?.();
  });
});

const unknown = '00000000-0000-4000-8000-00000000dead';
const twice = (item: object): object[] => [1, 2].map(() => ({ id: unknown, ...item }));

describe('an injection is refused, with what would have worked:', () => {
  it.each([
    ['/friends', {}, 400, /displayName/],
    ['/friends', { displayName: 'A', color: 'pink' }, 400, /color/],
    [
      '/friends',
      { displayName: 'A', accountId: unknown },
      400,
      `accountId: no account with id ${unknown}. Accounts: ${shop}`,
    ],
    ['/friends', { displayName: 'A', tagIds: ['nobody'] }, 400, /tagIds\[0\]: no tag with id .* Tags: /],
    [
      '/friends',
      { displayName: 'A', automations: [{ scenarioId: unknown }] },
      400,
      /automations\[0\]\.scenarioId: no scenario with id .* Scenarios: /,
    ],
    ['/friends', { displayName: 'A', messages: [{ text: 'x' }, { text: 1 }] }, 400, /messages\[1\]\.text/],
    ['/friends', { displayName: 'A', automations: twice({ scenarioId: 'welcome' }) }, 400, /Two automations/],
    [
      '/studio/projects',
      { name: 'A', documents: twice({ title: 'A', kind: 'note', body: '' }) },
      400,
      /Two documents/,
    ],
    ['/friends', { displayName: 'A', createdAt: 'soon' }, 400, /createdAt must be a date and time/],
    [
      '/friends',
      { displayName: 'A', createdAt: '2001-01-01' },
      400,
      /createdAt must not be earlier than .* Omit createdAt/,
    ],
    ['/friends', { ...aiko, displayName: 'A' }, 409, /already a friend .* Leave out userId/],
    [
      '/friends?organization=nobody',
      { displayName: 'A' },
      404,
      /organization nobody\. Organizations: org_demo/,
    ],
    ['/friends?account=shop', { displayName: 'A' }, 400, /account.*accepts organization/],
    [messages, {}, 400, /text/],
    [messages, { text: 'A', direction: 'sideways' }, 400, /direction/],
    [messages, { text: 'A', sentAt: '2001-01-01' }, 400, /sentAt must not be earlier than/],
    [`/friends/shop/nobody/messages`, { text: 'A' }, 404, /no friend .*\. Friends: /],
    [`/forms/${form}/submissions`, {}, 400, /values/],
    [`/forms/${form}/submissions`, { values: { mail: 1 } }, 400, /values/],
    [`/forms/${form}/submissions`, { userId: 'aiko', values: {} }, 400, /used together/],
    [
      `/forms/${form}/submissions`,
      { ...aiko, userId: 'nobody', values: {} },
      400,
      /no friend .*\. Friends: /,
    ],
    [`/forms/${form}/submissions`, { values: {}, submittedAt: '2001-01-01' }, 400, /submittedAt must not be/],
    [`/forms/${unknown}/submissions`, { values: {} }, 404, `no form with id ${unknown}. Forms: ${form}`],
    [`/links/${link}/clicks`, { accountId: unknown, userId: 'aiko' }, 400, /accountId: no account with id/],
    [`/links/${link}/clicks`, { clickedAt: '2001-01-01' }, 400, /clickedAt must not be/],
    [`/links/${unknown}/clicks`, {}, 404, `Links: ${link}`],
    ['/studio/projects', {}, 400, /name/],
    ['/studio/projects', { id: website, name: 'A' }, 409, /already a project .* Leave out id/],
    ['/studio/projects/website/documents', { title: 'A', kind: 'poem', body: '' }, 400, /kind/],
    [`/studio/projects/${unknown}/documents`, { title: 'A', kind: 'brand', body: '' }, 404, /Projects: /],
    ['/sites', { id: 'demo-site' }, 409, /already a site demo-site/],
    ['/sites', { keywords: ['a', 'a'] }, 400, /twice/],
    ['/sites', { keywordLimit: -1 }, 400, /keywordLimit/],
    ['/keys', { key: 'demo-read-key', name: 'A', scope: 'read' }, 409, /already a key/],
    ['/keys', { key: 'with space', name: 'A', scope: 'read' }, 400, /printable ASCII/],
    ['/keys', { name: 'A' }, 400, /scope/],
    ['/keys', { name: 'A', scope: 'read', accountIds: [unknown] }, 400, /accountIds: no account with id/],
  ] as const)('%s %j is %i', async (path, input, status, message) => {
    const before = { ...(mock.state() as object), savedAt: '', chance: '' };
    const answer = await control('POST', path, input);
    expect(answer).toEqual({
      status,
      body: {
        error: expect.any(String),
        message:
          typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
      },
    });
    expect({ ...(mock.state() as object), savedAt: '', chance: '' }).toEqual(before);
    if (!path.includes('?')) expect(() => injectByMethod(path, input as never)).toThrow(ControlError);
  });

  it.each([
    [messages, { text: 'A' }],
    [`/forms/${form}/submissions`, { values: {} }],
    [`/links/${link}/clicks`, {}],
    ['/studio/projects/website/documents', { title: 'A', kind: 'brand', body: '' }],
  ])('%s with an id that exists is 409', async (path, input) => {
    const { body } = await control('POST', path, input);
    const again = await control('POST', path, { ...input, id: body.id });
    expect([again.status, again.body.error]).toEqual([409, 'ALREADY_EXISTS']);
    expect(again.body.message).toContain('Leave out id');
  });
});
