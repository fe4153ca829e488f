import type { StateRecord, WorldState } from '../../live/world-state.ts';

/** A record as the panel lists it. */
export interface ListedRecord {
  /** What `POST /edit` and the audit log call it; for a child, the ids of its parent are before it. */
  readonly id: string;
  readonly title: string;
  readonly fields: StateRecord;
  readonly changedAt: string;
}

type Lists = Readonly<Record<string, readonly StateRecord[] | undefined>>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The lists that are inside a record of the state, and are resources of their own. */
const children: Readonly<Record<string, readonly string[]>> = {
  friends: ['messages', 'automations'],
  forms: ['submissions'],
  links: ['clicks'],
  projects: ['documents'],
};

function toListed(record: StateRecord, id = text(record.id)): ListedRecord {
  const title = [record.name, record.displayName, record.title, record.keyword, record.text].find(
    (value) => typeof value === 'string' && value !== '',
  );
  const changedAt = [record.updatedAt, record.sentAt, record.clickedAt, record.submittedAt, record.createdAt];
  return {
    id,
    title: text(title) || id,
    fields: record,
    changedAt: text(changedAt.find((value) => typeof value === 'string')),
  };
}

/** A record without the lists in it. */
function withoutChildren(record: StateRecord, resource: string): StateRecord {
  const lists = children[resource];
  if (lists === undefined) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => !lists.includes(name)));
}

const friendId = ({ accountId, userId }: StateRecord): string => `${text(accountId)}/${text(userId)}`;

const listOf = (value: unknown): readonly StateRecord[] =>
  Array.isArray(value) ? (value as StateRecord[]) : [];

/** The records below the records of a resource, each with the id of its parent before its own. */
function listChildren(
  parents: readonly StateRecord[],
  name: string,
  idOf: (record: StateRecord) => string,
): ListedRecord[] {
  return parents.flatMap((parent) =>
    listOf(parent[name]).map((child) => toListed(child, `${idOf(parent)}/${text(child.id)}`)),
  );
}

const idOf = ({ id }: StateRecord): string => text(id);

function toConversations(friends: readonly StateRecord[]): ListedRecord[] {
  return friends
    .filter((friend) => listOf(friend.messages).length > 0)
    .map((friend) => {
      const last = listOf(friend.messages).at(-1) ?? {};
      const { accountId, userId, displayName, status } = friend;
      const fields = { accountId, userId, displayName, status, lastMessage: last };
      return { id: friendId(friend), title: text(displayName), fields, changedAt: text(last.sentAt) };
    });
}

/** The records of a resource, in the order they were made. */
export function listRecords({ organizations }: WorldState, resource: string): ListedRecord[] {
  const [organization] = organizations;
  const lists = organization as unknown as Lists;
  const friends = lists.friends ?? [];
  switch (resource) {
    case 'friends':
      return friends.map((friend) => toListed(withoutChildren(friend, resource), friendId(friend)));
    case 'conversations':
      return toConversations(friends);
    case 'messages':
      return listChildren(friends, 'messages', friendId);
    case 'friend-automations':
      return listChildren(friends, 'automations', friendId);
    case 'form-submissions':
      return listChildren(lists.forms ?? [], 'submissions', idOf);
    case 'link-clicks':
      return listChildren(lists.links ?? [], 'clicks', idOf);
    case 'documents':
      return (lists.projects ?? []).flatMap((project) =>
        listOf(project.documents).map((document) => toListed(document)),
      );
    default:
      return (lists[resource] ?? []).map((record) => toListed(withoutChildren(record, resource)));
  }
}

/** Fields that the mock sets. */
const ownFields = new Set([
  'id',
  'version',
  'createdAt',
  'updatedAt',
  'accountId',
  'userId',
  'revision',
  'label',
]);

/** The fields of a record that an editor may change. For configurations, the account is one of them. */
export function toEditable(resource: string, fields: StateRecord): StateRecord {
  const isFriend = resource === 'friends';
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name]) => !ownFields.has(name) || (!isFriend && (name === 'accountId' || name === 'userId')),
    ),
  );
}

/** The fields that differ from before. `POST /edit` keeps the others. */
export function changedFields(before: StateRecord, after: StateRecord): StateRecord {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
}
