import { describe, expect, it } from 'vitest';
import { data, nobody, shop } from '../../packages/mock-server/test/data.ts';
import { document, validator } from '../../spec/testing/document.ts';
import { contract, operations, serve, variantsOf } from './service.ts';

const { caller } = serve();
const friendId = `U${'0'.repeat(32)}`;

describe('section 4: names', () => {
  it.each([
    ['4.1.1', 'getAccount', 'get', '/me'],
    ['4.2.1', 'addSeoKeywords', 'post', '/sites/{siteId}/keywords'],
    ['4.3.1', 'readChat', 'post', '/chat/read'],
    ['4.4.1', 'changeChat', 'post', '/chat/changes'],
    ['4.5.1', 'readStudio', 'post', '/studio/read'],
  ])('[%s] %s is %s %s', async (_, name, method, path) => {
    expect(operations.find(({ operationId }) => operationId === name)).toMatchObject({ method, path });
    const { mock, caller } = serve();
    await caller.send(path.replace('{siteId}', 'demo-site'), method === 'post' ? {} : undefined);
    expect(mock.requests.list()).toMatchObject([{ operation: name }]);
  });
});

describe('section 4.2: the site and its key', () => {
  it('[4.2.2] siteId is a required string in the path, decoded once', async () => {
    const { SiteId } = contract.components.parameters;
    expect(SiteId).toMatchObject({ name: 'siteId', in: 'path', required: true, schema: { type: 'string' } });
    const site = { id: 'a site/with %20', keywordLimit: 10 };
    const organization = { id: 'o', keys: [{ key: 'k', name: 'K', scope: 'write' as const }], sites: [site] };
    const { caller } = serve({ seed: { format: 'orgchat-seed', version: 1, organizations: [organization] } });
    const add = (siteId: string) => caller.as('k').keywords(siteId, { keywords: ['x'] });
    expect((await add(encodeURIComponent(site.id))).status).toBe(201);
    expect((await add(encodeURIComponent(encodeURIComponent(site.id)))).status).toBe(404);
    expect((await add('')).status).toBe(404);
  });

  it('[4.2.4] keywords take a write key whose creator can still edit', async () => {
    const { caller, mock } = serve();
    const add = async (keyword: string): Promise<number> =>
      (await caller.keywords('demo-site', { keywords: [keyword] })).status;
    expect(await add('a')).toBe(201);
    mock.patchKey(caller.key, { editor: false });
    expect(await add('b')).toBe(403);
    mock.patchKey(caller.key, { editor: true, scope: 'read' });
    expect(await add('c')).toBe(403);
    mock.patchKey(caller.key, { scope: 'write' });
    expect(await add('d')).toBe(201);
    expect(mock.keywords('demo-site').map(({ keyword }) => keyword)).toEqual(
      expect.not.arrayContaining(['b', 'c']),
    );
  });
});

/** The variants of a read: clause, resource, what it takes beside `resource`, what of this is required. */
const variants: readonly [string, string, string[], string[]][] = [
  ['4.3.6', 'accounts', [], []],
  ...Object.keys(data).map((resource): [string, string, string[], string[]] => [
    '4.3.7',
    resource,
    ['id', 'offset', 'limit'],
    [],
  ]),
  ['4.3.8', 'friends', ['accountId', 'userId', 'search', 'offset', 'limit'], []],
  ['4.3.9', 'conversations', ['accountId'], []],
  ['4.3.10', 'messages', ['accountId', 'userId', 'limit'], ['accountId', 'userId']],
  ['4.3.11', 'form-submissions', ['id'], ['id']],
  ['4.3.12', 'friend-automations', ['accountId', 'userId'], ['accountId', 'userId']],
  ['4.3.13', 'link-clicks', ['id'], ['id']],
];
const values: Record<string, unknown> = {
  id: nobody,
  accountId: shop,
  userId: friendId,
  search: 'x',
  offset: 0,
  limit: 1,
};

