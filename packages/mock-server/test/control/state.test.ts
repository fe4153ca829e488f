import { describe, expect, it } from 'vitest';
import { createGuard } from '../../test-support/caller.ts';
import { useServer } from '../../test-support/control-server.ts';
import { data, shop, vip } from '../../test-support/data.ts';

const { caller, control, server } = useServer();
const tagChange = { action: 'create-tags', data: data.tags };

describe('the control API', () => {
  it('resets state, clock, limits, faults and request log', async () => {
    await caller.apply(tagChange);
    await control('POST', '/faults', { effect: 'respond', status: 500 });
    await control('POST', '/clock', { advanceMs: 60_000, frozen: true });
    await control('PATCH', '/organization', { plan: 'starter' });
    expect(await control('POST', '/reset')).toEqual({ status: 200, body: { ok: true } });
    expect((await caller.me()).body).toMatchObject({ plan: 'business', api: { used: 1 } });
    expect((await control('GET', '/faults')).body).toEqual({ faults: [] });
    expect((await control('GET', '/requests')).body.requests).toHaveLength(1);
    expect((await control('GET', '/operations')).body).toEqual({ operations: [] });
    expect((await control('GET', '/clock')).body.frozen).toBe(false);
  });

  it('saves a state and restores it whole', async () => {
    const id = crypto.randomUUID();
    const made = await caller.change(id, tagChange);
    const friend = await caller.first('friends');
    const person = { accountId: friend.accountId, userId: friend.userId };
    await caller.apply({ action: 'set-friend-tags', ...person, ...createGuard(friend), tagIds: [vip] });
    await caller.keywords('demo-site', { keywords: ['kept'], group: 'g' });
    await control('PATCH', '/keys/demo-read-key', { accountIds: [shop] });
    const everything = async () => [
      (await caller.read({ resource: 'tags' })).body,
      (await caller.read({ resource: 'friends' })).body,
      (await caller.read({ resource: 'conversations' })).body,
      (await caller.as('demo-read-key').read({ resource: 'friends' })).body,
      (await caller.studio({ resource: 'projects' })).body,
      (await control('GET', '/audit')).body,
      (await control('GET', '/notifications')).body,
      (await control('GET', '/operations')).body,
      (await control('GET', '/sites/demo-site/keywords')).body,
    ];
    const before = await everything();
    const { body: state } = await control('GET', '/state');
    await control('POST', '/reset');
    expect(await everything()).not.toEqual(before);
    expect(await control('PUT', '/state', state)).toEqual({ status: 200, body: { ok: true } });
    expect((await control('GET', '/state')).body).toEqual({ ...state, savedAt: expect.any(String) });
    expect(await everything()).toEqual(before);
    expect((await caller.change(id, tagChange)).body).toEqual({ ...made.body, replayed: true });
  });

  it('rejects an invalid state and changes nothing', async () => {
    const made = (await caller.apply(tagChange)).body.result;
    const { body: state } = await control('GET', '/state');
    const [organization] = state.organizations as Record<string, unknown>[];
    const broken = [
      {},
      { format: 'orgchat-state' },
      { ...state, version: 2 },
      { ...state, extra: 1 },
      { ...state, organizations: [] },
      { ...state, organizations: [{ ...organization, tags: [{ name: 'x', color: 'red' }] }] },
      { ...state, organizations: [{ ...organization, accounts: [] }] },
      { ...state, organizations: [organization, organization] },
      { ...state, organizations: [{ ...organization, plan: 'none' }] },
    ];
    for (const given of broken) {
      const { status, body } = await control('PUT', '/state', given);
      expect({ status, error: body.error }).toEqual({ status: 400, error: 'INVALID_INPUT' });
      expect(String(body.message).length).toBeGreaterThan(5);
    }
    expect((await caller.first('tags')).id).toBe(made.id);
    expect((await fetch(`${server.controlUrl}/state`, { method: 'PUT', body: '[' })).status).toBe(400);
  });
});
