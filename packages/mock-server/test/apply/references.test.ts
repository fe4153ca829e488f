import { configurationResources } from '@orgchat/spec';
import { describe, expect, it } from 'vitest';
import { createMock, type Mock, type MockOptions, MockOptionsError, SeedError } from '../../src/index.ts';
import { Caller, createGuard, type Item } from '../../test-support/caller.ts';
import { area, data, mainMenu, nobody, salon, shop, step, vip, welcome } from '../../test-support/data.ts';

const tagData = { name: 'Short-lived', color: 'blue' };
const scenarioData = { ...data.scenarios, name: 'Short-lived', accountId: null };

interface World {
  readonly mock: Mock;
  readonly caller: Caller;
  /** A tag and a scenario, which the test deletes. */
  readonly tag: Item;
  readonly scenario: Item;
}

async function open(options: MockOptions = {}): Promise<World> {
  const mock = createMock({ rateLimit: 'off', ...options });
  const caller = new Caller(mock);
  const create = async (resource: string, given: object): Promise<Item> =>
    (await caller.apply({ action: `create-${resource}`, data: given })).body.result;
  return {
    mock,
    caller,
    tag: await create('tags', tagData),
    scenario: await create('scenarios', scenarioData),
  };
}

const remove = (caller: Caller, resource: string, record: Item) =>
  caller.apply({ action: 'delete-configuration', resource, id: record.id, ...createGuard(record) });

/** Data of each resource that refer to a tag and a scenario in every way there is. */
const referring = {
  links: (tagId: string, scenarioId: string) => ({ ...data.links, tagId, scenarioId }),
  routes: (tagId: string, scenarioId: string) => ({ ...data.routes, tagId, scenarioId }),
  forms: (submitTagId: string, submitScenarioId: string) => ({
    ...data.forms,
    submitTagId,
    submitScenarioId,
  }),
  broadcasts: (tagId: string) => ({ ...data.broadcasts, target: 'tags', tagIds: [vip, tagId] }),
  scenarios: (tagId: string) => ({
    ...data.scenarios,
    trigger: 'tag',
    triggerTagId: tagId,
    steps: [step, { ...step, condition: { type: 'tag_exists', tagId } }],
  }),
};
type Referring = keyof typeof referring;
const kinds = Object.keys(referring) as Referring[];

const friendOf = async (caller: Caller): Promise<Item> => caller.first('friends');
const setTags = (caller: Caller, friend: Item, tagIds: readonly string[]) =>
  caller.apply({
    action: 'set-friend-tags',
    accountId: friend.accountId,
    userId: friend.userId,
    ...createGuard(friend),
    tagIds,
  });

