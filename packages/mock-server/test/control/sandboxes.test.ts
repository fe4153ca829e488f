import { describe, expect, it, vi } from 'vitest';
import { createMock } from '../../src/index.ts';
import { TraceRing } from '../../src/request-log/trace-ring.ts';
import { Caller } from '../../test-support/caller.ts';
import { useServer } from '../../test-support/control-server.ts';
import { data } from '../../test-support/data.ts';
import { act, decidedRequests } from '../../test-support/decided-requests.ts';

const { caller, control } = useServer();
const tagChange = { action: 'create-tags', data: data.tags };

describe('the control API', () => {
  it('creates isolated sandboxes and removes them', async () => {
    await caller.apply(tagChange);
    const make = async (body?: unknown) =>
      (await control('POST', '/sandboxes', body)).body as { id: string; baseUrl: string; controlUrl: string };
    const one = await make();
    const two = await make({});
    const inside = new Caller({ baseUrl: one.baseUrl, fetch });
    expect((await inside.read({ resource: 'tags' })).body.total).toBe(3);
    await inside.apply(tagChange);
    await inside.apply(tagChange);
    expect((await new Caller({ baseUrl: two.baseUrl, fetch }).read({ resource: 'tags' })).body.total).toBe(3);
    expect((await caller.read({ resource: 'tags' })).body.total).toBe(4);
    const log = (await (await fetch(`${one.controlUrl}/requests`)).json()) as { requests: unknown[] };
    expect(log.requests).toHaveLength(3);
    const state = await (await fetch(`${one.controlUrl}/state`)).json();
    const three = await make({ state });
    expect((await new Caller({ baseUrl: three.baseUrl, fetch }).read({ resource: 'tags' })).body.total).toBe(
      5,
    );
    expect((await control('POST', '/sandboxes', { state: {} })).status).toBe(400);
    expect((await control('DELETE', `/sandboxes/${one.id}`)).status).toBe(200);
    expect((await inside.me()).status).toBe(410);
    expect((await fetch(`${one.controlUrl}/health`)).status).toBe(410);
    expect((await control('DELETE', `/sandboxes/${one.id}`)).status).toBe(410);
  });

  it('lists sandboxes with the number of their requests and refusals, and the last of them', async () => {
    const list = async () =>
      (await control('GET', '/sandboxes')).body.sandboxes as readonly Record<string, unknown>[];
    const { body: made } = await control('POST', '/sandboxes', { name: 'orders' });
    const none = { requests: 0, refused: 0, lastRequestAt: null, lastRefusal: null };
    expect(await list()).toMatchObject([{ name: 'orders', ...none }]);
    const inside = new Caller({ baseUrl: String(made.baseUrl), fetch });
    await inside.me();
    await inside.apply({ action: 'create-tags', data: {} });
    await inside.as('no such key').me();
    // A call of the control API is not a request of a client.
    await fetch(`${made.controlUrl}/requests`);
    const log = (await (await fetch(`${made.controlUrl}/requests`)).json()) as {
      readonly requests: readonly { readonly receivedAt: string }[];
    };
    expect(await list()).toMatchObject([
      {
        requests: 3,
        refused: 2,
        lastRequestAt: log.requests.at(-1)?.receivedAt,
        lastRefusal: { error: 'UNAUTHORIZED', because: expect.stringContaining('does not have the key') },
      },
    ]);
    await inside.read({ resource: 'tag' } as never);
    expect(await list()).toMatchObject([
      { lastRefusal: { problem: { path: 'resource', sent: '"tag"', didYouMean: 'tags' } } },
    ]);
    await fetch(`${made.controlUrl}/requests`, { method: 'DELETE' });
    expect(await list()).toMatchObject([none]);
  });

  it.each(Object.entries(decidedRequests))('counts what the log has: %s', async (_reason, given) => {
    const { world } = await act(given);
    const requests = world.requestLog.list().filter(({ isRequest }) => isRequest);
    const refused = requests.filter(({ status = 0 }) => status >= 400);
    const last = refused.at(-1)?.toEntry();
    expect(world.requestLog.summarize()).toMatchObject({
      requests: requests.length,
      refused: refused.length,
      lastRefusal: last === undefined ? null : { error: last.error, because: last.decidedBy.because },
    });
  });

  it('lists sandboxes without a look at the entries of their logs', async () => {
    const mock = createMock();
    const sandbox = mock.sandbox();
    const inside = new Caller(sandbox, 'nobody');
    for (let n = 0; n < 3; n++) await inside.me();
    const listed = vi.spyOn(TraceRing.prototype, 'list');
    expect(mock.listSandboxes()).toMatchObject([{ requests: 3, refused: 3 }]);
    expect(listed).not.toHaveBeenCalled();
    listed.mockRestore();
  });

  it('does not count a request that was cleared before it was answered', async () => {
    const waits: (() => void)[] = [];
    const mock = createMock({ sleep: () => new Promise((resolve) => void waits.push(() => resolve())) });
    const sandbox = mock.sandbox();
    sandbox.faults.arm({ effect: 'delay', delayMs: 1 });
    const sent = new Caller(sandbox).apply({ action: 'create-tags', data: {} });
    await vi.waitFor(() => expect(waits).toHaveLength(1));
    sandbox.requests.clear();
    waits[0]?.();
    expect((await sent).status).toBe(400);
    expect(mock.listSandboxes()).toMatchObject([{ requests: 0, refused: 0, lastRefusal: null }]);
  });

  it('counts the characters of a name as the API counts those of a text', () => {
    const mock = createMock();
    expect(mock.sandbox({ name: '🎉'.repeat(200) }).name).toBe('🎉'.repeat(200));
    expect(() => mock.sandbox({ name: '🎉'.repeat(201) })).toThrow('name must have at most 200 characters');
    expect(() => mock.sandbox({ name: 'half \ud83c' })).toThrow('half of a surrogate pair');
  });

  it('counts requests that a full log dropped', async () => {
    const mock = createMock({ requestLogSize: 2, rateLimit: 'off' });
    const sandbox = mock.sandbox({ name: 'small' });
    const inside = new Caller(sandbox, 'no such key');
    for (let n = 0; n < 5; n++) await inside.me();
    await inside.as('demo-write-key').me();
    expect(mock.listSandboxes()).toMatchObject([{ requests: 6, refused: 5 }]);
    const lastRequestAt = sandbox.requests.list().at(-1)?.receivedAt;
    // Entries of the control API take their places.
    sandbox.patchLimits({ history: 5 });
    for (let n = 0; n < 5; n++) sandbox.inject.friend({ displayName: `Friend ${n}` });
    expect(sandbox.requests.dropped()).toMatchObject({ entries: 9 });
    expect(mock.listSandboxes()).toMatchObject([{ requests: 6, refused: 5, lastRequestAt }]);
  });

  it('says on the start page of a sandbox which one it is, and where the way back leads', async () => {
    const mock = createMock();
    const outer = mock.sandbox({ name: 'outer' });
    const inner = outer.sandbox();
    const about = async (one: { readonly controlUrl: string }) =>
      (await mock.fetch(new URL('./', one.controlUrl))).json() as Promise<Record<string, unknown>>;
    expect((await about(mock)).sandbox).toBeUndefined();
    expect((await about(outer)).sandbox).toEqual({
      id: outer.id,
      name: 'outer',
      parentInspector: `${mock.controlUrl}/`,
    });
    expect((await about(inner)).sandbox).toEqual({
      id: inner.id,
      name: null,
      parentInspector: `${outer.controlUrl}/`,
    });
  });
});