describe('section 4.3: chat reads', () => {
  it('[4.3.4] [4.3.5] [4.3.2] the resources are these sixteen, by these names', () => {
    expect(variantsOf('ChatReadInput').sort()).toEqual(variants.map(([, resource]) => resource).sort());
  });

  it.each(variants)('[%s, 4.3.3] %s takes %j and requires %j', async (_, resource, fields, required) => {
    const needed = Object.fromEntries(required.map((name) => [name, values[name]]));
    const status = async (input: object): Promise<number> =>
      (await caller.read({ resource, ...input })).status;
    // What is taken may not be there: 404 is past the body, 400 is not.
    expect(await status(needed)).not.toBe(400);
    for (const [name, value] of Object.entries(values)) {
      expect({ name, refused: (await status({ ...needed, [name]: value })) === 400 }).toEqual({
        name,
        refused: !fields.includes(name),
      });
    }
    for (const name of required) expect(await status({ ...needed, [name]: undefined }), name).toBe(400);
  });

  const uuids = {
    good: [nobody, nobody.toUpperCase()],
    bad: ['', 'x', nobody.slice(1), ` ${nobody}`, 1, null],
  };
  const friends = { good: [friendId], bad: ['U1', friendId.toLowerCase(), `${friendId}0`, 1, null] };
  it.each<[string, string, string, object, { good: unknown[]; bad: unknown[] }]>([
    ['4.3.14', 'id', 'tags', {}, uuids],
    ['4.3.14', 'id', 'form-submissions', {}, uuids],
    ['4.3.14', 'id', 'link-clicks', {}, uuids],
    ['4.3.15', 'accountId', 'friends', {}, uuids],
    ['4.3.15', 'accountId', 'conversations', {}, uuids],
    ['4.3.15', 'accountId', 'messages', { userId: friendId }, uuids],
    ['4.3.16', 'userId', 'friends', {}, friends],
    ['4.3.16', 'userId', 'friend-automations', { accountId: shop }, friends],
    ['4.3.17', 'search', 'friends', {}, { good: ['', '😀'.repeat(100)], bad: ['x'.repeat(101), 1, null] }],
    ['4.3.18', 'offset', 'links', {}, { good: [0, 1_000_000], bad: [-1, 1_000_001, 0.5, '0', null] }],
    ['4.3.19', 'limit', 'links', {}, { good: [1, 50], bad: [0, 51, 1.5, '1', null] }],
    ['4.3.19', 'limit', 'messages', { accountId: shop, userId: friendId }, { good: [1, 50], bad: [0, 51] }],
  ])(
    '[%s] %s of %s: takes what the clause allows, refuses the rest',
    async (_, field, resource, rest, of) => {
      const judge = validator('#/components/schemas/ChatReadInput');
      for (const [expected, list] of [
        [true, of.good],
        [false, of.bad],
      ] as const) {
        for (const value of list) {
          const input = { resource, ...rest, [field]: value };
          const { status } = await caller.read(input);
          expect({ input, taken: status !== 400 }).toEqual({ input, taken: expected });
          expect({ input, taken: judge(input) }).toEqual({ input, taken: expected });
        }
      }
    },
  );

  it('[4.3.20] [4.3.22] [4.3.26] the document promises an object with any keys, and no fields of records', () => {
    const judge = validator('#/components/schemas/ChatReadResult');
    for (const answer of [{}, { other: 1 }, { record: 1 }, { records: [{}], total: 1, limited: false }]) {
      expect({ answer, valid: judge(answer) }).toEqual({ answer, valid: true });
    }
    for (const answer of [null, [], 'x', 1]) expect(judge(answer)).toBe(false);
  });

  it('[4.3.22] one record is answered as { record }, by decision', async () => {
    const tag = await caller.first('tags');
    expect((await caller.read({ resource: 'tags', id: tag.id })).body).toEqual({ record: tag });
  });

  it('[4.3.24] lists are newest first and stay so, by decision', async () => {
    const { caller, mock } = serve();
    for (const name of ['one', 'two', 'three']) {
      await caller.apply({ action: 'create-tags', data: { name, color: 'blue' } });
      mock.clock.advance(1_000);
    }
    const order = async (): Promise<string[]> =>
      (await caller.read({ resource: 'tags', limit: 3 })).body.records.map(({ label }) => label);
    expect(await order()).toEqual(['three', 'two', 'one']);
    mock.edit({ resource: 'tags', id: (await caller.first('tags')).id, data: { color: 'pink' } });
    expect(await order()).toEqual(['three', 'two', 'one']);
  });
});

describe('section 4.5: Studio', () => {
  const projectId = async (): Promise<string> =>
    (await caller.studio({ resource: 'projects', query: 'website' })).body.projects[0]?.id ?? '';

  it('[4.5.5] documents takes a project, and query, kind and cursor beside it', async () => {
    const documents = async (input: object) => caller.studio({ resource: 'documents', ...input });
    const project = { projectId: await projectId() };
    expect((await documents({})).status).toBe(400);
    expect((await documents(project)).body.total).toBe(60);
    const { next } = (await documents(project)).body;
    for (const input of [{ query: 'note' }, { kind: 'note' }, { cursor: next }]) {
      const { body } = await documents({ ...project, ...input });
      expect(body.documents.length, JSON.stringify(input)).toBeLessThan(50);
      expect(body.documents.length, JSON.stringify(input)).toBeGreaterThan(0);
    }
    for (const input of [{ archived: true }, { documentId: nobody }, { limit: 1 }]) {
      expect((await documents({ ...project, ...input })).status, JSON.stringify(input)).toBe(400);
    }
  });

  it('[4.5.16] project in an answer is the one that was asked for', async () => {
    const { projects } = (await caller.studio({ resource: 'projects' })).body;
    expect(projects.length).toBeGreaterThan(1);
    for (const project of projects) {
      const { body } = await caller.studio({ resource: 'documents', projectId: project.id });
      expect(body.project).toEqual(project);
      const document = { projectId: project.id, documentId: body.documents[0]?.id };
      expect((await caller.studio({ resource: 'document', ...document })).body.project).toEqual(project);
    }
  });

  it('[4.5.17] total is an integer or null', async () => {
    const { StudioProjects, StudioDocuments } = document.components.schemas;
    for (const schema of [StudioProjects, StudioDocuments]) {
      expect(schema?.properties?.total?.anyOf?.map(({ type }) => type)).toEqual(['integer', 'null']);
    }
    expect((await caller.studio({ resource: 'projects' })).body.total).toBe(3);
  });

  it('[4.5.19] what is changed comes first', async () => {
    const { caller, mock } = serve();
    const list = async () =>
      (await caller.studio({ resource: 'projects' })).body.projects.map(({ id }) => id);
    const before = await list();
    const last = before.at(-1) ?? '';
    mock.edit({ resource: 'projects', id: last, data: { description: 'Changed.' } });
    expect(await list()).toEqual([last, ...before.slice(0, -1)]);
  });
});
