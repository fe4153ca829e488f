import { describe, expect, it } from 'vitest';
import { createGuard } from '../../test-support/caller.ts';
import { createChanges } from '../../test-support/changes.ts';
import { data } from '../../test-support/data.ts';
import type { MockUnderTest } from '../../test-support/mock-under-test.ts';

export function auditTests(subject: MockUnderTest): void {
  const { apply, create } = createChanges(subject);

  describe('chat changes', () => {
    it('[6.5] each applied change has one audit entry', async () => {
      const tag = await create('tags');
      await apply({ action: 'update-tags', id: tag.id, ...createGuard(tag), data: data.tags });
      await apply({ action: 'update-tags', id: tag.id, ...createGuard(tag), data: data.tags });
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
      const removal = { action: 'delete-configuration', resource: 'tags', id: tag.id, ...createGuard(tag) };
      expect((await apply(removal)).status).toBe(200);
      const friend = await caller.first('friends');
      const person = { accountId: friend.accountId, userId: friend.userId };
      const seen = {
        action: 'update-friend',
        ...person,
        ...createGuard(friend),
        data: { status: 'resolved' },
      };
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
        recordName: tag.label,
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
  });
}
