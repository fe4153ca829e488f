import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createOrganization, friends, idOf, knownData } from './create-organization.ts';
import { assumed } from './members/axes.ts';
import { createPresentation } from './members/create-presentation.ts';
import { startFamily } from './run-all.ts';
import { type Resource, resources } from './server/inputs.ts';
import { keys, Service } from './server/service.ts';
import type { FamilyServer } from './server/start-server.ts';

let family: FamilyServer;
beforeAll(async () => {
  family = await startFamily();
});
beforeEach(() => {
  family.service = new Service(createOrganization(assumed), createPresentation(assumed));
});
afterAll(() => family.close());

interface Reply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function send(path: string, body?: object, key: string = keys.write): Promise<Reply> {
  const response = await fetch(`${family.baseUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Reply['body'] };
}
const read = (query: object): Promise<Reply> => send('/chat/read', query);
const change = (input: object, operationId: string = randomUUID()): Promise<Reply> =>
  send('/chat/changes', { operationId, change: input });
const guardsOf = (resource: Resource | 'friends'): object => {
  const [record] = family.service.organization.records[resource];
  return { ...record?.identity, expectedRevision: record?.revision, expectedLabel: record?.label };
};

test('the server is small, and imports nothing of ours', () => {
  const folder = new URL('server/', import.meta.url);
  const sources = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const lines = sources.flatMap((source) => source.split('\n'));
  expect(lines.filter((line) => !/^\s*(?:\/\/|\/?\*|$)/.test(line)).length).toBeLessThanOrEqual(400);
  const imports = sources.flatMap((source) =>
    Array.from(source.matchAll(/from '(.+)';/g), ([, path]) => path),
  );
  expect(imports.filter((path) => !/^node:|^\.\/[\w-]+\.ts$/.test(path ?? ''))).toEqual([]);
});

test('a key is required, and one that reads cannot write', async () => {
  expect(await send('/me', undefined, 'wrong')).toMatchObject({ status: 401 });
  expect(await send('/me', undefined, keys.read)).toMatchObject({ body: { key: { scope: 'read' } } });
  const body = { operationId: randomUUID(), change: { action: 'create-tags', data: knownData('tags') } };
  const forbidden = { status: 403, body: { error: 'FORBIDDEN' } };
  expect(await send('/chat/changes', body, keys.read)).toMatchObject(forbidden);
  expect(await send('/sites/site/keywords', { keywords: ['a'] }, keys.read)).toMatchObject(forbidden);
});

test.each(resources)('%s are created, updated and deleted under their guards', async (resource) => {
  const data = knownData(resource);
  expect(await change({ action: `create-${resource}`, data })).toMatchObject({ body: { applied: true } });
  const update = { action: `update-${resource}`, ...guardsOf(resource), data };
  expect(await change({ ...update, expectedLabel: 'Other' })).toMatchObject({ status: 409 });
  const { body } = await change(update);
  expect(body.result).toMatchObject({ ...data, revision: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(await change(update)).toMatchObject({ status: 409, body: { error: 'STALE_REVISION' } });
  const deletion = { action: 'delete-configuration', resource, ...guardsOf(resource) };
  expect((await change(deletion)).status).toBe(resource === 'rich-menus' ? 400 : 200);
});

test.each(resources)(
  'the data of %s must be complete, and have no other field at any depth',
  async (resource) => {
    const data = knownData(resource);
    /** Copies of a value with one more field in one of its objects each. */
    const widen = (value: unknown): unknown[] => {
      if (typeof value !== 'object' || value === null) return [];
      const names = Object.keys(value);
      const inner = names.flatMap((name) =>
        widen((value as Record<string, unknown>)[name]).map((wide) =>
          Array.isArray(value)
            ? value.map((one, at) => (String(at) === name ? wide : one))
            : { ...value, [name]: wide },
        ),
      );
      return Array.isArray(value) ? inner : [{ ...value, more: 1 }, ...inner];
    };
    for (const wide of widen(data))
      expect(await change({ action: `create-${resource}`, data: wide as object })).toMatchObject({
        status: 400,
      });
    for (const name of Object.keys(data).filter((one) => !['content', 'design', 'accountIds'].includes(one)))
      expect(
        await change({ action: `create-${resource}`, data: { ...data, [name]: undefined } }),
      ).toMatchObject({ status: 400 });
    expect(family.service.changes).toEqual([]);
  },
);

test('a change is applied once per operationId, which belongs to one input', async () => {
  const operationId = randomUUID();
  const input = { action: 'create-tags', data: { name: 'VIP', color: 'pink' } };
  expect(await change(input, operationId)).toMatchObject({ body: { applied: true, replayed: false } });
  expect(await change(input, operationId)).toMatchObject({ body: { applied: true, replayed: true } });
  const other = { ...input, data: { name: 'VIP', color: 'blue' } };
  expect(await change(other, operationId)).toMatchObject({ status: 409, body: { error: 'INPUT_CONFLICT' } });
  expect(family.service.organization.records.tags.filter(({ label }) => label === 'VIP')).toHaveLength(1);
});

test('friends are updated in part, tagged and enrolled', async () => {
  const update = { action: 'update-friend', ...guardsOf('friends'), data: { notes: null } };
  expect(await change(update)).toMatchObject({ body: { result: { notes: null, status: 'unread' } } });
  const tagged = { action: 'set-friend-tags', ...guardsOf('friends'), tagIds: [idOf('tags', 2)] };
  expect(await change(tagged)).toMatchObject({ body: { result: { tagIds: [idOf('tags', 2)] } } });
  const enrollment = { action: 'enroll-scenario', ...friends[0], scenarioId: idOf('scenarios', 2) };
  expect(await change(enrollment)).toMatchObject({ body: { result: { status: 'active' } } });
  const { body } = await read({ resource: 'friend-automations', ...friends[0] });
  expect(body.records).toHaveLength(2);
});

test('lists have pages of 50, and one record is read by its id', async () => {
  const { body } = await read({ resource: 'tags', offset: 40 });
  expect(body).toMatchObject({ total: 45, limited: false });
  expect(body.records).toHaveLength(5);
  expect(await read({ resource: 'tags', limit: 51 })).toMatchObject({ status: 400 });
  const one = await read({ resource: 'tags', id: idOf('tags').toUpperCase() });
  expect(one.body).toMatchObject({ record: { id: idOf('tags'), name: 'Tag 1', label: 'Tag 1' } });
  expect(await read({ resource: 'tags', id: idOf('none') })).toMatchObject({ status: 404 });
  expect(await read({ resource: 'link-clicks', id: idOf('links', 2) })).toMatchObject({
    body: { records: [] },
  });
});

test('organizations share nothing that can change, so a test may change the lists of one', () => {
  const before = structuredClone(createOrganization(assumed));
  const changed = createOrganization(assumed);
  const lists = [...Object.values(changed.records), ...Object.values(changed.events), changed.keywords];
  for (const list of lists) list.length = 0;
  expect(createOrganization(assumed)).toEqual(before);
});

test('nothing that organizations share can be changed', () => {
  const findChangeable = (value: unknown, path: string): string[] =>
    typeof value !== 'object' || value === null
      ? []
      : [
          ...(Object.isFrozen(value) ? [] : [path]),
          ...Object.entries(value).flatMap(([name, inner]) => findChangeable(inner, `${path}/${name}`)),
        ];
  for (const kind of ['known', 'unknown'] as const) {
    const { records, events, keywords, ...shared } = createOrganization({ ...assumed, blocks: kind });
    expect(keywords).toEqual(['spring']);
    const all = [records, events].flatMap((lists) => Object.values(lists).flat());
    all.push(...Object.values(shared));
    expect(all.flatMap((one, at) => findChangeable(one, String(at)))).toEqual([]);
  }
});

test('Studio is read, and keywords are added once', async () => {
  const { body } = await send('/studio/read', { resource: 'projects' });
  const [project] = body.projects as readonly { id: string }[];
  const documents = await send('/studio/read', { resource: 'documents', projectId: project?.id });
  const [document] = documents.body.documents as readonly { id: string; body?: string }[];
  expect(document).not.toHaveProperty('body');
  const given = { resource: 'document', projectId: project?.id, documentId: document?.id };
  expect(await send('/studio/read', given)).toMatchObject({ body: { document: { body: '# Voice' } } });
  const added = await send('/sites/site/keywords', { keywords: ['spring', 'tea', ' tea '] });
  expect(added).toEqual({ status: 201, body: { added: ['tea'], skipped: ['spring', 'tea'] } });
});
