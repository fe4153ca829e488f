import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createMock, type Mock, MockOptionsError, type RewindInput } from '../../src/index.ts';
import { Organization } from '../../src/records/organization.ts';
import type { ServedMock } from '../../src/served-mock.ts';
import type { Caller } from '../../test-support/caller.ts';
import {
  countTags,
  createTags,
  createWithHistory,
  getRefusal,
  tagChange,
} from '../../test-support/history.ts';

afterEach(() => vi.restoreAllMocks());

describe('a refused rewind', () => {
  it('without a history says how to turn it on', async () => {
    const { mock } = createWithHistory(0);
    await createTags(mock, 1);
    const { status, code, message } = getRefusal(() => mock.rewind({ requestId: 1 }));
    expect({ status, code }).toEqual({ status: 409, code: 'HISTORY_OFF' });
    for (const way of ['PATCH /limits { "history": 100 }', '--history 100', 'createMock({ history: 100 })'])
      expect(message).toContain(way);
    expect(getRefusal(() => mock.sandbox({ from: { requestId: 1 } })).code).toBe('HISTORY_OFF');
    expect(mock.listSandboxes()).toEqual([]);
    mock.patchLimits({ history: 1 });
    expect(getRefusal(() => mock.rewind({ requestId: 1 }))).toMatchObject({
      ...{ status: 409, code: 'STATE_NOT_KEPT', extra: { oldest: null } },
      message: expect.stringContaining('No state is kept yet.'),
    });
  });

  it('to a state that made room for newer ones says the oldest that is kept', async () => {
    const { mock } = createWithHistory(3);
    const ids = await createTags(mock, 5);
    const { status, code, message, extra } = getRefusal(() => mock.rewind({ requestId: ids[1] ?? 0 }));
    expect({ status, code }).toEqual({ status: 409, code: 'STATE_NOT_KEPT' });
    expect(message).toContain('The oldest state kept is that before request 3 (req-00000003).');
    expect(extra).toEqual({ oldest: { id: 3, requestId: 'req-00000003' } });
    expect(await countTags(mock)).toBe(8);
    mock.rewind({ requestId: 3 });
    expect(await countTags(mock)).toBe(5);
  });

  it('to a request that changed nothing names the next that did', async () => {
    const { mock, caller } = createWithHistory();
    await caller.me();
    await createTags(mock, 1);
    await caller.apply({ ...tagChange, data: {} });
    expect(getRefusal(() => mock.rewind({ requestId: 1 }))).toMatchObject({
      ...{ status: 409, code: 'NOTHING_CHANGED' },
      message:
        'Request 1 changed nothing, so there is nothing to undo. The next request that changed something is 2 (req-00000002).',
    });
    expect(getRefusal(() => mock.rewind({ requestId: 3 })).message).toContain(
      'The oldest state kept is that',
    );
  });

  it('to an unknown request, or to one of a sandbox, is 404', async () => {
    const { mock } = createWithHistory();
    const sandbox = mock.sandbox();
    const [ofSandbox = 0] = await createTags(sandbox, 1);
    for (const requestId of [ofSandbox, 999, 'req-unknown']) {
      const { status, code, message } = getRefusal(() => mock.rewind({ requestId }));
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
    const { mock } = createWithHistory();
    await createTags(mock, 1);
    expect(getRefusal(() => mock.rewind(input as RewindInput)).status).toBe(400);
    expect(await countTags(mock)).toBe(4);
  });
});

describe('the size of the history', () => {
  const getSize = (mock: Mock): number => (mock as ServedMock).world.history?.list().length ?? 0;

  it('is inherited by sandboxes, and can be changed for each', async () => {
    const { mock } = createWithHistory(2);
    const one = mock.sandbox();
    const own = mock.sandbox({ history: 0 });
    expect([one, own].map((world) => world.patchLimits({}).history)).toEqual([2, 0]);
    await createTags(one, 4);
    expect(getSize(one)).toBe(2);
    one.patchLimits({ history: 1 });
    expect(getSize(one)).toBe(1);
    one.patchLimits({ history: 3 });
    await createTags(one, 1);
    expect(getSize(one)).toBe(2);
    one.patchLimits({ history: 0 });
    expect(getRefusal(() => one.rewind({ requestId: 4 })).code).toBe('HISTORY_OFF');
    one.reset();
    expect([one.patchLimits({}).history, getSize(one)]).toEqual([2, 0]);
    one.patchLimits({ history: 5 });
    one.restore(mock.state());
    expect([one.patchLimits({}).history, getSize(one)]).toEqual([5, 0]);
  });

  it('bounds the memory: a state that made room is garbage', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const { mock } = createWithHistory(2);
    await createTags(mock, 1);
    const { history } = (mock as ServedMock).world;
    const oldest = new WeakRef(history?.list()[0]?.state ?? {});
    await createTags(mock, 2);
    await new Promise(setImmediate);
    collectGarbage();
    expect(oldest.deref()).toBeUndefined();
  });

  it.each([-1, 1.5, 1001, Number.NaN])('%d is refused', (history) => {
    expect(() => createMock({ history })).toThrow(MockOptionsError);
    const mock = createMock();
    expect(getRefusal(() => mock.patchLimits({ history })).message).toMatch(/^history must be /);
    expect(getRefusal(() => mock.sandbox({ history })).message).toMatch(/^history must be /);
    expect(mock.patchLimits({}).history).toBe(0);
  });
});

describe('the cost of history', () => {
  const countForks = async (history: number, send: (caller: Caller, mock: Mock) => Promise<unknown>) => {
    const { mock, caller } = createWithHistory(history);
    const fork = vi.spyOn(Organization.prototype, 'fork');
    fork.mockClear();
    await send(caller, mock);
    return fork.mock.calls.length / (mock as ServedMock).world.organizations.size;
  };

  it('is nothing while it is off: no state is forked', async () => {
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
