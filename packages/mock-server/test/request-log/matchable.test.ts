import { describe, expect, it } from 'vitest';
import type { ControlError } from '../../src/index.ts';
import { Caller, createGuard } from '../../test-support/caller.ts';
import { data, vip } from '../../test-support/data.ts';
import { openUnlimited, verify } from '../../test-support/verification.ts';

const tag = { action: 'create-tags', data: data.tags };

describe('a verification that a request can match is not refused', () => {
  it('for every field and value of a request that was sent', async () => {
    const mock = openUnlimited();
    const caller = new Caller(mock);
    const { result } = (await caller.apply(tag)).body;
    const update = { action: 'update-tags', id: result.id, ...createGuard(result), data: data.tags };
    await caller.apply(update);
    await caller.apply(update);
    await caller.keywords('demo-site', { keywords: [' a '], note: 'ignored' });
    await caller.keywords('no-site', { keywords: ['a'] });
    await caller.read({ resource: 'projects' });
    await caller.read({ resource: 'tags', limit: 3 });
    await caller.apply({ action: 'delete-configuration', resource: 'rich-menus', id: vip });
    await caller.as('no-key').me();
    await caller.send('/nowhere');
    await caller.send('/chat/read', undefined, { method: 'GET' });
    for (const { id } of mock.requests.list()) {
      const { operation, action, resource, recordId, operationId, status, applied, path, request } =
        mock.requests.get(id);
      const all = { operation, action, resource, recordId, operationId, status, path };
      const filter = {
        ...Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)),
        applied,
        ...(request.body !== null && { body: request.body as Record<string, unknown> }),
      };
      expect(mock.requests.verify({ ...filter, times: 1 }), JSON.stringify(filter)).toEqual({ ok: true });
      for (const [name, value] of Object.entries(filter))
        expect(mock.requests.verify({ [name]: value, times: { atLeast: 1 } })).toEqual({ ok: true });
    }
    expect(verify(mock, { key: 'no-key' }, 1)).toBeUndefined();
    expect(verify(mock, { siteId: 'no-site' }, 1)).toBeUndefined();
  });

  it('for what a fault may have answered, also after it was disarmed', () => {
    const mock = openUnlimited();
    expect(verify(mock, { operation: 'getAccount', status: 503 })).toMatch(/^status/);
    mock.faults.arm({ effect: 'respond', status: 503, undeclared: true, probability: 0.01, times: 'always' });
    mock.faults.disarm();
    expect(verify(mock, { operation: 'getAccount', status: 503 })).toBeUndefined();
  });

  it('for a change that was applied and answered with an error', async () => {
    const mock = openUnlimited();
    expect(verify(mock, { applied: true, status: 409 })).toMatch(/^status is 409/);
    mock.faults.arm({ effect: 'fail-response', operation: 'changeChat', status: 409 });
    const { headers } = await new Caller(mock).apply(tag);
    expect(headers.get('x-request-id')).toBe(mock.requests.list()[0]?.requestId);
    mock.requests.verify({ applied: true, status: 409, times: 1 });
  });

  it('for a record that was deleted, changed before the log was cleared, or is a friend or an enrollment', async () => {
    const mock = openUnlimited();
    const caller = new Caller(mock);
    const { result } = (await caller.apply(tag)).body;
    await caller.apply({
      action: 'delete-configuration',
      resource: 'tags',
      id: result.id,
      ...createGuard(result),
    });
    const { accountId, userId } = await caller.first('friends');
    const [enrollment] = (await caller.read({ resource: 'friend-automations', accountId, userId })).body
      .records;
    mock.requests.clear();
    for (const recordId of [
      result.id,
      result.id.toUpperCase(),
      vip,
      `${accountId}/${userId}`,
      enrollment?.id ?? '',
    ])
      expect([recordId, verify(mock, { recordId })]).toEqual([recordId, undefined]);
  });

  it('for what a full log may have dropped', async () => {
    const mock = openUnlimited({ requestLogSize: 1 });
    const caller = new Caller(mock);
    await caller.as('other-key').me();
    await caller.me();
    expect(() => mock.requests.verify({ key: 'other-key', times: 0 })).toThrow(/request log is full/);
    expect(verify(mock, { action: 'create-tags', operation: 'readChat' })).toMatch(/^action/);
  });

  it('for parts of bodies that are valid', () => {
    const mock = openUnlimited();
    for (const body of [
      {},
      { change: {} },
      { change: { data: { name: ' VIP ' } } },
      { change: { action: 'create-links', data: { url: 'https://example.com', tagId: null } } },
      { change: { data: { content: [{ type: 'text' }] } } },
      { change: { data: { design: null } } },
      { change: { tagIds: [vip.toUpperCase()] } },
      { keywords: ['a'] },
      { note: 'a keyword body may have any field' },
    ])
      expect([body, verify(mock, { body, applied: true })]).toEqual([body, undefined]);
    expect(verify(mock, { body: { note: 1 }, applied: true, action: 'create-tags' })).toMatch(/^body\.note/);
  });
});

describe('a keyword write', () => {
  it('is found by its site and its path', async () => {
    const mock = openUnlimited();
    const caller = new Caller(mock);
    await caller.keywords('demo-site', { keywords: ['a'] });
    await caller.keywords('demo%2Dsite', { keywords: ['b'] });
    await caller.keywords('demo-blog', { keywords: ['c'] });
    mock.requests.verify({ siteId: 'demo-site', times: 2 });
    mock.requests.verify({ siteId: 'demo-blog', applied: true, times: 1 });
    mock.requests.verify({ path: '/sites/demo%2Dsite/keywords', times: 1 });
    mock.requests.verify({ path: '/sites/demo-blog/keywords', times: 1 });
    mock.requests.verify({ path: '/me', times: 0 });
    expect(() => mock.requests.verify({ siteId: 'demo-blog', times: 2 })).toThrow(/found 1/);
    try {
      mock.requests.verify({ siteId: 'demo-blog', body: { keywords: ['a'] }, times: 1 });
    } catch (error) {
      expect((error as ControlError).extra.nearMisses).toMatchObject([
        { missed: ['body'] },
        { missed: ['siteId'] },
        { missed: ['siteId', 'body'] },
      ]);
    }
  });
});
