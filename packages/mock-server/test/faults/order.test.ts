import { describe, expect, it } from 'vitest';
import { ControlError, createMock, type FaultInput, type Mock } from '../../src/index.ts';
import { Caller, createGuard } from '../../test-support/caller.ts';
import { data, nobody, shop, vip } from '../../test-support/data.ts';

/** A mock that notes how long it waits, and does not wait. */
function open(): { mock: Mock; caller: Caller; waits: number[] } {
  const waits: number[] = [];
  const mock = createMock({
    rateLimit: 'off',
    sleep: async (milliseconds) => void waits.push(milliseconds),
  });
  return { mock, caller: new Caller(mock), waits };
}

const arm = (mock: Mock, ...faults: readonly FaultInput[]): void => {
  for (const fault of faults) mock.faults.arm(fault);
};
const getHits = (mock: Mock): number[] => mock.faults.list().map(({ hits }) => hits.length);

describe('the fault that was armed first hits first', () => {
  it('a delay before an answer makes a slow error', async () => {
    const { mock, caller, waits } = open();
    arm(
      mock,
      { effect: 'delay', delayMs: 300, times: 'always' },
      { effect: 'respond', status: 500, operation: 'readChat' },
    );
    expect((await caller.read({ resource: 'tags' })).status).toBe(500);
    expect([waits, getHits(mock)]).toEqual([[300], [1, 1]]);
    expect((await caller.read({ resource: 'tags' })).status).toBe(200);
    expect([waits, getHits(mock)]).toEqual([
      [300, 300],
      [2, 1],
    ]);
    expect(mock.requests.list()[0]).toMatchObject({
      answered: true,
      status: 500,
      faults: ['delay', 'respond'],
    });
  });

  it('an answer before a delay comes at once', async () => {
    const { mock, caller, waits } = open();
    arm(mock, { effect: 'respond', status: 500 }, { effect: 'delay', delayMs: 300 });
    expect((await caller.me()).status).toBe(500);
    expect([waits, getHits(mock)]).toEqual([[], [1, 0]]);
  });

  it('a delay before a reset makes a slow reset', async () => {
    const { mock, caller, waits } = open();
    arm(
      mock,
      { effect: 'delay', delayMs: 70 },
      { effect: 'drop-request' },
      { effect: 'respond', status: 500 },
    );
    await expect(caller.me()).rejects.toThrow('fetch failed');
    expect([waits, getHits(mock)]).toEqual([[70], [1, 1, 0]]);
    expect(mock.requests.list()[0]).toMatchObject({ answered: false, applied: false, status: null });
  });

  it('delays add up, those before the change is applied and those after it', async () => {
    const { mock, caller, waits } = open();
    arm(
      mock,
      { effect: 'delay', delayMs: 0 },
      { effect: 'delay', delayMs: 400 },
      { effect: 'delay', delayMs: 30, applied: true },
      { effect: 'delay', delayMs: 5, applied: true },
    );
    expect((await caller.apply({ action: 'create-tags', data: data.tags })).body.applied).toBe(true);
    expect([waits, getHits(mock)]).toEqual([
      [400, 35],
      [1, 1, 1, 1],
    ]);
  });

  it('counts a request for every fault that matches it', async () => {
    const { mock, caller } = open();
    arm(
      mock,
      { effect: 'respond', status: 500 },
      { effect: 'delay', delayMs: 1, after: 1 },
      { effect: 'respond', status: 401, after: 2 },
    );
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await caller.me()).status);
    expect(statuses).toEqual([500, 200, 401, 200]);
    expect(mock.faults.list().map(({ seen }) => seen)).toEqual([4, 4, 4]);
  });
});

describe('a status without a body', () => {
  it.each([204, 205, 304])('%i is sent as HTTP requires it', async (status) => {
    const mock = createMock();
    const server = await mock.listen({ port: 0 });
    try {
      arm(mock, { effect: 'respond', status, undeclared: true, times: 2 });
      const response = await fetch(`${server.baseUrl}/me`);
      expect([response.status, await response.text()]).toEqual([status, '']);
      expect(response.headers.get('content-length')).toBe(status === 205 ? '0' : null);
      // The connection is still usable.
      expect((await fetch(`${server.baseUrl}/me`)).status).toBe(status);
      expect((await fetch(`${server.baseUrl}/me`)).status).toBe(401);
      const detail = mock.requests.get(1);
      expect([detail.status, detail.error, detail.response?.bodyBytes]).toEqual([status, null, 0]);
    } finally {
      await server.close();
    }
  });
});

