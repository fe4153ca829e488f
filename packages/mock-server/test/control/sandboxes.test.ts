import { describe, expect, it } from 'vitest';
import { Caller } from '../../test-support/caller.ts';
import { useServer } from '../../test-support/control-server.ts';
import { data } from '../../test-support/data.ts';

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
});
