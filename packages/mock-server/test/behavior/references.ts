import type { ConfigurationResource } from '@orgchat/spec';
import { describe, expect, it } from 'vitest';
import { createGuard } from '../../test-support/caller.ts';
import { createChanges } from '../../test-support/changes.ts';
import { data, nobody, shop, step, vip } from '../../test-support/data.ts';
import type { MockUnderTest } from '../../test-support/mock-under-test.ts';
import { withAt } from '../../test-support/paths.ts';

export function referencesTests(subject: MockUnderTest): void {
  const { apply } = createChanges(subject);

  describe('chat changes', () => {
    it('[4.4.26] [4.4.40] a record that the data refers to must exist', async () => {
      const condition = { type: 'tag_exists', tagId: nobody };
      const switching = { type: 'switch', menuId: nobody, label: 'x' };
      const cases: [ConfigurationResource, string, unknown][] = [
        ['auto-replies', 'accountId', nobody],
        ['scenarios', 'accountId', nobody],
        ['scenarios', 'triggerTagId', nobody],
        ['scenarios', 'steps', [step, { ...step, condition }]],
        ['forms', 'accountId', nobody],
        ['forms', 'submitTagId', nobody],
        ['forms', 'submitScenarioId', nobody],
        ['rich-menus', 'accountId', nobody],
        ['rich-menus', 'areas.0.action', switching],
        ['links', 'tagId', nobody],
        ['links', 'scenarioId', nobody],
        ['routes', 'accountId', nobody],
        ['routes', 'tagId', nobody],
        ['routes', 'scenarioId', nobody],
        ['broadcasts', 'accountId', nobody],
        ['broadcasts', 'accountIds', [shop, nobody]],
        ['broadcasts', 'tagIds', [vip, nobody]],
      ];
      for (const [resource, at, value] of cases) {
        const changed = withAt(data[resource], at, value);
        const { status, body } = await apply({ action: `create-${resource}`, data: changed });
        expect({ resource, at, status, error: body.error }).toEqual({
          resource,
          at,
          status: 404,
          error: 'NOT_FOUND',
        });
        expect(body.message).toContain('data.');
      }
    });

    it('[4.4.27] a deletion does not change records that refer to the deleted record', async () => {
      const { caller } = subject;
      const tag = (await caller.read({ resource: 'tags', id: vip })).body.record;
      await apply({ action: 'delete-configuration', resource: 'tags', id: vip, ...createGuard(tag) });
      const friend = (await caller.read({ resource: 'friends', search: 'aiko' })).body.records[0];
      expect(friend?.tagIds).toContain(vip);
    });
  });
}
