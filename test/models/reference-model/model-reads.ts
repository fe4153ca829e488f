import { needAccount, RefusalError } from './model-changes.ts';
import { friendView, type KeyRow, type ModelWorld, recordView } from './model-world.ts';
import type { Json, Resource } from './resources.ts';

const pageSize = 50;

/** The answer to a list (D42, D45 to D47). */
function page(rows: readonly Json[], offset = 0, limit = pageSize): Json {
  const records = rows.slice(offset, offset + limit);
  const past = offset + records.length;
  return { records, total: rows.length, limited: records.length > 0 && past < rows.length };
}

/** Newest first. For the same time, the record that was stored later is first (D48). */
function newest<R extends { readonly order: number }>(rows: readonly R[], time: (row: R) => string): R[] {
  return [...rows].sort((a, b) => (time(a) === time(b) ? b.order - a.order : time(a) < time(b) ? 1 : -1));
}

function need<T>(found: T | undefined): T {
  if (found === undefined) throw new RefusalError(404, 'NOT_FOUND');
  return found;
}

/** The body of a valid chat read. */
export function read(world: ModelWorld, key: KeyRow, query: Json): Json {
  const { database } = world;
  const offset = query.offset as number | undefined;
  const limit = query.limit as number | undefined;
  switch (query.resource) {
    case 'accounts': {
      const visible = database.account.getAll().filter(({ id }) => world.sees(key, id));
      return page(
        newest(visible, (row) => row.createdAt).map(({ id, name, createdAt }) => ({ id, name, createdAt })),
      );
    }
    case 'friends':
      return friends(world, key, query);
    case 'conversations':
      return conversations(world, key, query);
    case 'messages':
    case 'friend-automations': {
      const { accountId, userId, id } = need(
        world.friend(key, String(query.accountId), String(query.userId)),
      );
      const list = query.resource === 'messages' ? 'messages' : 'automations';
      return page(listChildren(world, list, id, { accountId, userId }), 0, limit);
    }
    case 'link-clicks': {
      const { id: linkId } = need(world.record(key, 'links', String(query.id)));
      const all = listChildren(world, 'clicks', linkId, { linkId });
      return page(all.filter(({ accountId }) => world.sees(key, accountId)));
    }
    default: {
      const resource = query.resource as Resource;
      if (query.id !== undefined) {
        return { record: recordView(need(world.record(key, resource, String(query.id)))) };
      }
      const visible = database.record
        .findMany({ where: { resource: { equals: resource } } })
        .filter(({ data }) => world.sees(key, (JSON.parse(data) as Json).accountId));
      return page(newest(visible, (row) => row.createdAt).map(recordView), offset, limit);
    }
  }
}

function listChildren(world: ModelWorld, list: string, parent: string, above: Json): Json[] {
  const rows = world.database.child.findMany({
    where: { list: { equals: list }, parent: { equals: parent } },
  });
  return newest(rows, (row) => row.at).map(({ id, fields }) => ({ id, ...above, ...JSON.parse(fields) }));
}

function visibleFriends(world: ModelWorld, key: KeyRow, accountId: unknown) {
  if (accountId !== undefined) needAccount(world, key, String(accountId));
  return world.database.friend
    .getAll()
    .filter(
      (row) => world.sees(key, row.accountId) && (accountId === undefined || row.accountId === accountId),
    );
}

function friends(world: ModelWorld, key: KeyRow, query: Json): Json {
  const { accountId, userId, search = '' } = query as Record<string, string | undefined>;
  if (accountId !== undefined && userId !== undefined) {
    return { record: friendView(need(world.friend(key, accountId, userId))) };
  }
  const found = visibleFriends(world, key, accountId)
    .filter((row) => userId === undefined || row.userId === userId)
    .filter((row) => row.displayName.toLowerCase().includes(search.toLowerCase()));
  const rows = newest(found, (row) => row.createdAt).map(friendView);
  return page(rows, query.offset as number | undefined, query.limit as number | undefined);
}

function conversations(world: ModelWorld, key: KeyRow, { accountId }: Json): Json {
  const rows = visibleFriends(world, key, accountId).flatMap((friend) => {
    const [last] = listChildren(world, 'messages', friend.id, {});
    if (last === undefined) return [];
    const { userId, displayName, status, order } = friend;
    const view = { accountId: friend.accountId, userId, displayName, status };
    return [{ ...view, order, lastMessageText: last.text, lastMessageAt: String(last.sentAt) }];
  });
  return page(newest(rows, (row) => row.lastMessageAt).map(({ order: _, ...view }) => view));
}
