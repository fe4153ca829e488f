import { beforeEach, describe, expect, it } from 'vitest';
import { createMock, type Mock } from '../../src/index.ts';
import { deriveUuid } from '../../src/primitives/digest.ts';
import { Caller, createGuard, type Item } from '../../test-support/caller.ts';
import { data, salon, shop } from '../../test-support/data.ts';

let mock: Mock;
let caller: Caller;

beforeEach(() => {
  mock = createMock({ rateLimit: 'off' });
  caller = new Caller(mock);
});

interface ControlAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function control(method: string, path: string, body?: unknown): Promise<ControlAnswer> {
  const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await mock.fetch(`${mock.controlUrl}${path}`, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('a rival edit', () => {
  it("changes a record between a client's read and its write", async () => {
    const tag = await caller.first('tags');
    const edited = await control('POST', '/edit', { resource: 'tags', id: tag.id, data: { name: 'Rival' } });
    expect(edited.body).toMatchObject({ id: tag.id, name: 'Rival', label: 'Rival', color: tag.color });
    const update = { action: 'update-tags', id: tag.id, ...createGuard(tag), data: data.tags };
    expect((await caller.apply(update)).status).toBe(409);
    const friend = await caller.first('friends');
    const id = `${friend.accountId}/${friend.userId}`;
    const renamed = await control('POST', '/edit', {
      resource: 'friends',
      id,
      data: { displayName: 'New name', notes: 'x' },
    });
    expect(renamed.body).toMatchObject({ label: 'New name', displayName: 'New name', notes: 'x' });
    const refused: [number, unknown][] = [
      [404, { resource: 'tags', id: crypto.randomUUID(), data: {} }],
      [400, { resource: 'tags', id: tag.id, data: { color: 'red' } }],
      [400, { resource: 'tags', id: tag.id, data: { extra: 1 } }],
      [400, { resource: 'messages', id: tag.id, data: {} }],
      [400, { resource: 'tags', id: tag.id }],
    ];
    const before = await caller.first('tags');
    for (const [status, body] of refused) {
      expect({ body, status: (await control('POST', '/edit', body)).status }).toEqual({ body, status });
    }
    expect(await caller.first('tags')).toEqual(before);
  });

  it('rejects a rival edit that refers to an unknown account', async () => {
    const nobody = crypto.randomUUID();
    const menu = await caller.first('rich-menus');
    const refused = await control('POST', '/edit', {
      resource: 'rich-menus',
      id: menu.id,
      data: { accountId: nobody },
    });
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining(nobody) } });
    expect(await caller.first('rich-menus')).toEqual(menu);
  });

  it('edits Studio projects and documents, and moves them to the front', async () => {
    const { projects } = (await caller.studio({ resource: 'projects' })).body;
    const last = projects.at(-1);
    const edited = await control('POST', '/edit', {
      resource: 'projects',
      id: last?.id,
      data: { name: 'Renamed' },
    });
    expect(edited).toMatchObject({ status: 200, body: { id: last?.id, name: 'Renamed' } });
    const [first] = (await caller.studio({ resource: 'projects' })).body.projects;
    expect(first).toMatchObject({ id: last?.id, name: 'Renamed' });
    const unknown = { resource: 'documents', id: crypto.randomUUID(), data: { title: 'x' } };
    expect((await control('POST', '/edit', unknown)).status).toBe(404);
  });

