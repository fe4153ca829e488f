import { limits, readableResources } from '@orgchat/spec';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMock, generateSeed, type Mock } from '../../src/index.ts';
import { Caller, type Item } from '../../test-support/caller.ts';
import { useServer } from '../../test-support/control-server.ts';
import { RestartableMock } from '../../test-support/restartable-mock.ts';

const { control } = useServer();
const file = new RestartableMock();

type Records = readonly Readonly<Record<string, unknown>>[];

/** What the API shows of a resource, with the parents that it asks for. */
async function readAll(caller: Caller, resource: string): Promise<Records> {
  const read = async (input: object): Promise<Records> => {
    const { body, status } = await caller.read(input);
    expect([input, status]).toEqual([input, 200]);
    return body.records;
  };
  const perParent = async (
    parents: Records,
    toInput: (parent: Records[number]) => object,
  ): Promise<Records> =>
    (await Promise.all(parents.map((parent) => read({ resource, ...toInput(parent) })))).flat();
  if (resource === 'messages' || resource === 'friend-automations') {
    return perParent(await readAll(caller, 'friends'), ({ accountId, userId }) => ({ accountId, userId }));
  }
  if (resource === 'form-submissions') return perParent(await readAll(caller, 'forms'), ({ id }) => ({ id }));
  if (resource === 'link-clicks') return perParent(await readAll(caller, 'links'), ({ id }) => ({ id }));
  if (resource === 'projects') return (await caller.studio({ resource })).body.projects;
  if (resource !== 'documents') return read({ resource });
  const projects = await readAll(caller, 'projects');
  const readDocuments = async ({ id: projectId }: Records[number]): Promise<Records> => {
    const pages: Item[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { body } = await caller.studio({ resource, projectId, ...(cursor && { cursor }) });
      pages.push(...body.documents);
      cursor = body.next;
    }
    const found = pages.map(async ({ id: documentId }) => {
      const one = await caller.studio({ resource: 'document', projectId, documentId });
      return { projectId, ...one.body.document };
    });
    return Promise.all(found);
  };
  return (await Promise.all(projects.map(readDocuments))).flat();
}

const byText = (records: Records): string[] => records.map((record) => JSON.stringify(record)).sort();

const resources = [...readableResources, 'projects', 'documents'] as const;

async function expectListed(mock: Mock): Promise<void> {
  const caller = new Caller(mock);
  for (const resource of resources) {
    const { records, total } = mock.records({ resource, limit: 1000 });
    expect([resource, total]).toEqual([resource, records.length]);
    expect([resource, byText(records)]).toEqual([resource, byText(await readAll(caller, resource))]);
  }
}

describe('the records of a mock', () => {
  it('are those that the API shows, of every resource', async () => {
    const mock = createMock({ rateLimit: 'off' });
    await expectListed(mock);
    expect(mock.records({ resource: 'sites' }).records).toMatchObject([
      { id: 'demo-site', keywordLimit: 1000 },
      { id: 'demo-blog', keywordLimit: 100 },
    ]);
    await new Caller(mock).keywords('demo-blog', { keywords: ['new'], group: 'g' });
    expect(mock.records({ resource: 'keywords' })).toEqual({
      records: [
        { siteId: 'demo-site', keyword: 'spring sale', group: 'season', addedAt: expect.any(String) },
        { siteId: 'demo-site', keyword: 'opening hours', group: null, addedAt: expect.any(String) },
        { siteId: 'demo-blog', keyword: 'new', group: 'g', addedAt: expect.any(String) },
      ],
      total: 3,
    });
    for (const resource of ['tags', 'friends', 'conversations', 'projects'] as const) {
      expect(mock.records({ resource }).records).toEqual(await readAll(new Caller(mock), resource));
    }
  });

  it('come in pages, newest first', async () => {
    const mock = createMock({ seed: generateSeed({ friends: 120, messages: 3 }) });
    const all = mock.records({ resource: 'messages', limit: 1000 });
    expect(all.total).toBe(all.records.length);
    const page = mock.records({ resource: 'messages', offset: 10, limit: 20 });
    expect(page).toEqual({ records: all.records.slice(10, 30), total: all.total });
    const friends = mock.records({ resource: 'friends' });
    expect(friends.records).toHaveLength(limits.pageSize);
    expect(mock.records({ resource: 'friends', offset: 500 })).toEqual({ records: [], total: friends.total });
  });

  it('are listed over HTTP, and refused with what would have worked', async () => {
    const { body } = await control('GET', '/records?resource=tags&offset=1&limit=1');
    expect(body).toMatchObject({
      records: [expect.objectContaining({ color: expect.any(String) })],
      total: 3,
    });
    for (const [query, message] of [
      ['', /resource/],
      ['?resource=nobody', /resource.*friends/],
      ['?resource=tags&limit=0', /limit/],
      ['?resource=tags&offset=-1', /offset/],
      ['?resource=tags&limit=x', /limit/],
      ['?resource=tags&resource=links', /repeated/],
      ['?resource=tags&after=1', /after.*offset/],
    ] as const) {
      const answer = await control('GET', `/records${query}`);
      expect([query, answer.status, answer.body.message]).toEqual([
        query,
        400,
        expect.stringMatching(message),
      ]);
    }
  });
});

