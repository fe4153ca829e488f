import { expect, it } from 'vitest';
import { createMock, type Mock, type MockEvent } from '../../src/index.ts';
import { Caller, createGuard } from '../../test-support/caller.ts';
import { data, welcome } from '../../test-support/data.ts';

/* Which events a change has, read in process. */

/** Returns the events of all calls of `run`. */
async function collectEvents(mock: Mock, run: (caller: Caller) => Promise<unknown>): Promise<MockEvent[]> {
  const stream = mock.events();
  await run(new Caller(mock));
  mock.clock.move({ frozen: true });
  const events: MockEvent[] = [];
  for await (const event of stream) {
    if (event.name === 'clock') break;
    events.push(event);
  }
  return events;
}

/** What the events of records say, in order. */
const listRecordEvents = (events: readonly MockEvent[]) =>
  events.flatMap((event) =>
    event.name === 'record' ? [`${event.data.resource} ${event.data.action} by ${event.data.by}`] : [],
  );

it('a change of each kind has an event that names what it did', async () => {
  const mock = createMock({ rateLimit: 'off' });
  const events = await collectEvents(mock, async (caller) => {
    const friend = await caller.first('friends');
    const person = { accountId: friend.accountId, userId: friend.userId };
    const change = { action: 'update-friend', ...person, data: { notes: 'Called.' } };
    const updated = (await caller.apply({ ...change, ...createGuard(friend) })).body.result;
    await caller.apply({ action: 'set-friend-tags', ...person, ...createGuard(updated), tagIds: [] });
    // A friend is enrolled once, so the second change has no effect.
    for (const scenarioId of [welcome, welcome])
      await caller.apply({ action: 'enroll-scenario', ...person, scenarioId });
    const tag = (await caller.apply({ action: 'create-tags', data: data.tags })).body.result;
    const { revision, label } = tag;
    const guard = { id: tag.id, expectedRevision: revision, expectedLabel: label };
    await caller.apply({ action: 'update-tags', ...guard, data: { ...data.tags, color: 'blue' } });
  });
  expect(listRecordEvents(events)).toEqual([
    'friends changed by request',
    'friends changed by request',
    'friend-automations created by request',
    'tags created by request',
    'tags changed by request',
  ]);
});

it('a keyword has an event with its site and the key that added it', async () => {
  const mock = createMock();
  const events = await collectEvents(mock, (caller) => caller.keywords('demo-site', { keywords: ['one'] }));
  const { requestId } = mock.requests.list()[0] ?? {};
  expect(events[0]).toMatchObject({
    name: 'record',
    data: {
      ...{ resource: 'keywords', id: 'demo-site/one', action: 'created', revision: null },
      ...{ by: 'request', requestId, keyName: expect.any(String) },
    },
  });
});

it('an uncertain operation has one event, however often it is asked about', async () => {
  const mock = createMock();
  const resolve = { afterRequests: 3 };
  mock.faults.arm({ effect: 'uncertain', action: 'create-tags', applied: false, resolve, answer: 500 });
  const operationId = crypto.randomUUID();
  const events = await collectEvents(mock, async (caller) => {
    for (let n = 0; n < 3; n++) await caller.change(operationId, { action: 'create-tags', data: data.tags });
  });
  const states = events.flatMap((event) => (event.name === 'operation' ? [event.data.state] : []));
  expect(states).toEqual(['uncertain']);
});

it('an edit of a record without a revision has an event without one', async () => {
  const mock = createMock();
  const events = await collectEvents(mock, async (caller) => {
    const { body } = await caller.studio({ resource: 'projects' });
    mock.edit({ resource: 'projects', id: body.projects[0]?.id ?? '', data: { name: 'Edited' } });
  });
  expect(events.find(({ name }) => name === 'record')).toMatchObject({
    data: { resource: 'projects', action: 'changed', revision: null, by: 'control', requestId: null },
  });
});

it('a deletion by a rival has an event without a revision', async () => {
  const mock = createMock({ rateLimit: 'off' });
  const events = await collectEvents(mock, async (caller) => {
    const tag = (await caller.apply({ action: 'create-tags', data: data.tags })).body.result;
    mock.faults.arm({ effect: 'rival-edit', delete: true });
    const update = { action: 'update-tags', id: tag.id, ...createGuard(tag), data: data.tags };
    expect((await caller.apply(update)).status).toBe(404);
  });
  const made = events.flatMap((event) => (event.name === 'record' ? [event.data] : []));
  expect(made.map(({ action, by, revision }) => [action, by, revision === null])).toEqual([
    ['created', 'request', false],
    ['deleted', 'rival-edit', true],
  ]);
});

it('a record from which a deletion takes a reference has an event of the request', async () => {
  const mock = createMock({ rateLimit: 'off', onDelete: 'remove' });
  const events = await collectEvents(mock, async (caller) => {
    const tag = (await caller.apply({ action: 'create-tags', data: data.tags })).body.result;
    await caller.apply({ action: 'create-links', data: { ...data.links, tagId: tag.id } });
    const deletion = { action: 'delete-configuration', resource: 'tags', id: tag.id, ...createGuard(tag) };
    expect((await caller.apply(deletion)).status).toBe(200);
  });
  expect(listRecordEvents(events).slice(2).toSorted()).toEqual([
    'links changed by request',
    'tags deleted by request',
  ]);
});
