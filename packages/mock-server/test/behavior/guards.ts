import { describe, expect, it } from 'vitest';
import { createGuard, type Item } from '../../test-support/caller.ts';
import { createChanges } from '../../test-support/changes.ts';
import { data } from '../../test-support/data.ts';
import type { MockUnderTest } from '../../test-support/mock-under-test.ts';
import { withAt } from '../../test-support/paths.ts';

export function guardsTests(subject: MockUnderTest): void {
  const { apply, create } = createChanges(subject);

  describe('chat changes', () => {
    it('[4.4.3] [4.4.15] [4.4.16] [4.4.17] rejects invalid guards', async () => {
      const tag = await create('tags');
      const update = { action: 'update-tags', id: tag.id, ...createGuard(tag), data: data.tags };
      const refused: [string, unknown][] = [
        ['id', 'x'],
        ['id', undefined],
        ['expectedRevision', undefined],
        ['expectedRevision', tag.revision.toUpperCase()],
        ['expectedRevision', `${tag.revision}\n`],
        ['expectedRevision', tag.revision.slice(1)],
        ['expectedLabel', undefined],
        ['expectedLabel', 'x'.repeat(201)],
        ['data', undefined],
        ['extra', 1],
      ];
      for (const [at, value] of refused) {
        expect({ at, value, status: (await apply(withAt(update, at, value) as object)).status }).toEqual({
          at,
          value,
          status: 400,
        });
      }
      expect((await apply({ ...update, expectedLabel: ` ${tag.label} ` })).status).toBe(200);
    });

    it('[4.4.18] [4.4.32] the wrong resource for an id is 404', async () => {
      const tag = await create('tags');
      const removal = { action: 'delete-configuration', resource: 'links', id: tag.id, ...createGuard(tag) };
      expect((await apply(removal)).status).toBe(404);
    });

    it('a record changed back to earlier content gets a new revision', async () => {
      const first = await create('tags');
      const to = async (record: Item, name: string): Promise<Item> =>
        (
          await apply({
            action: 'update-tags',
            id: record.id,
            ...createGuard(record),
            data: { ...data.tags, name },
          })
        ).body.result;
      const again = await to(await to(first, 'other'), data.tags.name);
      expect(again.label).toBe(first.label);
      expect(again.revision).not.toBe(first.revision);
    });

    it('[4.4.41] rival-edit edits a friend, or a record to be deleted, before the change is checked', async () => {
      const friend = await subject.caller.first('friends');
      const person = { accountId: friend.accountId, userId: friend.userId, ...createGuard(friend) };
      const tag = await create('tags');
      for (const change of [
        { action: 'update-friend', ...person, data: { status: 'resolved' } },
        { action: 'set-friend-tags', ...person, tagIds: [] },
        { action: 'delete-configuration', resource: 'tags', id: tag.id, ...createGuard(tag) },
      ]) {
        subject.mock.faults.arm({ effect: 'rival-edit', times: 1 });
        expect((await apply(change)).body.error, change.action).toBe('STALE_REVISION');
        subject.mock.faults.disarm();
      }
    });
  });
}
