import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createMock, type Mock } from '../../src/index.ts';
import { Caller, createGuard } from '../../test-support/caller.ts';
import { data, vip, welcome } from '../../test-support/data.ts';
import { RestartableMock } from '../../test-support/restartable-mock.ts';

const tagChange = { action: 'create-tags', data: data.tags };

const file = new RestartableMock();
const start = file.start.bind(file);

/** A saved state without the time at which it was saved. */
const readState = (mock: Mock): object => ({ ...(mock.state() as object), savedAt: '' });

describe('a data file', () => {
  it('keeps everything across a restart, including operations', async () => {
    const { mock, caller } = start({ rateLimit: 60 });
    const id = crypto.randomUUID();
    const made = await caller.change(id, tagChange);
    const tag = made.body.result;
    await caller.apply({
      action: 'update-tags',
      id: tag.id,
      ...createGuard(tag),
      data: { ...data.tags, name: 'Kept' },
    });
    for (const resource of ['broadcasts', 'forms', 'links', 'rich-menus'] as const) {
      await caller.apply({ action: `create-${resource}`, data: data[resource] });
    }
    const form = await caller.first('forms');
    await caller.apply({
      action: 'delete-configuration',
      resource: 'forms',
      id: form.id,
      ...createGuard(form),
    });
    const friend = await caller.first('friends');
    const person = { accountId: friend.accountId, userId: friend.userId };
    await caller.apply({ action: 'enroll-scenario', ...person, scenarioId: welcome });
    await caller.apply({ action: 'set-friend-tags', ...person, ...createGuard(friend), tagIds: [vip] });
    await caller.keywords('demo-site', { keywords: ['kept'], group: 'g' });
    mock.faults.arm({ effect: 'uncertain', answer: 500 });
    const lost = crypto.randomUUID();
    await caller.change(lost, tagChange);
    mock.patchOrganization({ plan: 'enterprise' });
    mock.patchKey('demo-read-key', { suspended: true });
    mock.edit({ resource: 'tags', id: vip, data: { color: 'green' } });
    mock.clock.move({ now: '2026-05-01T00:00:00.000Z', frozen: true });
    await caller.me();
    const before = readState(mock);

    const again = start({ rateLimit: 60 });
    expect(readState(again.mock)).toEqual(before);
    expect((await again.caller.change(id, tagChange)).body).toEqual({ ...made.body, replayed: true });
    expect(
      (await again.caller.change(id, { action: 'create-tags', data: { ...data.tags, color: 'blue' } }))
        .status,
    ).toBe(409);
    expect((await again.caller.change(lost, tagChange)).body.error).toBe('OPERATION_UNCERTAIN');
    const next = (await again.caller.apply(tagChange)).body.result;
    expect(next.id).not.toBe(tag.id);
    expect((await again.caller.first('tags')).id).toBe(next.id);
    const third = start({ rateLimit: 60 });
    expect((await third.caller.first('tags')).id).toBe(next.id);
  });

  it('keeps the order of conversations, whatever the times of their messages', async () => {
    const { mock } = start();
    const friends = ['One', 'Two', 'Three'].map((displayName) => mock.inject.friend({ displayName }));
    mock.clock.move({ now: '2020-01-01T00:00:00Z', frozen: true });
    for (const at of [0, 2, 1, 0]) mock.inject.message(friends[at]!, { text: 'Hello' });
    mock.clock.move({ now: '2019-01-01T00:00:00Z' });
    mock.inject.message(friends[2]!, { text: 'Earlier, and still the newest' });
    const list = async (of: Caller) =>
      (await of.read({ resource: 'conversations' })).body.records.map(({ userId }) => userId);
    const order = await list(new Caller(mock));
    expect(order.slice(0, 3)).toEqual([2, 0, 1].map((at) => friends[at]?.userId));
    expect(await list(new Caller(createMock({ state: mock.state() })))).toEqual(order);
    const again = start();
    expect(await list(again.caller)).toEqual(order);
    again.mock.restore(again.mock.state());
    expect(await list(start().caller)).toEqual(order);
  });

  it('keeps a reset and a restored state', async () => {
    const { mock, caller } = start();
    await caller.apply(tagChange);
    const saved = mock.state();
    mock.reset();
    const emptied = start();
    expect((await emptied.caller.read({ resource: 'tags' })).body.total).toBe(3);
    emptied.mock.restore(saved);
    expect((await start().caller.read({ resource: 'tags' })).body.total).toBe(4);
  });

  it('answers, and publishes answers, only after writing', async () => {
    const published: unknown[] = [];
    const listener = (message: unknown): void => void published.push(message);
    subscribe('orgchat.mock.answer', listener);
    const { mock, caller } = start();
    expect((await caller.apply(tagChange)).status).toBe(200);
    expect(published).toMatchObject([{ path: '/api/v1/chat/changes', status: 200 }]);
    mock.close();
    await expect(caller.apply(tagChange)).rejects.toThrow(/was closed/);
    expect(published).toHaveLength(1);
    unsubscribe('orgchat.mock.answer', listener);
  });

  it('sandboxes are not saved, and do not affect the data file', async () => {
    const { mock } = start();
    const sandbox = mock.sandbox();
    await new Caller(sandbox).apply(tagChange);
    expect((await start().caller.read({ resource: 'tags' })).body.total).toBe(3);
  });

  it('is not shared: a second server is rejected', () => {
    start();
    expect(() => createMock({ data: file.path })).toThrow(/in use/);
  });

  it('is rejected and not modified if it is foreign or damaged', async () => {
    writeFileSync(
      file.path,
      'Dear diary, today I wrote a text that is longer than the header of a database. '.repeat(3),
    );
    const refused = (pattern: RegExp): void => {
      const before = readFileSync(file.path);
      expect(() => createMock({ data: file.path })).toThrow(pattern);
      expect(readFileSync(file.path).equals(before)).toBe(true);
    };
    refused(/not a mock server data file.*not modified/);
    rmSync(file.path);
    const { caller } = start();
    for (let i = 0; i < 100; i++)
      await caller.apply({ action: 'create-templates', data: { ...data.templates, text: 'x'.repeat(5000) } });
    file.close();
    const whole = readFileSync(file.path);
    const damaged = Buffer.from(whole);
    damaged.fill(0xaa, 8192, 40_000);
    writeFileSync(file.path, damaged);
    refused(/damaged.*not modified/);
    const foreign = Buffer.from(whole);
    foreign.writeUInt32BE(1, 68);
    writeFileSync(file.path, foreign);
    refused(/another program/);
    const newer = Buffer.from(whole);
    newer.writeUInt32BE(99, 60);
    writeFileSync(file.path, newer);
    refused(/format 99/);
    writeFileSync(file.path, whole.subarray(0, 50));
    refused(/not a mock server data file/);
  });
});
