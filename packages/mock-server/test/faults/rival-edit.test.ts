import { beforeEach, describe, expect, it } from 'vitest';
import { createMock, type Mock } from '../../src/index.ts';
import { Caller, createGuard } from '../../test-support/caller.ts';
import { data } from '../../test-support/data.ts';

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
