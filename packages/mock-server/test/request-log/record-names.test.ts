import { expect, it } from 'vitest';
import { createMock } from '../../src/index.ts';
import { Caller, createGuard } from '../../test-support/caller.ts';
import { data } from '../../test-support/data.ts';

const setUp = () => {
  const mock = createMock({ rateLimit: 'off' });
  const caller = new Caller(mock);
  const names = () => mock.requests.list().map(({ recordName }) => recordName);
  return { mock, caller, names };
};

it('an entry of the request log has the name of its record, whatever the answer was', async () => {
  const { mock, caller, names } = setUp();
  const created = { action: 'create-tags', data: { ...data.tags, name: 'Summer' } };
  const { id, ...tag } = (await caller.apply(created)).body.result;
  const guard = createGuard(tag);
  await caller.read({ resource: 'tags', id });
  await caller.apply({ ...created, data: { name: 'Refused', colour: 1 } });
  const stale = { action: 'delete-configuration', resource: 'tags', id, ...guard };
  await caller.apply({ ...stale, expectedRevision: '0'.repeat(64) });
  await caller.apply(stale);
  await caller.read({ resource: 'tags', id });
  await caller.read({ resource: 'tags' });
  await caller.keywords('demo-site', { keywords: ['a', 'b', 'c', 'd', 'e'] });
  await caller.me();
  expect(names()).toEqual([
    'Summer',
    'Summer',
    'Refused',
    'Summer',
    'Summer',
    null,
    null,
    'a, b, c and 2 more',
    null,
  ]);
  mock.patchLimits({ history: 5 });
  mock.inject.friend({ displayName: 'Mio Sato' });
  expect(names().at(-1)).toBe('Mio Sato');
});

it('a name is cut if it is long, and a body that is not of the contract has none', async () => {
  const { mock, caller, names } = setUp();
  await caller.apply({ action: 'create-tags', data: { ...data.tags, name: 'x'.repeat(5000) } });
  for (const body of ['[]', 'no', '{"change":[]}', '{"change":{"data":{"name":{}},"expectedLabel":7}}'])
    await mock.fetch(`${mock.baseUrl}/chat/changes`, { method: 'POST', body });
  expect(names()).toEqual([`${'x'.repeat(200)}…`, null, null, null, null]);
});

it('audit log, operations and notifications have names, those of deleted records too', async () => {
  const { mock, caller } = setUp();
  const friend = await caller.first('friends');
  const tag = (await caller.apply({ action: 'create-tags', data: data.tags })).body.result;
  const { id } = tag;
  const { accountId, userId, displayName } = friend;
  await caller.apply({
    action: 'set-friend-tags',
    accountId,
    userId,
    ...createGuard(friend),
    tagIds: [...(friend.tagIds as readonly string[]), id],
  });
  const scenario = await caller.first('scenarios');
  await caller.apply({ action: 'enroll-scenario', accountId, userId, scenarioId: scenario.id });
  await caller.apply({ action: 'delete-configuration', resource: 'tags', id, ...createGuard(tag) });
  const expected = [data.tags.name, displayName, displayName, data.tags.name];
  expect(mock.audit().map(({ recordName }) => recordName)).toEqual(expected);
  const operations = mock.operations();
  const created = operations.toSorted((one, other) => (one.requestId < other.requestId ? -1 : 1));
  expect(created.map(({ recordName }) => recordName)).toEqual(expected);
  expect(mock.notifications()).toMatchObject([
    { friendName: displayName, addedTagNames: [data.tags.name], deletedIds: [id] },
    { friendName: displayName, scenarioName: scenario.label, deletedIds: [] },
  ]);
  // A saved state has them too, and one that was saved without them is accepted.
  const saved = JSON.parse(JSON.stringify(mock.state())) as { audit: Record<string, unknown>[] };
  expect(
    createMock({ state: saved })
      .audit()
      .map(({ recordName }) => recordName),
  ).toEqual(expected);
  for (const entry of saved.audit) delete entry.recordName;
  expect(createMock({ state: saved }).audit()[0]?.recordName).toBeNull();
});
