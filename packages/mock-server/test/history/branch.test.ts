import { describe, expect, it } from 'vitest';
import type { SandboxInput } from '../../src/index.ts';
import { Caller } from '../../test-support/caller.ts';
import { useServer } from '../../test-support/control-server.ts';
import {
  countTags,
  createTags,
  createWithHistory,
  getRefusal,
  tagChange,
} from '../../test-support/history.ts';

describe('a branch', () => {
  it('has the time and the limits of its mock, and a log, faults and minutes of its own', async () => {
    const { mock, caller } = createWithHistory();
    const [first = 0] = await createTags(mock, 2);
    mock.clock.move({ now: '2030-01-01T00:00:00Z', frozen: true });
    mock.patchLimits({ rateLimit: 2, history: 7 });
    mock.faults.arm({ effect: 'drop-request', times: 'always' });
    await caller.me().catch(() => {});
    const branch = mock.sandbox({ from: { requestId: first }, monthlyLimit: 9, name: 'branch' });
    expect(branch.patchLimits({})).toEqual({ rateLimit: 2, monthlyLimit: 9, history: 7 });
    expect(branch.clock.read().iso).toBe('2030-01-01T00:00:00.000Z');
    expect([branch.faults.list(), branch.requests.list()]).toEqual([[], []]);
    expect([await countTags(branch), (await new Caller(branch).me()).status]).toEqual([3, 200]);
    expect((await new Caller(branch).me()).status).toBe(429);
    branch.reset();
    expect(branch.patchLimits({})).toEqual({ rateLimit: 2, monthlyLimit: 9, history: 7 });
  });

  it.each([
    [{ from: { requestId: 1 }, state: {} }, 'from cannot be used together with state.'],
    [{ from: { requestId: 1 }, seed: {} }, 'from cannot be used together with seed.'],
    [{ from: {} }, 'from.requestId must be the id or the requestId of a request.'],
    [{ from: { requestId: 1, at: 2 } }, 'from has unknown fields: at. It accepts requestId.'],
    [{ from: 1 }, 'from must be of type object.'],
  ])('from %j is refused', async (input, message) => {
    const { mock } = createWithHistory();
    await createTags(mock, 1);
    expect(getRefusal(() => mock.sandbox(input as SandboxInput)).message).toBe(message);
    expect(mock.listSandboxes()).toEqual([]);
  });
});

describe('history over HTTP', () => {
  const { control, caller, server } = useServer();

  it('is turned on at run time, rewinds and branches', async () => {
    expect((await control('POST', '/rewind', { requestId: 1 })).body.error).toBe('HISTORY_OFF');
    expect((await control('PATCH', '/limits', { history: 10 })).body).toMatchObject({ history: 10 });
    await caller.me();
    expect((await control('POST', '/rewind', { requestId: 1 })).status).toBe(409);
    await caller.apply(tagChange);
    expect((await control('POST', '/rewind', { requestId: 77 })).status).toBe(404);
    expect(await control('POST', '/rewind', {})).toMatchObject({ status: 400 });
    const branch = await control('POST', '/sandboxes', { from: { requestId: 2 } });
    expect(branch).toMatchObject({ status: 201 });
    const inside = new Caller({ baseUrl: String(branch.body.baseUrl), fetch });
    expect((await inside.read({ resource: 'tags' })).body.total).toBe(3);
    expect((await caller.read({ resource: 'tags' })).body.total).toBe(4);
    expect(await control('POST', '/rewind', { requestId: '2' })).toEqual({
      status: 200,
      body: { id: 2, requestId: expect.any(String) },
    });
    expect((await caller.read({ resource: 'tags' })).body.total).toBe(3);
    const { requests } = (await control('GET', '/requests')).body as { requests: { action: string }[] };
    expect(requests.filter(({ action }) => action === 'rewind')).toHaveLength(1);
    expect(server.controlUrl).toContain('/_mock');
  });
});
