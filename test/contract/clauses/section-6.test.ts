import { beforeEach, describe, expect, it } from 'vitest';
import { createGuard } from '../../../packages/mock-server/test-support/caller.ts';
import { data } from '../../../packages/mock-server/test-support/data.ts';
import { document } from '../../../spec/test-support/document.ts';
import { listVariants, serve } from './service.ts';

const { mock, caller } = serve();
beforeEach(() => mock.reset());

const id = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
const change = { action: 'create-tags', data: data.tags };

describe('section 6: change operations', () => {
  it('[6.2] an operation is applied or uncertain; replayed describes an answer', async () => {
    await caller.change(id, change);
    expect((await caller.change(id, change)).body.replayed).toBe(true);
    mock.faults.arm({ effect: 'uncertain', answer: 502 });
    await caller.apply(change);
    const states = mock.operations().map((operation) => (operation as { state: string }).state);
    expect(states.sort()).toEqual(['applied', 'uncertain']);
  });

  it.each(['auto-replies', 'scenarios', 'forms'] as const)(
    '[6.10] active of %s changes like any other field',
    async (resource) => {
      let record = (await caller.apply({ action: `create-${resource}`, data: data[resource] })).body.result;
      for (const active of [true, true, false, false, true]) {
        const update = { action: `update-${resource}`, id: record.id, ...createGuard(record) };
        const { status, body } = await caller.apply({ ...update, data: { ...data[resource], active } });
        expect([status, body.result.active]).toEqual([200, active]);
        record = body.result;
      }
    },
  );

  it('[6.12] an operation is remembered as long as the state, by decision', async () => {
    const { body } = await caller.change(id, change);
    mock.clock.advance(10 * 365 * 86_400_000);
    expect((await caller.change(id, change)).body).toEqual({ ...body, replayed: true });
    mock.restore(JSON.parse(JSON.stringify(mock.state())));
    expect((await caller.change(id, change)).body).toEqual({ ...body, replayed: true });
    mock.reset();
    expect((await caller.change(id, change)).body.replayed).toBe(false);
  });

  const statuses = ['unread', 'in_progress', 'resolved'] as const;
  it.each(statuses.flatMap((from) => statuses.map((to) => [from, to] as const)))(
    '[6.13] [6.14] a conversation that is %s may become %s, by decision',
    async (from, to) => {
      for (const status of [from, to]) {
        const friend = await caller.first('friends');
        const who = { accountId: friend.accountId, userId: friend.userId };
        const update = { action: 'update-friend', ...who, ...createGuard(friend), data: { status } };
        expect((await caller.apply(update)).body.result.status).toBe(status);
      }
    },
  );

  it('[6.15] [6.16] a broadcast is always a draft', async () => {
    const { body } = await caller.read({ resource: 'broadcasts' });
    expect(new Set(body.records.map(({ status }) => status))).toEqual(new Set(['draft']));
    expect(document.components.schemas.BroadcastRecord?.properties?.status).toMatchObject({
      enum: ['draft'],
    });
    const actions = listVariants('ChatChange').filter((action) => action.includes('broadcast'));
    expect(actions).toEqual(['create-broadcasts', 'update-broadcasts']);
    for (const status of ['draft', 'scheduled', 'sent']) {
      const given = { ...data.broadcasts, status };
      expect((await caller.apply({ action: 'create-broadcasts', data: given })).status, status).toBe(400);
    }
  });
});
