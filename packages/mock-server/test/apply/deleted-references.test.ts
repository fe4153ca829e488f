import { configurationResources } from '@orgchat/spec';
import { describe, expect, it } from 'vitest';
import { createMock } from '../../src/index.ts';
import { Caller, createGuard, type Item } from '../../test-support/caller.ts';
import { data, nobody, shop, vip, welcome } from '../../test-support/data.ts';
import {
  friendOf,
  kinds,
  openReferring,
  type Referring,
  referring,
  remove,
  setTags,
} from '../../test-support/referring.ts';

describe('a reference to a deleted record', () => {
  it.each(kinds)('is accepted in an update of the record that has it: %s', async (resource) => {
    const { caller, tag, scenario } = await openReferring();
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
    const { caller, tag, scenario } = await openReferring();
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
    const { caller, tag } = await openReferring();
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
      const { mock, caller, tag, scenario } = await openReferring();
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
    const { caller } = await openReferring();
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