  it.each([
    ['projects', { name: '' }, 'name must'],
    ['projects', { name: 'x'.repeat(201) }, 'name must'],
    ['documents', { title: ' ' }, 'title must'],
    ['friends', { tagIds: ['no id'] }, 'tagIds[0] does not have the required format'],
  ] as const)('is refused if no seed could have it: %s %j', async (resource, edited, problem) => {
    const [project] = (await caller.studio({ resource: 'projects' })).body.projects;
    const documents = { resource: 'documents', projectId: project?.id };
    const [document] = (await caller.studio(documents)).body.documents;
    const { accountId, userId } = await caller.first('friends');
    const id = { projects: project?.id, documents: document?.id, friends: `${accountId}/${userId}` }[
      resource
    ];
    const refused = await control('POST', '/edit', { resource, id, data: edited });
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining(problem) } });
  });

  it('keeps the revision of an edited record in a saved state', async () => {
    const { content: _, ...plain } = data['auto-replies'] as Record<string, unknown>;
    const created = await caller.apply({ action: 'create-auto-replies', data: plain });
    const edit = {
      resource: 'auto-replies',
      id: created.body.result.id,
      data: { content: [{ type: 'text', text: 'More' }] },
    };
    const edited = (await control('POST', '/edit', edit)).body;
    await control('PUT', '/state', (await control('GET', '/state')).body);
    expect((await caller.first('auto-replies')).revision).toBe(edited.revision);
  });

  it('finds a friend by a unique user id', async () => {
    const accounts = [
      { id: 'main', name: 'Main' },
      { id: 'other', name: 'Other' },
    ];
    const friends = [
      { accountId: 'main', userId: 'alone', displayName: 'Alone' },
      { accountId: 'main', userId: 'both', displayName: 'Both' },
      { accountId: 'other', userId: 'both', displayName: 'Both' },
    ];
    mock = createMock({ seed: { organizations: [{ id: 'org', keys: [], accounts, friends }] } });
    const { friends: loaded } = (
      mock.state() as { organizations: [{ friends: { [name: string]: string }[] }] }
    ).organizations[0];
    const findUserId = (name: string) =>
      loaded.find(({ displayName }) => displayName === name)?.userId as string;
    const edit = (id: string) =>
      control('POST', '/edit', { resource: 'friends', id, data: { displayName: 'New' } });
    expect(await edit(findUserId('Alone'))).toMatchObject({ status: 200, body: { displayName: 'New' } });
    const refused = await edit(findUserId('Both'));
    expect(refused).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('accountId/userId') },
    });
    expect((await edit('nobody')).status).toBe(404);
  });
});

describe('a fault that edits a record as a rival', () => {
  const organizationOf = (name: string) => ({
    id: `org_${name}`,
    keys: [{ key: `key-${name}`, name, scope: 'write' as const }],
    accounts: [1, 2].map((n) => ({ id: `${name}${n}`, name })),
    routes: [{ accountId: `${name}1`, name: 'Route', tagId: null, scenarioId: null }],
  });
  const seed = { organizations: [organizationOf('a'), organizationOf('b')] };

  it('moves no record to an account of another organization', async () => {
    mock = createMock({ seed, rateLimit: 'off' });
    const accountId = deriveUuid('b2').toUpperCase();
    const fault = { effect: 'rival-edit', data: { accountId } } as const;
    const { id } = mock.faults.arm(fault);
    const update = async (key: string): Promise<number> => {
      const of = new Caller(mock, key);
      const route = await of.first('routes');
      const same = { accountId: route.accountId, name: 'Same', tagId: null, scenarioId: null };
      const change = { action: 'update-routes', id: route.id, ...createGuard(route), data: same };
      return (await of.apply(change)).status;
    };
    expect(await update('key-a')).toBe(200);
    expect(mock.faults.list()).toMatchObject([{ id, seen: 0, remaining: 1, hits: [] }]);
    expect(await update('key-b')).toBe(409);
    expect((await new Caller(mock, 'key-b').first('routes')).accountId).toBe(accountId.toLowerCase());
    expect(() => mock.faults.arm({ ...fault, key: 'key-a' })).toThrow(
      `data refers to an account that does not exist in org_a: ${accountId}.`,
    );
    const accountIds = ['a1', 'b1'].map(deriveUuid);
    expect(() => mock.faults.arm({ effect: 'rival-edit', data: { accountIds } })).toThrow(
      /does not exist in/,
    );
    expect(mock.faults.arm({ ...fault, key: 'key-b' }).remaining).toBe(1);
  });

  it('leaves a record alone that the key cannot see', async () => {
    mock.inject.key({ key: 'salon-key', name: 'Salon', scope: 'write', accountIds: [salon] });
    const found = (await caller.read({ resource: 'friends', accountId: shop })).body.records[0] as Item;
    const menu = (await caller.apply({ action: 'create-rich-menus', data: data['rich-menus'] })).body.result;
    const { id } = mock.faults.arm({ effect: 'rival-edit' });
    const hidden = caller.as('salon-key');
    const { accountId, userId } = found;
    const note = { action: 'update-friend', accountId, userId, ...createGuard(found), data: {} };
    const renamed = { id: menu.id, ...createGuard(menu), data: data['rich-menus'] };
    expect((await hidden.apply(note)).status).toBe(404);
    expect((await hidden.apply({ action: 'update-rich-menus', ...renamed })).status).toBe(404);
    expect(mock.faults.list()).toMatchObject([{ id, seen: 0, remaining: 1 }]);
    const friends = { resource: 'friends', accountId, userId };
    expect((await caller.read(friends)).body.record).toEqual(found);
    expect(await caller.first('rich-menus')).toEqual(menu);
    expect((await caller.apply(note)).status).toBe(409);
  });
});
