import { describe, expect, it } from 'vitest';
import { createGuard, type Item } from '../../test-support/caller.ts';
import { createChanges } from '../../test-support/changes.ts';
import { data, nobody, salon, shop, vip, welcome } from '../../test-support/data.ts';
import type { MockUnderTest } from '../../test-support/mock-under-test.ts';

const stranger = `U${'0'.repeat(32)}`;

export function friendChangesTests(subject: MockUnderTest): void {
  const { apply } = createChanges(subject);

  describe('chat changes', () => {
    it('[4.4.12] [5.10.1] [5.10.2] [6.13] a friend: what is left out stays, null clears', async () => {
      const friend = await subject.caller.first('friends');
      const person = { accountId: friend.accountId, userId: friend.userId };
      const to = async (before: Item, change: object) =>
        await apply({ action: 'update-friend', ...person, ...createGuard(before), data: change });
      const noted = (await to(friend, { notes: ` ${'あ'.repeat(2000)} ` })).body.result;
      expect(noted).toMatchObject({ notes: 'あ'.repeat(2000), status: friend.status });
      const seen = (await to(noted, { status: 'in_progress' })).body.result;
      expect(seen).toMatchObject({ notes: noted.notes, status: 'in_progress' });
      const same = (await to(seen, {})).body.result;
      expect(same.revision).not.toBe(seen.revision);
      const cleared = (await to(same, { notes: null, status: 'unread' })).body.result;
      expect(cleared.notes).toBeNull();
      for (const change of [
        { notes: 'x'.repeat(2001) },
        { status: 'done' },
        { status: null },
        { displayName: 'x' },
      ]) {
        expect((await to(cleared, change)).status).toBe(400);
      }
      expect((await to(friend, { status: 'resolved' })).status).toBe(409);
      expect(
        (
          await apply({
            action: 'update-friend',
            accountId: shop,
            userId: stranger,
            ...createGuard(friend),
            data: {},
          })
        ).status,
      ).toBe(404);
      const talk = (await subject.caller.read({ resource: 'conversations', accountId: friend.accountId }))
        .body.records;
      expect(talk.find(({ userId }) => userId === friend.userId)?.status).toBe('unread');
    });

    it('[4.4.13] [4.4.22] [4.4.30] [9.2] replaces the tags of a friend, and notifies when they change', async () => {
      const friend = await subject.caller.first('friends');
      const person = { accountId: friend.accountId, userId: friend.userId };
      const set = (before: Item, tagIds: unknown) =>
        apply({ action: 'set-friend-tags', ...person, ...createGuard(before), tagIds });
      const tagged = (await set(friend, [vip, vip.toUpperCase()])).body.result;
      expect(tagged.tagIds).toEqual([vip]);
      const same = (await set(tagged, [vip])).body.result;
      const none = (await set(same, [])).body.result;
      expect(none.tagIds).toEqual([]);
      const again = await set(none, Array(50).fill(vip));
      expect(again.status).toBe(200);
      expect((await set(none, [nobody])).status).toBe(409);
      expect((await set(again.body.result, [nobody])).status).toBe(404);
      expect((await set(none, Array(51).fill(vip))).status).toBe(400);
      expect(subject.mock.notifications()).toMatchObject([
        { kind: 'friend-tags-changed', ...person, addedTagIds: [vip], removedTagIds: friend.tagIds },
        { addedTagIds: [], removedTagIds: [vip] },
        { addedTagIds: [vip], removedTagIds: [] },
      ]);
    });

    it('[4.4.14] [4.4.23] [4.4.24] [4.4.30] enrolls a friend in a scenario once, and notifies', async () => {
      const friend = await subject.caller.first('friends');
      const person = { accountId: friend.accountId, userId: friend.userId };
      const enroll = (change: object = {}) =>
        apply({ action: 'enroll-scenario', ...person, scenarioId: welcome, ...change });
      const entered = (await enroll()).body.result;
      expect(entered).toMatchObject({
        ...person,
        scenarioId: welcome,
        scenarioName: 'Welcome series',
        status: 'active',
        nextStep: 0,
      });
      expect((await enroll()).body.result).toEqual(entered);
      const created = await apply({ action: 'create-scenarios', data: { ...data.scenarios, name: 'Other' } });
      const other = (await enroll({ scenarioId: created.body.result.id })).body.result;
      expect(other).toMatchObject({ scenarioName: 'Other', status: 'active' });
      expect(other.id).not.toBe(entered.id);
      expect(subject.mock.notifications()).toMatchObject([
        { kind: 'scenario-entered', scenarioId: welcome, automationId: entered.id },
        { kind: 'scenario-entered', scenarioId: created.body.result.id, automationId: other.id },
      ]);
      const { records } = (await subject.caller.read({ resource: 'friend-automations', ...person })).body;
      expect(records.slice(0, 2)).toEqual([other, entered]);
      expect((await enroll({ scenarioId: nobody })).status).toBe(404);
      expect((await enroll({ accountId: salon, userId: stranger })).status).toBe(404);
      expect((await enroll({ expectedRevision: friend.revision })).status).toBe(400);
      const after = await subject.caller.first('friends');
      expect(after.revision).toBe(friend.revision);
    });

    it('[4.4.14] [4.4.24] enrolls a friend again who completed the scenario', async () => {
      const [friend] = (await subject.caller.read({ resource: 'friends', search: 'aiko' })).body.records;
      const person = { accountId: friend?.accountId, userId: friend?.userId };
      const automations = async () =>
        (await subject.caller.read({ resource: 'friend-automations', ...person })).body.records;
      const [completed] = await automations();
      expect(completed).toMatchObject({ scenarioId: welcome, status: 'completed' });
      const entered = (await apply({ action: 'enroll-scenario', ...person, scenarioId: welcome })).body
        .result;
      expect(entered).toMatchObject({ scenarioId: welcome, status: 'active' });
      expect((await automations()).map(({ id }) => id)).toEqual([entered.id, completed?.id]);
    });

    it('[9.1] [9.2] a notification has the friend, the time and the operation', async () => {
      const { caller, mock } = subject;
      const friend = await caller.first('friends');
      const person = { accountId: friend.accountId, userId: friend.userId };
      const operationId = crypto.randomUUID();
      const enrollment = await caller.change(operationId, {
        action: 'enroll-scenario',
        ...person,
        scenarioId: welcome,
      });
      await apply({ action: 'set-friend-tags', ...person, ...createGuard(friend), tagIds: [vip] });
      const [first, second] = mock.notifications();
      expect(first).toEqual({
        id: 1,
        at: enrollment.body.result.enrolledAt,
        organizationId: (await caller.me()).body.organizationId,
        operationId,
        ...person,
        kind: 'scenario-entered',
        scenarioId: welcome,
        automationId: enrollment.body.result.id,
        friendName: friend.label,
        scenarioName: enrollment.body.result.scenarioName,
        deletedIds: [],
      });
      expect(second).toMatchObject({ id: 2, kind: 'friend-tags-changed' });
    });
  });
}