describe('a rival', () => {
  const update = async (caller: Caller, given: object = data.tags) => {
    const { record } = (await caller.read({ resource: 'tags', id: vip })).body;
    return caller.apply({ action: 'update-tags', id: vip, ...createGuard(record), data: given });
  };

  it('edits the fields that the fault has, so that there is something to merge', async () => {
    const { mock, caller } = open();
    arm(mock, { effect: 'rival-edit', data: { name: '  Theirs ' } });
    expect((await update(caller)).body.error).toBe('STALE_REVISION');
    const { record } = (await caller.read({ resource: 'tags', id: vip })).body;
    expect(record).toMatchObject({ name: 'Theirs', label: 'Theirs', color: 'pink' });
    expect((await update(caller)).status).toBe(200);
  });

  it('edits only records that can have the fields', async () => {
    const { mock, caller } = open();
    arm(mock, { effect: 'rival-edit', data: { notes: 'Theirs' } });
    expect((await update(caller)).status).toBe(200);
    const { accountId, userId, ...record } = await caller.first('friends');
    const friend = {
      action: 'update-friend',
      accountId,
      userId,
      ...createGuard(record),
      data: { status: 'resolved' },
    };
    expect((await caller.apply(friend)).body.error).toBe('STALE_REVISION');
    const { records } = (await caller.read({ resource: 'friends', accountId, userId: userId })).body;
    expect(records ?? []).toEqual([]);
    const one = (await caller.read({ resource: 'friends', accountId, userId })).body.record;
    expect(one).toMatchObject({ notes: 'Theirs' });
  });

  it('deletes the record: 404, and the log says who did it', async () => {
    const { mock, caller } = open();
    arm(mock, { effect: 'rival-edit', delete: true });
    const events = mock.events();
    const refused = await update(caller);
    expect([refused.status, refused.body.error]).toEqual([404, 'NOT_FOUND']);
    expect(mock.requests.list().at(-1)?.decidedBy.because).toContain('deleted by fault fault-1 (rival-edit)');
    expect((await caller.read({ resource: 'tags', id: vip })).status).toBe(404);
    const link = { ...data.links, tagId: vip };
    await caller.apply({ action: 'create-links', data: link });
    expect(mock.requests.list().at(-1)?.decidedBy.because).toContain('deleted by fault fault-1 (rival-edit)');
    for await (const event of events) {
      if (event.name !== 'record') continue;
      expect(event.data).toMatchObject({
        resource: 'tags',
        id: vip,
        action: 'deleted',
        by: 'rival-edit',
        revision: null,
      });
      break;
    }
  });

  it.each<[FaultInput, RegExp]>([
    [{ effect: 'rival-edit', data: { colour: 'pink' } }, /^data has fields or values that no record of/],
    [
      { effect: 'rival-edit', action: 'update-tags', data: { text: 'x' } },
      /^data has .* that no record of tags can have/,
    ],
    [{ effect: 'rival-edit', data: { name: '' } }, /^data has fields or values/],
    [{ effect: 'rival-edit', data: { accountId: nobody } }, /account that does not exist/],
    [
      { effect: 'rival-edit', action: 'update-friend', delete: true },
      /^delete can only be true for one of tags/,
    ],
    [{ effect: 'rival-edit', action: 'update-rich-menus', delete: true }, /^delete can only be true/],
    [
      { effect: 'rival-edit', delete: true, data: { name: 'x' } },
      /^delete cannot be true together with data/,
    ],
  ])('%j is refused: it could never hit', (fault, says) => {
    const { mock } = open();
    expect(() => mock.faults.arm(fault)).toThrow(ControlError);
    expect(() => mock.faults.arm(fault)).toThrow(says);
  });

  it('may move a record to another account', () => {
    const { mock } = open();
    expect(mock.faults.arm({ effect: 'rival-edit', data: { accountId: shop.toUpperCase() } }).id).toBe(
      'fault-1',
    );
  });
});
