import { describe, expect, it, vi } from 'vitest';
import { createMock, type Mock } from '../../src/index.ts';
import { Caller, createGuard } from '../../test-support/caller.ts';
import {
  countTags,
  createTags,
  createWithHistory,
  getRefusal,
  lastId,
  readState,
  tagChange,
} from '../../test-support/history.ts';

describe('a rewind', () => {
  it('undoes a request and all later ones; the change may then be sent again', async () => {
    const { mock, caller } = createWithHistory();
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
    const { mock, caller } = createWithHistory();
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
    const { mock, caller } = createWithHistory();
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
    const { mock } = createWithHistory();
    const [first, , third] = await createTags(mock, 3);
    mock.rewind({ requestId: first ?? 0 });
    expect(await countTags(mock)).toBe(3);
    mock.rewind({ requestId: third ?? 0 });
    expect(await countTags(mock)).toBe(5);
    mock.rewind({ requestId: String(first) });
    expect(await countTags(mock)).toBe(3);
  });

  it('keeps which fault deleted a record before its point, and so does a sandbox from there', async () => {
    const { mock, caller } = createWithHistory();
    const tag = await caller.first('tags');
    const [beforeDeletion = 0] = await createTags(mock, 1);
    const update = {
      action: 'update-tags',
      id: tag.id,
      ...createGuard(tag),
      data: tagChange.data,
    };
    mock.faults.arm({ effect: 'rival-edit', delete: true });
    expect((await caller.apply(update)).status).toBe(404);
    const [afterDeletion = 0] = await createTags(mock, 1);
    const explain = async (one: Mock): Promise<string | undefined> => {
      await new Caller(one).apply(update);
      return one.requests.list().at(-1)?.decidedBy.because;
    };
    const because = 'deleted by fault fault-1 (rival-edit)';
    expect(await explain(mock)).toContain(because);
    const branch = mock.sandbox({ from: { requestId: afterDeletion } });
    expect(await explain(branch)).toContain(because);
    const earlier = mock.sandbox({ from: { requestId: beforeDeletion } });
    expect(await explain(earlier)).not.toContain(because);
    mock.rewind({ requestId: afterDeletion });
    expect(await explain(mock)).toContain(because);
    mock.rewind({ requestId: beforeDeletion });
    expect(await explain(mock)).not.toContain(because);
  });

  it('forgets which fault deleted a record that it undoes', async () => {
    const { mock, caller } = createWithHistory();
    const { result } = (await caller.apply(tagChange)).body;
    const creation = mock.requests.list().at(-1)?.id ?? 0;
    const update = { action: 'update-tags', id: result.id, ...createGuard(result), data: tagChange.data };
    mock.faults.arm({ effect: 'rival-edit', delete: true });
    expect((await caller.apply(update)).status).toBe(404);
    mock.rewind({ requestId: creation });
    expect((await caller.apply(update)).status).toBe(404);
    expect(mock.requests.list().at(-1)?.decidedBy.because).toMatch(
      /^Unknown tag \(expectedLabel "Spring"\): the organization has no tag /,
    );
  });

  it('is an event of the same stream, whose ids do not repeat', async () => {
    const { mock } = createWithHistory();
    const stream = mock.events();
    const [first = 0] = await createTags(mock, 1);
    mock.rewind({ requestId: first });
    await createTags(mock, 1);
    const ids = new Set<string>();
    const names: string[] = [];
    for await (const { id, name, data } of stream) {
      ids.add(id);
      names.push('action' in data ? `${name} ${data.action}` : name);
      if (names.filter((text) => text === 'request create-tags').length === 2) break;
    }
    expect(ids.size).toBe(names.length);
    const rewound = names.indexOf('sandbox rewound');
    expect(names.slice(rewound, rewound + 2)).toEqual(['sandbox rewound', 'request rewind']);
    expect(names.slice(0, rewound)).toContain('record created');
    expect(names.slice(rewound)).toContain('record created');
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

describe('the history keeps a state', () => {
  it('before keywords are added, and not for keywords that exist', async () => {
    const { mock, caller } = createWithHistory(1);
    const add = () => caller.keywords('demo-site', { keywords: ['new'] });
    await add();
    const added = lastId(mock);
    expect((await add()).body.skipped).toEqual(['new']);
    expect(mock.requests.list().map(({ applied }) => applied)).toEqual([true, false]);
    mock.rewind({ requestId: added });
    expect((await add()).body.added).toEqual(['new']);
  });

  it('before an operation becomes uncertain, and not when it begins', async () => {
    const { mock, caller } = createWithHistory(1);
    const operationId = crypto.randomUUID();
    mock.faults.arm({
      ...{ effect: 'uncertain', action: 'create-tags', applied: false, answer: 500 },
      resolve: 'never',
    });
    expect((await caller.change(operationId, tagChange)).status).toBe(500);
    const uncertain = lastId(mock);
    expect((await caller.change(operationId, tagChange)).body.error).toBe('OPERATION_UNCERTAIN');
    mock.rewind({ requestId: uncertain });
    expect((await caller.change(operationId, tagChange)).body.applied).toBe(true);
  });

  it('not for a delayed change that is refused, whose operationId is free then', async () => {
    const mock = createMock({ history: 1, rateLimit: 'off', sleep: () => Promise.resolve() });
    const caller = new Caller(mock);
    const [first = 0] = await createTags(mock, 1);
    const before = readState(mock);
    mock.faults.arm({ effect: 'delay', delayMs: 1000, action: 'delete-configuration' });
    const guard = { id: crypto.randomUUID(), expectedRevision: 'a'.repeat(64), expectedLabel: 'x' };
    const refused = await caller.apply({ action: 'delete-configuration', resource: 'tags', ...guard });
    expect(refused.status).toBe(404);
    expect(readState(mock)).toEqual(before);
    mock.rewind({ requestId: first });
    expect(await countTags(mock)).toBe(3);
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
    expect(getRefusal(() => mock.rewind({ requestId: delayed }))).toMatchObject({ code: 'NOTHING_CHANGED' });
    await createTags(mock, 1);
    for (const wake of waiting) wake();
    await late;
    mock.rewind({ requestId: delayed });
    expect(await countTags(mock)).toBe(4);
  });
});
