import { deepStrictEqual } from 'node:assert/strict';
import { ModelWorld } from './model-world.ts';
import { type Json, resources } from './resources.ts';
import { keys } from './seed.ts';
import { exchange, type Pair, reading, Session } from './session.ts';

/**
 * Compares all data of a world, regardless of limits and settings. The saved state is read in a separate mock with a key
 * that has all permissions.
 */
export async function compare(pair: Pair): Promise<void> {
  const unlimited = { perMinute: undefined, monthly: undefined };
  const mock = new Session(unlimited, pair.seen).createMock({ state: pair.mock.state() });
  mock.patchOrganization({ plan: 'business', runtime: 'up', deleted: false });
  const model = new ModelWorld(pair.model.save(), unlimited);
  model.settings = { plan: 'business', runtime: 'up', deleted: false };
  const open: Pair = {
    mock,
    fetch: mock.fetch,
    model,
    origin: pair.origin,
    isSandbox: false,
    seen: new Map(),
  };
  for (const resource of [...resources, 'friends', 'accounts', 'conversations']) {
    await exchange(open, reading({ resource }, keys.writer));
  }
  for (const { accountId, userId } of model.database.friend.getAll()) {
    await exchange(open, reading({ resource: 'friend-automations', accountId, userId }, keys.writer));
  }
  compareRecords(pair);
  compareRecords(open);
}

/** Data that the API does not show: audit, notifications, keywords, operations. */
function compareRecords({ mock, model }: Pair): void {
  const { database } = model;
  const parsed = (rows: readonly { entry: string }[]): Json[] =>
    rows.map(({ entry }) => JSON.parse(entry) as Json);
  const audit = mock
    .audit()
    .map(({ id: _, requestId: __, organizationId: ___, key: ____, ...entry }) => entry);
  deepStrictEqual(audit, parsed(database.audit.getAll()));
  // The names and the deletions are those of the records now.
  const notifications = mock
    .notifications()
    .map(
      ({
        id,
        organizationId,
        friendName,
        addedTagNames,
        removedTagNames,
        scenarioName,
        deletedIds,
        ...entry
      }) => entry,
    );
  deepStrictEqual(notifications, parsed(database.notification.getAll()));
  for (const { id } of database.site.getAll()) {
    const held = database.keyword.findMany({ where: { site: { equals: id } } });
    const expected = held.map(({ keyword, group, addedAt }) => ({ keyword, group, addedAt }));
    const bySpelling = (a: { keyword: string }, b: { keyword: string }): number =>
      a.keyword < b.keyword ? -1 : 1;
    deepStrictEqual(mock.keywords(id).sort(bySpelling), expected.sort(bySpelling));
  }
  const operations = (mock.operations() as Json[]).map(({ operationId, state, result }) => ({
    operationId,
    state,
    result,
  }));
  const known = database.operation.getAll().map(({ operationId, state, answer }) => ({
    operationId,
    state,
    result: answer === null ? null : (JSON.parse(answer) as Json).result,
  }));
  const byId = (a: Json, b: Json): number => (String(a.operationId) < String(b.operationId) ? -1 : 1);
  deepStrictEqual(operations.sort(byId), known.sort(byId));
}
