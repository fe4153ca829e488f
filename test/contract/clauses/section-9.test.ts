import { afterEach, describe, expect, it, vi } from 'vitest';
import { createGuard } from '../../../packages/mock-server/test-support/caller.ts';
import { data, vip, welcome } from '../../../packages/mock-server/test-support/data.ts';
import { document } from '../../../spec/test-support/document.ts';
import { contract, contractText, listVariants, operations, serve } from './service.ts';

afterEach(() => vi.restoreAllMocks());

describe('section 9: events', () => {
  it('[9.1] the document has no webhooks, no callbacks and no field for an address to call', () => {
    expect(contract).not.toHaveProperty('webhooks');
    expect(contract.components).not.toHaveProperty('callbacks');
    for (const operation of operations) expect(operation).not.toHaveProperty('callbacks');
    expect(contractText).not.toMatch(/"(?:webhook|callback)\w*":/i);
  });

  it('[9.1] nothing is sent, even when notifications start', async () => {
    const outgoing = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('nobody is to be called'));
    const { caller, mock } = serve();
    const friend = await caller.first('friends');
    const who = { accountId: friend.accountId, userId: friend.userId };
    await caller.apply({ action: 'set-friend-tags', ...who, ...createGuard(friend), tagIds: [] });
    await caller.apply({
      action: 'set-friend-tags',
      ...who,
      ...createGuard(await caller.first('friends')),
      tagIds: [vip],
    });
    await caller.apply({ action: 'enroll-scenario', ...who, scenarioId: welcome });
    await caller.apply({ action: 'create-broadcasts', data: data.broadcasts });
    expect(mock.notifications().length).toBeGreaterThan(1);
    expect(outgoing).not.toHaveBeenCalled();
  });

  it('[9.3] the document has no shape of a notification, and no operation reads one', async () => {
    expect(Object.keys(document.components.schemas).filter((name) => /notif|event/i.test(name))).toEqual([]);
    expect(listVariants('ChatReadInput').filter((name) => /notif|event/.test(name))).toEqual([]);
    const { caller } = serve();
    expect((await caller.read({ resource: 'notifications' })).status).toBe(400);
    expect((await caller.send('/notifications')).status).toBe(404);
  });
});

describe('section 10: versions', () => {
  it('[10.2] the contract version is 0.1.0', () => {
    expect(contract.info.version).toBe('0.1.0');
  });

  it('[10.3, 10.4] no version header is declared, sent or read', async () => {
    const declared = [
      ...Object.values(contract.components.parameters).map(({ name }) => name),
      ...Object.values(contract.components.responses).flatMap(({ headers }) => Object.keys(headers)),
    ];
    expect(new Set(declared)).toEqual(new Set(['Accept-Language', 'siteId', 'X-Request-Id', 'Retry-After']));
    const { caller } = serve();
    const plain = await caller.read({ resource: 'tags' });
    expect([...plain.headers.keys()].filter((name) => /version|api/i.test(name))).toEqual([]);
    for (const headers of [
      { 'API-Version': '99' },
      { 'X-API-Version': '2020-01-01' },
      { Version: '0.0.1' },
    ]) {
      expect((await caller.read({ resource: 'tags' }, { headers })).body).toEqual(plain.body);
    }
  });
});
