import { configurationResources } from '@orgchat/spec';
import { describe, expect, it } from 'vitest';
import { createGuard } from '../../test-support/caller.ts';
import { createChanges } from '../../test-support/changes.ts';
import { data } from '../../test-support/data.ts';
import type { MockUnderTest } from '../../test-support/mock-under-test.ts';

export function configurationChangesTests(subject: MockUnderTest): void {
  const { apply, create } = createChanges(subject);

  describe('chat changes', () => {
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
        const update = { action: `update-${resource}`, id: record.id, ...createGuard(record), data: changed };
        const updated = (await apply(update)).body.result;
        expect(updated).toMatchObject({ id: record.id, label: 'Another', [name]: 'Another' });
        expect(updated.revision).not.toBe(record.revision);
        expect(updated.createdAt).toBe(record.createdAt);
        const stale = await apply({ ...update, data: data[resource] });
        expect([stale.status, stale.body.error]).toEqual([409, 'STALE_REVISION']);
        expect(await caller.first(resource)).toEqual(updated);

        const removal = { action: 'delete-configuration', resource, id: record.id };
        if (resource === 'rich-menus') {
          expect((await apply({ ...removal, ...createGuard(updated) })).status).toBe(400);
          return;
        }
        expect((await apply({ ...removal, ...createGuard(record) })).status).toBe(409);
        expect((await apply({ ...removal, ...createGuard({ ...updated, label: 'x' }) })).status).toBe(409);
        const deleted = await apply({ ...removal, ...createGuard(updated) });
        expect(deleted.body.result).toEqual({ id: record.id, deleted: true });
        expect((await caller.read({ resource, id: record.id })).status).toBe(404);
        expect((await apply({ ...removal, ...createGuard(updated) })).status).toBe(404);
      },
    );

    it('[4.4.25] an update removes an optional field that it omits', async () => {
      const content = [{ type: 'text', text: 'Hi' }];
      const made = (
        await apply({ action: 'create-auto-replies', data: { ...data['auto-replies'], content } })
      ).body.result;
      expect(made.content).toEqual(content);
      const update = {
        action: 'update-auto-replies',
        id: made.id,
        ...createGuard(made),
        data: data['auto-replies'],
      };
      expect((await apply(update)).body.result).not.toHaveProperty('content');
    });

    it('[1.16] [4.4.28] [6.15] broadcasts stay drafts', async () => {
      const made = await create('broadcasts');
      expect(made.status).toBe('draft');
      const update = {
        action: 'update-broadcasts',
        id: made.id,
        ...createGuard(made),
        data: data.broadcasts,
      };
      expect((await apply(update)).body.result.status).toBe('draft');
    });
  });
}