const word = fc.string({ minLength: 1, maxLength: 20 }).map((text) => `x${text}`);
const child = fc.record(
  { text: word, direction: fc.constantFrom('incoming', 'outgoing') },
  { requiredKeys: ['text'] },
);

/** One injection: a path, and a body. Paths use names of the demo. */
const injection = fc.oneof(
  fc.record({
    path: fc.constant('/friends'),
    body: fc.record(
      {
        displayName: word,
        accountId: fc.constantFrom('shop', 'salon'),
        notes: fc.option(word),
        tagIds: fc.subarray(['vip', 'newsletter', 'trial']),
        messages: fc.array(child, { maxLength: 2 }),
        automations: fc.constant([{ scenarioId: 'welcome' }]),
      },
      { requiredKeys: ['displayName'] },
    ),
  }),
  fc.record({
    path: fc.constantFrom('/friends/shop/aiko/messages', '/friends/shop/ben/messages'),
    body: child,
  }),
  fc.record({
    path: fc.constant('/forms/survey/submissions'),
    body: fc.record({
      values: fc.dictionary(word, fc.oneof(word, fc.array(word, { maxLength: 2 })), { maxKeys: 2 }),
    }),
  }),
  fc.record({
    path: fc.constant('/links/spring-page/clicks'),
    body: fc.constantFrom({}, { accountId: 'shop', userId: 'aiko' }),
  }),
  fc.record({
    path: fc.constantFrom('/studio/projects/website/documents', '/studio/projects/campaign/documents'),
    body: fc.record({ title: word, kind: fc.constant('brand'), body: word }),
  }),
  fc.record({
    path: fc.constant('/studio/projects'),
    body: fc.record({ name: word, archived: fc.boolean() }),
  }),
  fc.record({ path: fc.constant('/sites'), body: fc.record({ keywords: fc.constant(['one']) }) }),
  fc.record({
    path: fc.constant('/keys'),
    body: fc.record({ name: word, scope: fc.constantFrom('read', 'write') }),
  }),
);

async function injectAll(mock: Mock, injections: readonly { path: string; body: object }[]): Promise<void> {
  for (const { path, body } of injections) {
    mock.clock.advance(1_000);
    const response = await mock.fetch(`${mock.controlUrl}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    const text = await response.text();
    expect([path, body, response.status === 201 ? 201 : text]).toEqual([path, body, 201]);
  }
}

const readState = (mock: Mock): object => ({ ...(mock.state() as object), savedAt: '' });

describe('what is injected', () => {
  it('can be read by the API, and is the same after it was saved and restored', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(injection, { minLength: 1, maxLength: 8 }), async (injections) => {
        const mock = createMock({ rateLimit: 'off', now: () => Date.parse('2027-01-01') });
        await injectAll(mock, injections);
        await expectListed(mock);
        const restored = mock.sandbox({ state: mock.state() });
        expect(readState(restored)).toEqual(readState(mock));
        for (const resource of resources) {
          expect(restored.records({ resource })).toEqual(mock.records({ resource }));
        }
      }),
      { numRuns: 25, seed: 16 },
    );
  });

  it('survives a restart with a data file', async () => {
    const { mock } = file.start();
    await injectAll(mock, fc.sample(injection, { numRuns: 40, seed: 16 }));
    const before = readState(mock);
    const again = file.start();
    expect(readState(again.mock)).toEqual(before);
    for (const resource of [...resources, 'sites'] as const) {
      expect(again.mock.records({ resource }).total).toBeGreaterThan(0);
    }
  });

  it('is in its sandbox alone, and gone after a reset', () => {
    const mock = createMock();
    const sandbox = mock.sandbox();
    const before = readState(mock);
    const clean = { ...readState(sandbox), chance: '' };
    sandbox.inject.site({ id: 'new-site' });
    sandbox.inject.friend({ displayName: 'New' });
    sandbox.inject.key({ name: 'New', scope: 'read' });
    expect(readState(mock)).toEqual(before);
    expect(sandbox.records({ resource: 'sites' }).total).toBe(mock.records({ resource: 'sites' }).total + 1);
    sandbox.reset();
    expect({ ...readState(sandbox), chance: '' }).toEqual(clean);
  });
});
