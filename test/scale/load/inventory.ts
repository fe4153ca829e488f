import type { Json, Resource } from '../../models/reference-model/resources.ts';
import { resources } from '../../models/reference-model/resources.ts';
import type { ApiRequest, Connection } from './connection.ts';
import { getKey } from './seed.ts';

export interface FriendName {
  readonly accountId: string;
  readonly userId: string;
}

/** The records of a new world. No client changes or deletes them. */
export interface Inventory {
  readonly accounts: readonly string[];
  readonly records: Readonly<Record<Resource, readonly string[]>>;
  readonly friends: readonly FriendName[];
  /** Each friend with the scenarios that are for its account. */
  readonly enrollments: readonly (FriendName & { readonly scenarioId: string })[];
  readonly projects: readonly string[];
}

/** A read of the chat or of Studio. */
export const reading = (path: '/chat/read' | '/studio/read', key: string, body: Json): ApiRequest => ({
  method: 'POST',
  path,
  key,
  body: JSON.stringify(body),
});

/** Reads the inventory of a new world. */
export async function readInventory(connection: Connection, baseUrl: string): Promise<Inventory> {
  const read = async (path: '/chat/read' | '/studio/read', body: Json): Promise<Json> => {
    const answer = await connection.send(baseUrl, reading(path, getKey('reader', 0), body));
    if (answer?.status !== 200) throw new Error(`Cannot read the inventory: ${answer?.text ?? 'no answer'}`);
    return JSON.parse(answer.text) as Json;
  };
  const list = async (resource: string): Promise<readonly Json[]> =>
    (await read('/chat/read', { resource })).records as Json[];
  const ids = async (resource: string): Promise<string[]> =>
    (await list(resource)).map(({ id }) => String(id));
  const records = {} as Record<Resource, readonly string[]>;
  for (const resource of resources) records[resource] = await ids(resource);
  const friends = (await list('friends')).map(({ accountId, userId }) => ({
    accountId: String(accountId),
    userId: String(userId),
  }));
  const scenarios = await list('scenarios');
  const enrollments = friends.flatMap((friend) =>
    scenarios
      .filter(({ accountId }) => (accountId ?? friend.accountId) === friend.accountId)
      .map(({ id }) => ({ ...friend, scenarioId: String(id) })),
  );
  const { projects } = await read('/studio/read', { resource: 'projects' });
  return {
    accounts: await ids('accounts'),
    records,
    friends,
    enrollments,
    projects: (projects as Json[]).map(({ id }) => String(id)),
  };
}
