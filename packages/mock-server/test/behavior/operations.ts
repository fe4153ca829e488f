import { describe, expect, it } from 'vitest';
import { createGuard } from '../../test-support/caller.ts';
import { data, shop } from '../../test-support/data.ts';
import type { MockUnderTest } from '../../test-support/mock-under-test.ts';

const change = { action: 'create-tags', data: data.tags };

export function operationsTests(subject: MockUnderTest): void {
  describe('change operations', () => {
    it('[6.3] [6.4] [6.6] [7.3.2] the same operationId and input is applied once and answered twice', async () => {
      const { caller, mock } = subject;
      const id = crypto.randomUUID();
      const first = await caller.change(id, change);
      const again = await caller.change(id.toUpperCase(), {
        data: { color: 'green', name: ' Spring ' },
        action: 'create-tags',
      });
      expect(again.body).toEqual({ ...first.body, replayed: true });
      const third = await caller.as('demo-write-key').change(id, change);
      expect(third.body).toEqual(again.body);
      expect((await caller.read({ resource: 'tags' })).body.total).toBe(4);
      const [one, two] = mock.requests.list();
      expect(one).toMatchObject({ applied: true, replayOf: null, operationId: id });
      expect(two).toMatchObject({ applied: false, replayOf: one?.requestId });
      expect(mock.operations()).toMatchObject([{ operationId: id, state: 'applied', action: 'create-tags' }]);
    });

    it('[6.6] a replay returns the stored answer, even if the record changed since', async () => {
      const { caller } = subject;
      const id = crypto.randomUUID();
      const made = (await caller.change(id, change)).body.result;
      const removalId = crypto.randomUUID();
      const removal = { action: 'delete-configuration', resource: 'tags', id: made.id, ...createGuard(made) };
      const deleted = await caller.change(removalId, removal);
      expect((await caller.change(id, change)).body.result).toEqual(made);
      expect((await caller.change(removalId, removal)).body).toEqual({ ...deleted.body, replayed: true });
      subject.mock.patchKey(caller.key, { accountIds: [shop] });
      expect((await caller.change(id, change)).body.replayed).toBe(true);
    });

    it('[4.4.42] [6.9] a different input conflicts, at every depth', async () => {
      const { caller } = subject;
      const id = crypto.randomUUID();
      await caller.change(id, change);
      for (const other of [
        { ...change, data: { ...data.tags, color: 'blue' } },
        { action: 'create-templates', data: data.templates },
      ]) {
        const { status, body } = await caller.change(id, other);
        expect([status, body.error]).toEqual([409, 'INPUT_CONFLICT']);
      }
      const reply = { action: 'create-auto-replies', data: data['auto-replies'] };
      const long = { ...reply, data: { ...reply.data, responseText: 'x'.repeat(4000) } };
      const second = crypto.randomUUID();
      expect((await caller.change(second, long)).status).toBe(200);
      const absent = { ...long, data: { ...long.data, content: [{ type: 'text', text: 'x' }] } };
      expect((await caller.change(second, absent)).body.error).toBe('INPUT_CONFLICT');
      expect((await caller.change(second, long)).body.replayed).toBe(true);
    });

    it('[6.11] a refused change frees its operationId', async () => {
      const { caller, mock } = subject;
      const id = crypto.randomUUID();
      const tag = (await caller.apply(change)).body.result;
      const update = { action: 'update-tags', id: tag.id, data: data.tags };
      expect((await caller.change(id, { ...update, ...createGuard({ ...tag, label: 'x' }) })).status).toBe(
        409,
      );
      expect((await caller.change(id, { action: 'create-tags' })).status).toBe(400);
      mock.patchOrganization({ runtime: 'down' });
      expect((await caller.change(id, change)).status).toBe(502);
      mock.patchOrganization({ runtime: 'up' });
      expect((await caller.change(id, { ...update, ...createGuard(tag) })).body.replayed).toBe(false);
    });

    it('[6.1] an operationId belongs to the organization, whichever key sends it', async () => {
      const { caller, mock } = subject;
      const id = crypto.randomUUID();
      await caller.change(id, change);
      mock.patchKey('demo-viewer-key', { editor: true });
      expect((await caller.as('demo-viewer-key').change(id, change)).body.replayed).toBe(true);
    });

    it('[3.19] checks of the key come before a replay, checks of the record after it', async () => {
      const { caller, mock } = subject;
      const id = crypto.randomUUID();
      await caller.change(id, change);
      mock.patchKey(caller.key, { editor: false });
      expect((await caller.change(id, change)).status).toBe(403);
      mock.patchKey(caller.key, { editor: true });
      mock.patchOrganization({ runtime: 'down' });
      expect((await caller.change(id, change)).status).toBe(502);
    });

    it('[4.4.41] [6.6] of many requests at once, one is applied', async () => {
      const { caller } = subject;
      const id = crypto.randomUUID();
      const twins = await Promise.all(Array.from({ length: 10 }, () => caller.change(id, change)));
      expect(twins.filter(({ body }) => body.replayed === false)).toHaveLength(1);
      expect(twins.every(({ status }) => status === 200)).toBe(true);
      const made = twins[0]?.body.result;
      if (made === undefined) throw new Error('nothing was made');
      const rivals = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          caller.apply({
            action: 'update-tags',
            id: made.id,
            ...createGuard(made),
            data: { ...data.tags, name: `n${i}` },
          }),
        ),
      );
      expect(rivals.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    });
  });
}
