import { describe, expect, it } from 'vitest';
import { useServer } from '../../test-support/control-server.ts';
import { data } from '../../test-support/data.ts';

const { caller, control } = useServer();
const tagChange = { action: 'create-tags', data: data.tags };

describe('the control API', () => {
  it('arms faults, and describes the problem of an invalid fault with its path', async () => {
    const armed = await control('POST', '/faults', {
      effect: 'uncertain',
      applied: false,
      resolve: { afterRequests: 1 },
    });
    expect(armed).toMatchObject({
      status: 201,
      body: { id: 'fault-1', effect: 'uncertain', after: 0, times: 1, hits: [] },
    });
    const refused: [object, string][] = [
      [{ effect: 'explode' }, 'effect'],
      [{}, 'effect'],
      [{ effect: 'delay' }, 'delayMs'],
      [{ effect: 'delay', delayMs: -1 }, 'delayMs'],
      [{ effect: 'delay', delayMs: 1, status: 500 }, 'status'],
      [{ effect: 'drop-request', operation: 'getMe' }, 'operation'],
      [{ effect: 'delay', delayMs: { min: 1 } }, 'delayMs'],
      [{ effect: 'delay', delayMs: { min: 2, max: 1 } }, 'delayMs'],
      [{ effect: 'delay', delayMs: { min: 1, max: 2, mean: 1 } }, 'delayMs'],
      [{ effect: 'delay', delayMs: 1, applied: 'yes' }, 'applied'],
      [{ effect: 'lose-response', applied: true }, 'applied'],
      [{ effect: 'drop-request', times: 0 }, 'times must be at least 1'],
      [{ effect: 'drop-request', times: 'never' }, 'times must be "always" or a whole number, 1 or greater'],
      [{ effect: 'drop-request', probability: 0 }, 'probability must be more than 0 and at most 1'],
      [{ effect: 'drop-request', probability: 1.01 }, 'probability'],
      [{ effect: 'drop-request', probability: '0.5' }, 'probability'],
      [{ effect: 'drop-request', after: 1.5 }, 'after'],
      [{ effect: 'drop-request', action: 'create-tag' }, 'action'],
      [{ effect: 'drop-request', resource: 'tag' }, 'resource'],
      [{ effect: 'respond' }, 'status'],
      [{ effect: 'respond', status: 503 }, 'status'],
      [{ effect: 'respond', status: 409, operation: 'readChat' }, 'status'],
      [{ effect: 'respond', status: 404, operation: 'getAccount' }, 'status'],
      [{ effect: 'uncertain', resolve: 'soon' }, 'resolve'],
      [{ effect: 'uncertain', answer: 404 }, 'answer'],
      [{ effect: 'uncertain', operation: 'readChat' }, 'operation'],
      [{ effect: 'skip-audit', operation: 'getAccount' }, 'operation'],
    ];
    for (const [fault, where] of refused) {
      const { status, body } = await control('POST', '/faults', fault);
      expect({ fault, status }).toEqual({ fault, status: 400 });
      expect(body.message, JSON.stringify(fault)).toContain(where);
    }
    expect(
      (await control('POST', '/faults', { effect: 'respond', status: 503, undeclared: true })).status,
    ).toBe(201);
    expect((await caller.me()).status).toBe(503);
    expect((await control('DELETE', '/faults/fault-1')).body).toEqual({ disarmed: 1 });
    expect(await control('DELETE', '/faults/fault-1')).toMatchObject({
      status: 404,
      body: { error: 'NOT_FOUND', message: 'There is no fault fault-1.' },
    });
    expect((await control('DELETE', '/faults')).body).toEqual({ disarmed: 1 });
    expect((await control('DELETE', '/faults')).body).toEqual({ disarmed: 0 });
    expect((await caller.me()).status).toBe(200);
  });

  it.each([
    [{ effect: 'drop-request', action: 'create-tags', resource: 'forms' }, 'resource must be tags:'],
    [{ effect: 'skip-audit', resource: 'messages' }, 'resource must be one of tags, templates, '],
    [{ effect: 'rival-edit', action: 'create-tags' }, 'action must be one of update-tags, '],
    [{ effect: 'rival-edit', resource: 'friend-automations' }, 'resource must be one of tags, '],
    [{ effect: 'uncertain', operation: 'readChat' }, 'operation must be changeChat:'],
    [{ effect: 'delay', delayMs: 1, operation: 'getAccount', resource: 'tags' }, 'resource can only be set'],
    [
      { effect: 'drop-request', operation: 'readChat', action: 'create-tags' },
      'can only be set if operation is changeChat:',
    ],
    [
      { effect: 'drop-request', operation: 'readChat', resource: 'projects' },
      'resource must be one of accounts',
    ],
    [{ effect: 'drop-request', action: 'delete-configuration', resource: 'rich-menus' }, 'resource must be'],
    [{ effect: 'respond', status: 502, resource: 'messages' }, '502 is not a declared status of readChat'],
    [{ effect: 'uncertain', resolve: {} }, 'resolve must be "never", { "afterRequests": n } or'],
    [
      { effect: 'respond', status: 429, retryAfter: {} },
      'retryAfter must be a number or a valid header value',
    ],
    [{ effect: 'respond', status: 201, undeclared: true }, 'status must be at least 202'],
    [{ effect: 'respond', status: 204 }, '204 is not a declared status of getAccount, '],
    [{ effect: 'drop-request', key: 'demo-wirte-key' }, 'key must be the text of a key of this mock server'],
  ] as const)('rejects a fault that is invalid or could never hit: %j', async (fault, why) => {
    const { status, body } = await control('POST', '/faults', fault);
    expect({ status, message: body.message }).toEqual({ status: 400, message: expect.stringContaining(why) });
    expect(body.message).not.toContain('demo-wirte-key');
    expect((await control('GET', '/faults')).body).toEqual({ faults: [] });
  });

  it('a status is sent only for operations that declare it', async () => {
    await control('POST', '/faults', { effect: 'respond', status: 409 });
    expect((await caller.me()).status).toBe(200);
    expect((await caller.read({ resource: 'tags' })).status).toBe(200);
    expect((await caller.apply(tagChange)).status).toBe(409);
  });
});
