import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ControlError } from '../src/control/input.ts';
import {
  createMock,
  type Mock,
  MockOptionsError,
  type RewindInput,
  type SandboxInput,
} from '../src/index.ts';
import { Organization } from '../src/records/organization.ts';
import type { RoutableMock } from '../src/shared-services.ts';
import { Caller, createGuard } from '../test-support/caller.ts';
import { useServer } from '../test-support/control-server.ts';
import { data } from '../test-support/data.ts';
import { lastId, readState } from '../test-support/history.ts';

const tagChange = { action: 'create-tags', data: data.tags };

afterEach(() => vi.restoreAllMocks());

const create = (history = 100): { mock: Mock; caller: Caller } => {
  const mock = createMock({ history, rateLimit: 'off' });
  return { mock, caller: new Caller(mock) };
};

/** Creates tags, and returns the ids of the requests. */
const createTags = async (mock: Mock, count: number): Promise<number[]> => {
  const ids: number[] = [];
  for (let i = 0; i < count; i++) {
    expect((await new Caller(mock).apply(tagChange)).status).toBe(200);
    ids.push(lastId(mock));
  }
  return ids;
};

const countTags = async (mock: Mock): Promise<number> =>
  (await new Caller(mock).read({ resource: 'tags' })).body.total;

const refusal = (run: () => unknown): Pick<ControlError, 'status' | 'code' | 'message' | 'extra'> => {
  try {
    run();
  } catch (error) {
    if (error instanceof ControlError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
};

describe('a rewind', () => {
  it('undoes a request and all later ones; the change may then be sent again', async () => {
    const { mock, caller } = create();
    const operationId = crypto.randomUUID();
    await createTags(mock, 1);
    const made = await caller.change(operationId, tagChange);
    const requestId = made.headers.get('x-request-id') ?? '';
    await createTags(mock, 2);
    expect(mock.rewind({ requestId })).toEqual({ id: 2, requestId });
    expect(await countTags(mock)).toBe(4);
    expect((await caller.change(operationId, tagChange)).body).toMatchObject({
      applied: true,
      replayed: false,
      result: { id: made.body.result.id },
    });
  });

  it('leaves clock, limits, counted requests, armed faults and the log alone, and is logged', async () => {
    const { mock, caller } = create();
    await createTags(mock, 2);
    mock.clock.move({ now: '2030-01-01T00:00:00Z', frozen: true });
    mock.patchLimits({ rateLimit: 7 });
    mock.faults.arm({ effect: 'delay', delayMs: 1, after: 9 });
    const { used } = (await caller.me()).body.api;
    const faults = mock.faults.list();
    const logged = mock.requests.list();
    mock.rewind({ requestId: 1 });
    expect(mock.clock.read()).toMatchObject({ iso: '2030-01-01T00:00:00.000Z', frozen: true });
    expect(mock.patchLimits({})).toEqual({ rateLimit: 7, monthlyLimit: 'plan', history: 100 });
    expect(mock.faults.list()).toEqual(faults);
    const log = mock.requests.list();
    expect(log.slice(0, -1)).toEqual(logged);
    expect(log.at(-1)).toMatchObject({
      ...{ id: 4, method: 'POST', path: '/rewind', operation: null, action: 'rewind', applied: false },
      ...{ receivedAt: '2030-01-01T00:00:00.000Z', rewoundTo: logged[0]?.requestId },
    });
    expect((await caller.me()).body.api.used).toBe(used + 1);
    expect(lastId(mock)).toBe(5);
  });

  it('goes back to settings, keys, keywords, audit, notifications and edits too', async () => {
    const { mock, caller } = create();
    const [first] = await createTags(mock, 1);
    const before = readState(mock);
    const [second] = await createTags(mock, 1);
    mock.patchOrganization({ runtime: 'down' });
    mock.patchKey('demo-read-key', { revoked: true });
    mock.patchOrganization({ runtime: 'up' });
    await caller.keywords('demo-site', { keywords: ['new'] });
    const friend = await caller.first('friends');
    const { accountId, userId } = friend;
    await caller.apply({
      ...{ action: 'set-friend-tags', accountId, userId, ...createGuard(friend), tagIds: [] },
    });
    mock.edit({ resource: 'friends', id: `${accountId}/${userId}`, data: { displayName: 'Edited' } });
    mock.rewind({ requestId: second ?? 0 });
    expect(readState(mock)).toEqual(before);
    mock.rewind({ requestId: first ?? 0 });
    expect(mock.audit()).toEqual([]);
  });

  it('may go forward again, to a state that it left', async () => {
    const { mock } = create();
    const [first, , third] = await createTags(mock, 3);
    mock.rewind({ requestId: first ?? 0 });
    expect(await countTags(mock)).toBe(3);
    mock.rewind({ requestId: third ?? 0 });
    expect(await countTags(mock)).toBe(5);
    mock.rewind({ requestId: String(first) });
    expect(await countTags(mock)).toBe(3);
  });

  it('is not counted by verify, is not in the archive, and is dropped like other entries', async () => {
    const mock = createMock({ history: 5, requestLogSize: 2 });
    const [id = 0] = await createTags(mock, 1);
    mock.rewind({ requestId: id });
    expect(mock.requests.verify({ status: 200, times: 1 })).toEqual({ ok: true });
    const { log } = mock.requests.har() as { log: { entries: unknown[] } };
    expect(log.entries).toHaveLength(1);
    mock.requests.clear();
    mock.rewind({ requestId: id });
    await new Caller(mock).me();
    await new Caller(mock).me();
    expect(mock.requests.dropped()).toEqual({ entries: 1, bodies: 0 });
    expect(mock.requests.verify({ status: 200, times: 2 })).toEqual({ ok: true });
  });
});

describe('a rewind during requests in progress', () => {
  it('lets them end in the state that was left, and frees their operationIds', async () => {
    const waiting: (() => void)[] = [];
    const sleep = (): Promise<void> => new Promise((resolve) => void waiting.push(resolve));
    const mock = createMock({ history: 10, sleep });
    const caller = new Caller(mock);
    const [first = 0] = await createTags(mock, 1);
    mock.faults.arm({ effect: 'delay', delayMs: 1000, times: 1, action: 'create-tags' });
    const operationId = crypto.randomUUID();
    const late = caller.change(operationId, tagChange);
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    // The state before this request has the delayed one as running.
    const [, between = 0] = [lastId(mock), ...(await createTags(mock, 1))];
    expect((await caller.change(operationId, tagChange)).status).toBe(409);
    mock.rewind({ requestId: between });
    for (const wake of waiting) wake();
    expect((await late).body).toMatchObject({ applied: true });
    expect(await countTags(mock)).toBe(4);
    expect((await caller.change(operationId, tagChange)).body).toMatchObject({ replayed: false });
    expect(await countTags(mock)).toBe(5);
    mock.rewind({ requestId: first });
    expect(await countTags(mock)).toBe(3);
  });

  it('keeps the state before a delayed request changes something, not before it arrives', async () => {
    const waiting: (() => void)[] = [];
    const sleep = (): Promise<void> => new Promise((resolve) => void waiting.push(resolve));
    const mock = createMock({ history: 10, sleep });
    mock.faults.arm({ effect: 'delay', delayMs: 1000, times: 1, action: 'create-tags' });
    const late = new Caller(mock).apply(tagChange);
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    const delayed = lastId(mock);
    expect(refusal(() => mock.rewind({ requestId: delayed }))).toMatchObject({ code: 'NOTHING_CHANGED' });
    await createTags(mock, 1);
    for (const wake of waiting) wake();
    await late;
    mock.rewind({ requestId: delayed });
    expect(await countTags(mock)).toBe(4);
  });
});

describe('a refused rewind', () => {
  it('without a history says how to turn it on', async () => {
    const { mock } = create(0);
    await createTags(mock, 1);
    const { status, code, message } = refusal(() => mock.rewind({ requestId: 1 }));
    expect({ status, code }).toEqual({ status: 409, code: 'HISTORY_OFF' });
    for (const way of ['PATCH /limits { "history": 100 }', '--history 100', 'createMock({ history: 100 })'])
      expect(message).toContain(way);
    expect(refusal(() => mock.sandbox({ from: { requestId: 1 } })).code).toBe('HISTORY_OFF');
    expect(mock.listSandboxes()).toEqual([]);
    mock.patchLimits({ history: 1 });
    expect(refusal(() => mock.rewind({ requestId: 1 }))).toMatchObject({
      ...{ status: 409, code: 'STATE_NOT_KEPT', extra: { oldest: null } },
      message: expect.stringContaining('No state is kept yet.'),
    });
  });

  it('to a state that made room for newer ones says the oldest that is kept', async () => {
    const { mock } = create(3);
    const ids = await createTags(mock, 5);
    const { status, code, message, extra } = refusal(() => mock.rewind({ requestId: ids[1] ?? 0 }));
    expect({ status, code }).toEqual({ status: 409, code: 'STATE_NOT_KEPT' });
    expect(message).toContain('The oldest state kept is that before request 3 (req-00000003).');
    expect(extra).toEqual({ oldest: { id: 3, requestId: 'req-00000003' } });
    expect(await countTags(mock)).toBe(8);
    mock.rewind({ requestId: 3 });
    expect(await countTags(mock)).toBe(5);
  });

  it('to a request that changed nothing names the next that did', async () => {
    const { mock, caller } = create();
    await caller.me();
    await createTags(mock, 1);
    await caller.apply({ ...tagChange, data: {} });
    expect(refusal(() => mock.rewind({ requestId: 1 }))).toMatchObject({
      ...{ status: 409, code: 'NOTHING_CHANGED' },
      message:
        'Request 1 changed nothing, so there is nothing to undo. The next request that changed something is 2 (req-00000002).',
    });
    expect(refusal(() => mock.rewind({ requestId: 3 })).message).toContain('The oldest state kept is that');
  });

  it('to an unknown request, or to one of a sandbox, is 404', async () => {
    const { mock } = create();
    const sandbox = mock.sandbox();
    const [ofSandbox = 0] = await createTags(sandbox, 1);
    for (const requestId of [ofSandbox, 999, 'req-unknown']) {
      const { status, code, message } = refusal(() => mock.rewind({ requestId }));
      expect({ status, code }).toEqual({ status: 404, code: 'NOT_FOUND' });
      expect(message).toContain('use the control URL of that sandbox');
    }
    expect(sandbox.rewind({ requestId: ofSandbox }).id).toBe(ofSandbox);
  });

  it.each([
    {},
    { requestId: 0 },
    { requestId: '' },
    { requestId: null },
    { requestId: 1, also: 1 },
    undefined,
  ])('%j is invalid', async (input) => {
    const { mock } = create();
    await createTags(mock, 1);
    expect(refusal(() => mock.rewind(input as RewindInput)).status).toBe(400);
    expect(await countTags(mock)).toBe(4);
  });
});

describe('a branch', () => {
  it('has the time and the limits of its mock, and a log, faults and minutes of its own', async () => {
    const { mock, caller } = create();
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
    [{ from: { requestId: 1, at: 2 } }, 'from has unknown fields: at.'],
    [{ from: 1 }, 'from must be of type object.'],
  ])('from %j is refused', async (input, message) => {
    const { mock } = create();
    await createTags(mock, 1);
    expect(refusal(() => mock.sandbox(input as SandboxInput)).message).toBe(message);
    expect(mock.listSandboxes()).toEqual([]);
  });
});

describe('the size of the history', () => {
  const sizeOf = (mock: Mock): number => (mock as RoutableMock).world.history?.list().length ?? 0;

  it('is that of the mock for its sandboxes, and can be changed for each', async () => {
    const { mock } = create(2);
    const one = mock.sandbox();
    const own = mock.sandbox({ history: 0 });
    expect([one, own].map((world) => world.patchLimits({}).history)).toEqual([2, 0]);
    await createTags(one, 4);
    expect(sizeOf(one)).toBe(2);
    one.patchLimits({ history: 1 });
    expect(sizeOf(one)).toBe(1);
    one.patchLimits({ history: 3 });
    await createTags(one, 1);
    expect(sizeOf(one)).toBe(2);
    one.patchLimits({ history: 0 });
    expect(refusal(() => one.rewind({ requestId: 4 })).code).toBe('HISTORY_OFF');
    one.reset();
    expect([one.patchLimits({}).history, sizeOf(one)]).toEqual([2, 0]);
    one.patchLimits({ history: 5 });
    one.restore(mock.state());
    expect([one.patchLimits({}).history, sizeOf(one)]).toEqual([5, 0]);
  });

  it('bounds the memory: a state that made room is garbage', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const { mock } = create(2);
    await createTags(mock, 1);
    const { history } = (mock as RoutableMock).world;
    const oldest = new WeakRef(history?.list()[0]?.state ?? {});
    await createTags(mock, 2);
    await new Promise(setImmediate);
    collectGarbage();
    expect(oldest.deref()).toBeUndefined();
  });

  it.each([-1, 1.5, 1001, Number.NaN])('%d is refused', (history) => {
    expect(() => createMock({ history })).toThrow(MockOptionsError);
    const mock = createMock();
    expect(refusal(() => mock.patchLimits({ history })).message).toMatch(/^history must be /);
    expect(refusal(() => mock.sandbox({ history })).message).toMatch(/^history must be /);
    expect(mock.patchLimits({}).history).toBe(0);
  });
});

describe('the cost of history', () => {
  const countForks = async (history: number, send: (caller: Caller, mock: Mock) => Promise<unknown>) => {
    const { mock, caller } = create(history);
    const fork = vi.spyOn(Organization.prototype, 'fork');
    fork.mockClear();
    await send(caller, mock);
    return fork.mock.calls.length / (mock as RoutableMock).world.organizations.size;
  };

  it('is no fork at all while it is off', async () => {
    const forks = await countForks(0, async (caller, mock) => {
      await createTags(mock, 5);
      await caller.keywords('demo-site', { keywords: ['a'] });
    });
    expect(forks).toBe(0);
  });

  it('is one fork per request that changes something while it is on, and none for others', async () => {
    const forks = await countForks(10, async (caller, mock) => {
      await createTags(mock, 5);
      await caller.keywords('demo-site', { keywords: ['a'] });
    });
    expect(forks).toBe(6);
    const ofOthers = await countForks(10, async (caller) => {
      await caller.me();
      await caller.read({ resource: 'tags' });
      await caller.apply({ ...tagChange, data: {} });
      await caller.me({ key: 'demo-revoked-key' });
    });
    expect(ofOthers).toBe(0);
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
