import { describe, expect, it } from 'vitest';
import { createMock, demoSeed } from '../../src/index.ts';
import { Caller } from '../../test-support/caller.ts';
import { useServer } from '../../test-support/control-server.ts';
import { createTags, createWithHistory, lastId, readState } from '../../test-support/history.ts';

/* What happens outside the API can be undone too. */

const vip = (): string => String(createMock().records({ resource: 'tags' }).records.at(-1)?.id);

describe('a rewind', () => {
  it('goes back to just before an injection, by the entry that it has in the log', async () => {
    const { mock } = createWithHistory();
    await createTags(mock, 1);
    const before = readState(mock);
    const friend = mock.inject.friend({ displayName: 'Aiko' });
    const id = lastId(mock);
    expect(mock.requests.get(id)).toMatchObject({
      ...{ action: 'inject', resource: 'friends', recordId: `${friend.accountId}/${friend.userId}` },
      ...{ method: 'POST', path: '/friends', operation: null, status: 201, applied: true, key: null },
      decidedBy: { decision: 'D94', because: expect.stringContaining('added') },
    });
    await createTags(mock, 1);
    mock.rewind({ requestId: id });
    expect(readState(mock)).toEqual(before);
    expect(mock.inject.friend({ displayName: 'Aiko' })).toMatchObject({ userId: friend.userId });
  });

  it('goes back to just before an edit, and keeps an injection that came before it', () => {
    const { mock } = createWithHistory();
    const id = vip();
    mock.inject.site({ id: 'new-site' });
    const before = readState(mock);
    mock.edit({ resource: 'tags', id, data: { name: 'Edited' } });
    expect(mock.requests.list().at(-1)).toMatchObject({ action: 'edit', resource: 'tags', recordId: id });
    mock.rewind({ requestId: lastId(mock) });
    expect(readState(mock)).toEqual(before);
    expect(mock.records({ resource: 'sites' }).total).toBe(3);
  });

  it('never names the text of a key that was injected', () => {
    const { mock } = createWithHistory();
    mock.inject.key({ name: 'Team', key: 'secret-text-of-a-key', scope: 'read' });
    expect(mock.requests.list()).toMatchObject([{ resource: 'keys', recordId: 'Team' }]);
    expect(JSON.stringify(mock.requests.list())).not.toContain('secret-text');
  });

  it('can branch a sandbox from just before an injection', () => {
    const { mock } = createWithHistory();
    mock.inject.site({ id: 'new-site' });
    const sandbox = mock.sandbox({ from: { requestId: lastId(mock) } });
    expect(sandbox.records({ resource: 'sites' }).total).toBe(2);
    expect(mock.records({ resource: 'sites' }).total).toBe(3);
  });
});

describe('an injection', () => {
  it('has no entry without history, and none if it is refused', () => {
    const mock = createMock();
    mock.inject.friend({ displayName: 'Aiko' });
    expect(mock.requests.list()).toEqual([]);
    mock.patchLimits({ history: 10 });
    expect(() => mock.inject.friend({ displayName: '' })).toThrow('displayName');
    expect(() => mock.edit({ resource: 'tags', id: 'nobody', data: {} })).toThrow('nobody');
    expect(mock.requests.list()).toEqual([]);
  });

  it('is not a request: verifications and HAR leave it out, even when it was dropped', async () => {
    const mock = createMock({ seed: demoSeed, history: 10, requestLogSize: 2 });
    mock.inject.friend({ displayName: 'Aiko' });
    expect(mock.requests.verify({ times: 0 })).toEqual({ ok: true });
    expect((mock.requests.har() as { log: { entries: unknown[] } }).log.entries).toEqual([]);
    await new Caller(mock).me();
    await new Caller(mock).me();
    expect(mock.requests.dropped().entries).toBe(1);
    expect(mock.requests.verify({ times: 2 })).toEqual({ ok: true });
  });

  it('is an event with the entry', async () => {
    const { mock } = createWithHistory();
    const events = mock.events();
    mock.inject.site({ id: 'new-site' });
    const names: string[] = [];
    for await (const { name } of events) if (names.push(name) === 2) break;
    expect(names.sort()).toEqual(['record', 'request']);
  });
});

describe('over HTTP', () => {
  const { control } = useServer();
  it('an injection is undone by its entry', async () => {
    await control('PATCH', '/limits', { history: 10 });
    const { body: friend } = await control('POST', '/friends', { displayName: 'Aiko' });
    const list = await control('GET', '/requests');
    expect(list.body.requests).toMatchObject([{ action: 'inject', resource: 'friends' }]);
    const [{ requestId }] = list.body.requests as [{ requestId: string }];
    expect((await control('POST', '/rewind', { requestId })).status).toBe(200);
    const friends = await control('GET', '/records?resource=friends');
    expect(JSON.stringify(friends.body)).not.toContain(String(friend.userId));
  });
});
