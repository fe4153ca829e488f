import { describe, expect, it } from 'vitest';
import { createMock, type Mock, MockOptionsError, SeedError } from '../../src/index.ts';
import { Caller, createGuard, type Item } from '../../test-support/caller.ts';
import { area, data, mainMenu, salon, shop, step, vip } from '../../test-support/data.ts';
import {
  friendOf,
  kinds,
  openReferring,
  type Referring,
  referring,
  remove,
  setTags,
  type World,
} from '../../test-support/referring.ts';

describe('onDelete', () => {
  async function createReferring({ caller, tag, scenario }: World): Promise<Record<Referring, Item>> {
    const made: Partial<Record<Referring, Item>> = {};
    for (const resource of kinds) {
      const given = referring[resource](tag.id, scenario.id);
      made[resource] = (await caller.apply({ action: `create-${resource}`, data: given })).body.result;
    }
    return made as Record<Referring, Item>;
  }

  it('refuse: answers 400 with what uses the record, until nothing does', async () => {
    const world = await openReferring({ onDelete: 'refuse' });
    const { mock, caller, tag, scenario } = world;
    const made = await createReferring(world);
    const friend = (await setTags(caller, await friendOf(caller), [tag.id])).body.result;
    const refused = await remove(caller, 'tags', tag);
    expect([refused.status, refused.body.error]).toEqual([400, 'INVALID_INPUT']);
    for (const name of [made.links.label, made.routes.label, made.forms.label])
      expect(refused.body.message).toContain(JSON.stringify(name));
    expect(mock.requests.list().at(-1)?.decidedBy).toMatchObject({
      decision: 'D63',
      because: expect.stringMatching(
        /onDelete: refuse.*is used by (?:[a-z][a-z -]* "[^"]*", ){5}1 more\. Change those first\.$/,
      ),
    });
    expect((await remove(caller, 'scenarios', scenario)).status).toBe(400);
    for (const resource of kinds) await remove(caller, resource, made[resource]);
    await setTags(caller, friend, []);
    expect((await remove(caller, 'tags', tag)).status).toBe(200);
    expect((await remove(caller, 'scenarios', scenario)).status).toBe(200);
  });

  it('refuse: counts users that the key cannot read, and does not name them', async () => {
    const world = await openReferring({ onDelete: 'refuse' });
    const { mock, caller, tag } = world;
    const secret = { ...data.routes, name: 'Secret counter', accountId: salon, tagId: tag.id };
    await caller.apply({ action: 'create-routes', data: secret });
    mock.patchKey('demo-write-key', { accountIds: [shop] });
    const { body } = await remove(caller, 'tags', tag);
    expect(body.message).toMatch(/ is still used by 1 more\.$/);
    expect(body.message).not.toContain('Secret');
  });

  it.each([
    ['en', (id: string) => `Invalid input. The tag ${id} is still used by route "Poster", 1 more.`],
    ['ja', (id: string) => `入力が正しくありません。IDが${id}のtagは使用中です: route "Poster"、ほか1件。`],
  ])('refuse: says in %s what uses the record', async (language, message) => {
    const { mock, caller, tag } = await openReferring({ onDelete: 'refuse' });
    const poster = { ...data.routes, name: 'Poster', accountId: shop, tagId: tag.id };
    await caller.apply({ action: 'create-routes', data: { ...poster, accountId: salon } });
    await caller.apply({ action: 'create-routes', data: poster });
    mock.patchKey('demo-write-key', { accountIds: [shop] });
    const change = { action: 'delete-configuration', resource: 'tags', id: tag.id, ...createGuard(tag) };
    const input = { operationId: crypto.randomUUID(), change };
    const { body } = await caller.send('/chat/changes', input, { headers: { 'Accept-Language': language } });
    expect(body.message).toBe(message(tag.id));
  });

  it('refuse: names the one record that uses it', async () => {
    const { caller, tag } = await openReferring({ onDelete: 'refuse' });
    await caller.apply({ action: 'create-links', data: { ...data.links, name: 'Only', tagId: tag.id } });
    expect((await remove(caller, 'tags', tag)).body.message).toBe(
      `Invalid input. The tag ${tag.id} is still used by link "Only".`,
    );
  });

  it('remove: takes the reference out of every record, which then has a new revision', async () => {
    const world = await openReferring({ onDelete: 'remove' });
    const { mock, caller, tag, scenario } = world;
    const made = await createReferring(world);
    const friend = (await setTags(caller, await friendOf(caller), [vip, tag.id])).body.result;
    await remove(caller, 'tags', tag);
    await remove(caller, 'scenarios', scenario);
    const read = async (resource: Referring) => {
      const { record } = (await caller.read({ resource, id: made[resource].id })).body;
      expect(record.revision, resource).not.toBe(made[resource].revision);
      return record;
    };
    expect(await read('links')).toMatchObject({ tagId: null, scenarioId: null });
    expect(await read('routes')).toMatchObject({ tagId: null, scenarioId: null });
    expect(await read('forms')).toMatchObject({ submitTagId: null, submitScenarioId: null });
    expect(await read('broadcasts')).toMatchObject({ tagIds: [vip] });
    expect(await read('scenarios')).toMatchObject({
      triggerTagId: null,
      steps: [step, { ...step, condition: null }],
    });
    const { records } = (await caller.read({ resource: 'friends', userId: friend.userId })).body;
    expect(records[0]).toMatchObject({ tagIds: [vip] });
    const update = { action: 'update-links', id: made.links.id, data: data.links };
    await caller.apply({ ...update, ...createGuard(made.links) });
    expect(mock.requests.list().at(-1)?.decidedBy.because).toContain(
      `the deletion of scenario ${scenario.id} in req-`,
    );
    // What is left can be written back.
    for (const resource of kinds) {
      const { id, revision, label, createdAt, updatedAt, status, ...given } = (await read(resource)) as Item &
        Record<'createdAt' | 'status', unknown>;
      void [createdAt, updatedAt, status];
      const change = { action: `update-${resource}`, id, expectedRevision: revision, expectedLabel: label };
      expect((await caller.apply({ ...change, data: given })).status, resource).toBe(200);
    }
  });

  it('keep is the default: records and revisions stay', async () => {
    const world = await openReferring();
    const made = await createReferring(world);
    await remove(world.caller, 'tags', world.tag);
    for (const resource of kinds) {
      const { record } = (await world.caller.read({ resource, id: made[resource].id })).body;
      expect(record).toEqual(made[resource]);
    }
  });

  describe('of a seed', () => {
    const accounts = [{ id: shop, name: 'Shop' }];
    const keys = [{ key: 'demo-write-key', name: 'Write', scope: 'write' as const }];
    const tags = [{ id: vip, name: 'VIP', color: 'pink' as const }];
    const links = [{ ...data.links, url: 'https://example.com', tagId: vip, scenarioId: null }];
    const seed = (onDelete?: 'refuse' | 'remove') => ({
      ...(onDelete && { onDelete }),
      organizations: [{ id: 'org', accounts, keys, tags, links }],
    });
    const deletion = async (mock: Mock): Promise<number> => {
      const caller = new Caller(mock);
      return (await remove(caller, 'tags', await caller.first('tags'))).status;
    };

    it('is that of the mock and its sandboxes, and is saved with the state', async () => {
      const mock = createMock({ seed: seed('refuse') });
      expect(await deletion(mock)).toBe(400);
      expect(await deletion(createMock({ state: mock.state() }))).toBe(400);
      expect(await deletion(mock.sandbox())).toBe(400);
    });

    it('is replaced by the option', async () => {
      expect(await deletion(createMock({ seed: seed('refuse'), onDelete: 'keep' }))).toBe(200);
    });

    it('is that of a sandbox with this seed, whatever the mock does', async () => {
      expect(await deletion(createMock({ seed: seed('refuse') }).sandbox({ seed: seed('remove') }))).toBe(
        200,
      );
      const refusing = createMock({ onDelete: 'refuse' });
      expect(await deletion(refusing.sandbox({ seed: seed('remove') }))).toBe(200);
    });

    it('is what the option says in a sandbox whose seed says nothing', async () => {
      expect(await deletion(createMock({ onDelete: 'refuse' }).sandbox({ seed: seed() }))).toBe(400);
    });

    it('is one of three words', () => {
      expect(() => createMock({ onDelete: 'cascade' as 'keep' })).toThrow(MockOptionsError);
      expect(() => createMock({ seed: { ...seed(), onDelete: 'cascade' as 'keep' } })).toThrow(SeedError);
    });
  });

  it('remove leaves rich menus alone, which cannot be deleted', async () => {
    const { caller } = await openReferring({ onDelete: 'remove' });
    const menu = {
      ...data['rich-menus'],
      areas: [{ ...area, action: { type: 'switch', menuId: mainMenu, label: 'x' } }],
    };
    const { result } = (await caller.apply({ action: 'create-rich-menus', data: menu })).body;
    await remove(caller, 'tags', await caller.first('tags'));
    expect((await caller.read({ resource: 'rich-menus', id: result.id })).body.record).toEqual(result);
  });
});