describe('a reference to a deleted record', () => {
  it.each(kinds)('is accepted in an update of the record that has it: %s', async (resource) => {
    const { caller, tag, scenario } = await open();
    const given = referring[resource](tag.id, scenario.id);
    const { result } = (await caller.apply({ action: `create-${resource}`, data: given })).body;
    await remove(caller, 'tags', tag);
    await remove(caller, 'scenarios', scenario);
    const update = (target: Item, changed: object) =>
      caller.apply({ action: `update-${resource}`, id: target.id, ...createGuard(target), data: changed });
    const label = resource === 'broadcasts' ? 'title' : 'name';
    const renamed = await update(result, { ...given, [label]: 'Renamed' });
    expect([renamed.status, renamed.body.result.label]).toEqual([200, 'Renamed']);
    // Once it is removed, it cannot come back.
    const without = referring[resource](vip, welcome);
    const cleared = await update(renamed.body.result, without);
    expect(cleared.status).toBe(200);
    expect((await update(cleared.body.result, given)).status).toBe(404);
  });

  it('is accepted at another place of the record', async () => {
    const { caller, tag, scenario } = await open();
    const given = referring.scenarios(tag.id);
    const { result } = (await caller.apply({ action: 'create-scenarios', data: given })).body;
    await remove(caller, 'tags', tag);
    const update = (moved: object) =>
      caller.apply({ action: 'update-scenarios', id: result.id, ...createGuard(result), data: moved });
    expect((await update({ ...given, steps: [...given.steps].reverse() })).status).toBe(200);
    expect((await update({ ...given, steps: [...given.steps].reverse() })).body.error).toBe('STALE_REVISION');
    expect(scenario.id).not.toBe(tag.id);
  });

  it('is accepted when other tags of a friend change', async () => {
    const { caller, tag } = await open();
    const friend = (await setTags(caller, await friendOf(caller), [vip, tag.id])).body.result;
    await remove(caller, 'tags', tag);
    const other = (await caller.apply({ action: 'create-tags', data: data.tags })).body.result;
    const added = await setTags(caller, friend, [vip, tag.id, other.id]);
    expect([added.status, added.body.result.tagIds]).toEqual([200, [vip, tag.id, other.id]]);
    const removed = await setTags(caller, added.body.result, [other.id]);
    expect((await setTags(caller, removed.body.result, [other.id, tag.id])).status).toBe(404);
  });

  it.each(kinds)(
    'is refused in a record that does not have it, and who deleted it is said: %s',
    async (resource) => {
      const { mock, caller, tag, scenario } = await open();
      await remove(caller, 'tags', tag);
      const given = referring[resource](tag.id, scenario.id);
      expect((await caller.apply({ action: `create-${resource}`, data: given })).status).toBe(404);
      expect(mock.requests.list().at(-1)?.decidedBy).toMatchObject({
        decision: 'D62',
        because: expect.stringMatching(
          new RegExp(
            `^change\\.\\S+ refers to tag "[^"]+" ${tag.id}, which was deleted by your own key "Demo write key" .* \\(delete-configuration in req-\\w+\\)\\. Use the id of an existing tag: `,
          ),
        ),
      });
    },
  );

  describe('of a seed', () => {
    const account = (id: string) => ({ id, name: 'Account' });
    const foreign = { id: '11111111-2222-4333-8444-555555555555', name: 'Foreign', color: 'pink' as const };
    const link = { ...data.links, url: 'https://example.com', scenarioId: null };
    const seed = {
      organizations: [
        {
          id: 'one',
          keys: [{ key: 'one-key', name: 'one', scope: 'write' as const }],
          accounts: [account(shop)],
          missingIds: [foreign.id, nobody],
          links: [
            { ...link, id: vip, tagId: foreign.id },
            { ...link, id: welcome, tagId: nobody },
          ],
        },
        { id: 'two', keys: [{ key: 'two-key', name: 'two', scope: 'write' as const }], tags: [foreign] },
      ],
    };
    const caller = new Caller(createMock({ seed }), 'one-key');

    async function rename(id: string): Promise<string | undefined> {
      const { record } = (await caller.read({ resource: 'links', id })).body;
      const { tagId } = record as unknown as { tagId: string };
      const change = { action: 'update-links', id, ...createGuard(record) };
      return (await caller.apply({ ...change, data: { ...data.links, name: 'Renamed', tagId } })).body
        .message;
    }

    it('is accepted if nobody has the record', async () => {
      expect(await rename(welcome)).toBeUndefined();
    });

    it('is refused if another organization has the record', async () => {
      expect(await rename(vip)).toContain(`change.data.tagId: No tag with id ${foreign.id}`);
    });
  });
});

describe('a stale update', () => {
  it('is a conflict, also if it refers to a record that does not exist', async () => {
    const { caller } = await open();
    for (const resource of configurationResources.filter((name) => name in referring)) {
      const given = referring[resource as Referring](vip, welcome);
      const { result } = (await caller.apply({ action: `create-${resource}`, data: given })).body;
      const stale = { ...createGuard(result), expectedRevision: '0'.repeat(64) };
      const missing = referring[resource as Referring](nobody, nobody);
      const update = { action: `update-${resource}`, id: result.id, data: missing };
      expect((await caller.apply({ ...update, ...stale })).body.error, resource).toBe('STALE_REVISION');
      const label = { ...createGuard(result), expectedLabel: 'Other' };
      expect((await caller.apply({ ...update, ...label })).body.error, resource).toBe('STALE_REVISION');
      expect((await caller.apply({ ...update, ...createGuard(result) })).body.error, resource).toBe(
        'NOT_FOUND',
      );
    }
    const friend = await friendOf(caller);
    const stale = await setTags(caller, { ...friend, revision: '0'.repeat(64) }, [nobody]);
    expect(stale.body.error).toBe('STALE_REVISION');
  });
});

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
    const world = await open({ onDelete: 'refuse' });
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
    const world = await open({ onDelete: 'refuse' });
    const { mock, caller, tag } = world;
    const secret = { ...data.routes, name: 'Secret counter', accountId: salon, tagId: tag.id };
    await caller.apply({ action: 'create-routes', data: secret });
    mock.patchKey('demo-write-key', { accountIds: [shop] });
    const { body } = await remove(caller, 'tags', tag);
    expect(body.message).toMatch(/ is still used by 1 more\.$/);
    expect(body.message).not.toContain('Secret');
  });

  it('remove: takes the reference out of every record, which then has a new revision', async () => {
    const world = await open({ onDelete: 'remove' });
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
    const world = await open();
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
    const { caller } = await open({ onDelete: 'remove' });
    const menu = {
      ...data['rich-menus'],
      areas: [{ ...area, action: { type: 'switch', menuId: mainMenu, label: 'x' } }],
    };
    const { result } = (await caller.apply({ action: 'create-rich-menus', data: menu })).body;
    await remove(caller, 'tags', await caller.first('tags'));
    expect((await caller.read({ resource: 'rich-menus', id: result.id })).body.record).toEqual(result);
  });
});
