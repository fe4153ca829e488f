import { type ConfigurationResource, configurationResources } from '@orgchat/spec';
import { describe, expect, it } from 'vitest';
import { guardOf, type Item } from '../caller.ts';
import { data, nobody, salon, shop, step, vip, welcome } from '../data.ts';
import { withAt } from '../paths.ts';
import type { Subject } from './subject.ts';

const stranger = `U${'0'.repeat(32)}`;

export function changesSuite(subject: Subject): void {
  const apply = (change: object) => subject.caller.apply(change);
  const create = async (resource: ConfigurationResource): Promise<Item> =>
    (await apply({ action: `create-${resource}`, data: data[resource] })).body.result;

  describe('chat changes', () => {
    it.each(configurationResources)(
      '[4.4.9] [4.4.10] [4.4.11] %s: created, updated, deleted',
      async (resource) => {
        const { caller } = subject;
        const created = await apply({ action: `create-${resource}`, data: data[resource] });
        expect(created.body).toMatchObject({ ok: true, applied: true, replayed: false, auditRecorded: true });
        const record = created.body.result;
        expect(record).toMatchObject(data[resource]);
        expect(record.revision).toMatch(/^[0-9a-f]{64}$/);
        expect((await caller.read({ resource, id: record.id })).body.record).toEqual(record);
        expect(await caller.first(resource)).toEqual(record);

        const name = resource === 'broadcasts' ? 'title' : resource === 'auto-replies' ? 'keyword' : 'name';
        const changed = { ...data[resource], [name]: ' Another ' };
        const update = { action: `update-${resource}`, id: record.id, ...guardOf(record), data: changed };
        const updated = (await apply(update)).body.result;
        expect(updated).toMatchObject({ id: record.id, label: 'Another', [name]: 'Another' });
        expect(updated.revision).not.toBe(record.revision);
        expect(updated.createdAt).toBe(record.createdAt);
        const stale = await apply({ ...update, data: data[resource] });
        expect([stale.status, stale.body.error]).toEqual([409, 'STALE_REVISION']);
        expect(await caller.first(resource)).toEqual(updated);

        const removal = { action: 'delete-configuration', resource, id: record.id };
        if (resource === 'rich-menus') {
          expect((await apply({ ...removal, ...guardOf(updated) })).status).toBe(400);
          return;
        }
        expect((await apply({ ...removal, ...guardOf(record) })).status).toBe(409);
        expect((await apply({ ...removal, ...guardOf({ ...updated, label: 'x' }) })).status).toBe(409);
        const deleted = await apply({ ...removal, ...guardOf(updated) });
        expect(deleted.body.result).toEqual({ id: record.id, deleted: true });
        expect((await caller.read({ resource, id: record.id })).status).toBe(404);
        expect((await apply({ ...removal, ...guardOf(updated) })).status).toBe(404);
      },
    );

    it('[4.4.3] [4.4.15] [4.4.16] [4.4.17] refuses guards that are none', async () => {
      const tag = await create('tags');
      const update = { action: 'update-tags', id: tag.id, ...guardOf(tag), data: data.tags };
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
      const removal = { action: 'delete-configuration', resource: 'links', id: tag.id, ...guardOf(tag) };
      expect((await apply(removal)).status).toBe(404);
    });

    it('[4.4.25] an optional field that an update leaves out is gone', async () => {
      const content = [{ type: 'text', text: 'Hi' }];
      const made = (
        await apply({ action: 'create-auto-replies', data: { ...data['auto-replies'], content } })
      ).body.result;
      expect(made.content).toEqual(content);
      const update = {
        action: 'update-auto-replies',
        id: made.id,
        ...guardOf(made),
        data: data['auto-replies'],
      };
      expect((await apply(update)).body.result).not.toHaveProperty('content');
    });

    it('a record changed back to what it was does not get its revision back', async () => {
      const first = await create('tags');
      const to = async (record: Item, name: string): Promise<Item> =>
        (
          await apply({
            action: 'update-tags',
            id: record.id,
            ...guardOf(record),
            data: { ...data.tags, name },
          })
        ).body.result;
      const again = await to(await to(first, 'other'), data.tags.name);
      expect(again.label).toBe(first.label);
      expect(again.revision).not.toBe(first.revision);
    });

    it('[4.4.26] [4.4.40] a record that data names must exist', async () => {
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

    it('[4.4.27] a deletion leaves alone what names the deleted record', async () => {
      const { caller } = subject;
      const tag = (await caller.read({ resource: 'tags', id: vip })).body.record;
      await apply({ action: 'delete-configuration', resource: 'tags', id: vip, ...guardOf(tag) });
      const friend = (await caller.read({ resource: 'friends', search: 'aiko' })).body.records[0];
      expect(friend?.tagIds).toContain(vip);
    });

    it('[1.16] [4.4.28] [6.15] broadcasts stay drafts', async () => {
      const made = await create('broadcasts');
      expect(made.status).toBe('draft');
      const update = { action: 'update-broadcasts', id: made.id, ...guardOf(made), data: data.broadcasts };
      expect((await apply(update)).body.result.status).toBe('draft');
    });

    it('[4.4.12] [5.10.1] [5.10.2] [6.13] a friend: what is left out stays, null clears', async () => {
      const friend = await subject.caller.first('friends');
      const person = { accountId: friend.accountId, userId: friend.userId };
      const to = async (before: Item, change: object) =>
        await apply({ action: 'update-friend', ...person, ...guardOf(before), data: change });
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
            ...guardOf(friend),
            data: {},
          })
        ).status,
      ).toBe(404);
      const talk = (await subject.caller.read({ resource: 'conversations', accountId: friend.accountId }))
        .body.records;
      expect(talk.find(({ userId }) => userId === friend.userId)?.status).toBe('unread');
    });

    it('[4.4.13] [4.4.22] [4.4.30] [9.2] the tags of a friend are replaced, and notified when they change', async () => {
      const friend = await subject.caller.first('friends');
      const person = { accountId: friend.accountId, userId: friend.userId };
      const set = (before: Item, tagIds: unknown) =>
        apply({ action: 'set-friend-tags', ...person, ...guardOf(before), tagIds });
      const tagged = (await set(friend, [vip, vip.toUpperCase()])).body.result;
      expect(tagged.tagIds).toEqual([vip]);
      const same = (await set(tagged, [vip])).body.result;
      const none = (await set(same, [])).body.result;
      expect(none.tagIds).toEqual([]);
      expect((await set(none, Array(50).fill(vip))).status).toBe(200);
      expect((await set(none, [nobody])).status).toBe(404);
      expect((await set(none, Array(51).fill(vip))).status).toBe(400);
      expect(subject.mock.notifications()).toMatchObject([
        { kind: 'friend-tags-changed', ...person, addedTagIds: [vip], removedTagIds: friend.tagIds },
        { addedTagIds: [], removedTagIds: [vip] },
        { addedTagIds: [vip], removedTagIds: [] },
      ]);
    });

    it('[4.4.14] [4.4.23] [4.4.24] [4.4.30] a friend enters a scenario once, and that is notified', async () => {
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
      expect(subject.mock.notifications()).toMatchObject([
        { kind: 'scenario-entered', scenarioId: welcome, automationId: entered.id },
      ]);
      const { records } = (await subject.caller.read({ resource: 'friend-automations', ...person })).body;
      expect(records[0]).toEqual(entered);
      expect((await enroll({ scenarioId: nobody })).status).toBe(404);
      expect((await enroll({ accountId: salon, userId: stranger })).status).toBe(404);
      expect((await enroll({ expectedRevision: friend.revision })).status).toBe(400);
      const after = await subject.caller.first('friends');
      expect(after.revision).toBe(friend.revision);
    });

    it('[4.4.14] [4.4.24] a friend who went through a scenario enters it anew', async () => {
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

    it('[4.4.6] [4.4.7] [4.4.8] [4.4.37] the body has exactly an operationId and a change', async () => {
      const change = { action: 'create-tags', data: data.tags };
      const operationId = crypto.randomUUID();
      const bodies: object[] = [
        {},
        { change },
        { operationId },
        { operationId: 'x', change },
        { operationId, change, extra: 1 },
        { operationId, change: { ...change, extra: 1 } },
        { operationId, change: { action: 'create-friends', data: data.tags } },
        { operationId, change: { data: data.tags } },
        { operationId, change: [change] },
      ];
      for (const body of bodies) {
        const answer = await subject.caller.send('/chat/changes', body);
        expect({ body, status: answer.status }).toEqual({ body, status: 400 });
      }
      expect((await subject.caller.send('/chat/changes', { operationId, change })).status).toBe(200);
    });

    it('[4.4.41] a rival may edit a friend, and what is to be deleted, before their change is checked', async () => {
      const friend = await subject.caller.first('friends');
      const person = { accountId: friend.accountId, userId: friend.userId, ...guardOf(friend) };
      const tag = await create('tags');
      for (const change of [
        { action: 'update-friend', ...person, data: { status: 'resolved' } },
        { action: 'set-friend-tags', ...person, tagIds: [] },
        { action: 'delete-configuration', resource: 'tags', id: tag.id, ...guardOf(tag) },
      ]) {
        subject.mock.faults.arm({ effect: 'rival-edit', times: 1 });
        expect((await apply(change)).body.error, change.action).toBe('STALE_REVISION');
        subject.mock.faults.disarm();
      }
    });

    it('[6.5] each applied change is in the audit once', async () => {
      const tag = await create('tags');
      await apply({ action: 'update-tags', id: tag.id, ...guardOf(tag), data: data.tags });
      await apply({ action: 'update-tags', id: tag.id, ...guardOf(tag), data: data.tags });
      expect(subject.mock.audit()).toMatchObject([
        { action: 'create-tags', recordId: tag.id, revisionBefore: null, revisionAfter: tag.revision },
        { action: 'update-tags', recordId: tag.id, revisionBefore: tag.revision },
      ]);
    });

    it('[6.5] the audit says who changed what, when, and by which request', async () => {
      const { caller, mock } = subject;
      const operationId = crypto.randomUUID();
      const made = await caller.change(operationId, { action: 'create-tags', data: data.tags });
      const tag = made.body.result;
      const removal = { action: 'delete-configuration', resource: 'tags', id: tag.id, ...guardOf(tag) };
      expect((await apply(removal)).status).toBe(200);
      const friend = await caller.first('friends');
      const person = { accountId: friend.accountId, userId: friend.userId };
      const seen = { action: 'update-friend', ...person, ...guardOf(friend), data: { status: 'resolved' } };
      const updated = (await apply(seen)).body.result;
      const [first, second, third] = mock.audit();
      const { key, organizationId } = (await caller.me()).body;
      expect(first).toEqual({
        id: 1,
        at: tag.createdAt,
        requestId: made.headers.get('x-request-id'),
        organizationId,
        operationId,
        key: expect.stringMatching(/^demo.*…|\*/),
        keyName: key.name,
        action: 'create-tags',
        resource: 'tags',
        recordId: tag.id,
        revisionBefore: null,
        revisionAfter: tag.revision,
      });
      expect(second).toMatchObject({
        id: 2,
        resource: 'tags',
        revisionBefore: tag.revision,
        revisionAfter: null,
      });
      expect(third).toMatchObject({
        resource: 'friends',
        revisionBefore: friend.revision,
        revisionAfter: updated.revision,
      });
    });

    it('[9.1] [9.2] a notification says whom it is about, when, and by which operation', async () => {
      const { caller, mock } = subject;
      const friend = await caller.first('friends');
      const person = { accountId: friend.accountId, userId: friend.userId };
      const operationId = crypto.randomUUID();
      const enrolment = await caller.change(operationId, {
        action: 'enroll-scenario',
        ...person,
        scenarioId: welcome,
      });
      await apply({ action: 'set-friend-tags', ...person, ...guardOf(friend), tagIds: [vip] });
      const [first, second] = mock.notifications();
      expect(first).toEqual({
        id: 1,
        at: enrolment.body.result.enrolledAt,
        organizationId: (await caller.me()).body.organizationId,
        operationId,
        ...person,
        kind: 'scenario-entered',
        scenarioId: welcome,
        automationId: enrolment.body.result.id,
      });
      expect(second).toMatchObject({ id: 2, kind: 'friend-tags-changed' });
    });
  });
}
