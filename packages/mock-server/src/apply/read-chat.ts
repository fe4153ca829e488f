import { type ChatReadInput, limits } from '@orgchat/spec';
import type { AccountScope, Page } from '../records/collection.ts';
import type { Entry, Fields } from '../records/entry.ts';
import { friendKey, type Organization } from '../records/organization.ts';
import type { ApplyResult, Caller, RequestContext } from '../request/context.ts';
import {
  canRead,
  requireAccount,
  requireConfiguration,
  requireFriend,
  requireRuntime,
} from './requirements.ts';

type Read<R extends ChatReadInput['resource']> = Extract<ChatReadInput, { resource: R }>;

/** Reads chat data (section 4.3). Each record caches its JSON, so a list needs no serialization. */
export function readChat({ caller }: RequestContext, input: ChatReadInput): ApplyResult {
  requireRuntime(caller.organization, 404);
  return { status: 200, body: read(caller, input) };
}

function read(caller: Caller, input: ChatReadInput): string {
  const { stored } = caller.organization;
  const { accountScope } = caller.key;
  switch (input.resource) {
    case 'accounts':
      return list(stored.accounts.page(accountScope, 0, limits.pageSize));
    case 'friends':
      return readFriends(caller, input);
    case 'conversations':
      return readConversations(caller, input);
    case 'messages':
      requireFriend(caller, input.accountId, input.userId);
      return readChildren(caller, 'messages', friendKey(input.accountId, input.userId), input.limit);
    case 'friend-automations':
      requireFriend(caller, input.accountId, input.userId);
      return readChildren(caller, 'automations', friendKey(input.accountId, input.userId));
    case 'form-submissions':
      return readChildren(caller, 'submissions', requireConfiguration(caller, 'forms', input.id).id);
    case 'link-clicks':
      return readChildren(caller, 'clicks', requireConfiguration(caller, 'links', input.id).id);
    default: {
      if (input.id !== undefined) return single(requireConfiguration(caller, input.resource, input.id).json);
      const { offset = 0, limit = limits.pageSize } = input;
      return list(stored.configurations[input.resource].page(accountScope, offset, limit), offset);
    }
  }
}

function readFriends(caller: Caller, input: Read<'friends'>): string {
  const { accountId, userId, search = '', offset = 0, limit = limits.pageSize } = input;
  const { friends } = caller.organization.stored;
  const scope = accountId === undefined ? caller.key.accountScope : [requireAccount(caller, accountId)];
  if (accountId !== undefined && userId !== undefined)
    return single(requireFriend(caller, accountId, userId).json);
  if (search === '' && userId === undefined) return list(friends.page(scope, offset, limit), offset);
  const text = search.toLowerCase();
  const matches = ({ fields }: Entry): boolean =>
    (userId === undefined || fields.userId === userId) &&
    (fields.displayName as string).toLowerCase().includes(text);
  const { entries } = friends.page(scope, 0, Number.MAX_SAFE_INTEGER);
  const found = entries.filter(matches);
  return list({ entries: found.slice(offset, offset + limit), total: found.length }, offset);
}

/** A conversation stores its last message; name and status are read from the friend. */
export function toConversation({ stored }: Organization, { id, fields }: Entry): Fields {
  const friend = stored.friends.get(id)?.fields;
  return {
    accountId: fields.accountId,
    userId: fields.userId,
    displayName: friend?.displayName,
    status: friend?.status,
    lastMessageText: fields.lastMessageText,
    lastMessageAt: fields.lastMessageAt,
  };
}

function readConversations(caller: Caller, { accountId }: Read<'conversations'>): string {
  const { conversations } = caller.organization.stored;
  const scope: AccountScope =
    accountId === undefined ? caller.key.accountScope : [requireAccount(caller, accountId)];
  const { entries, total } = conversations.page(scope, 0, limits.pageSize);
  const records = entries.map((entry) => JSON.stringify(toConversation(caller.organization, entry)));
  return joinList(records, total, total > entries.length);
}

function readChildren(
  { key, organization }: Caller,
  name: 'messages' | 'submissions' | 'automations' | 'clicks',
  parent: string,
  limit: number = limits.pageSize,
): string {
  const found = organization.stored.children[name];
  const total = found.count(parent);
  if (key.accountScope === undefined) return list({ entries: found.newest(parent, limit), total });
  const readable = found.newest(parent, total).filter(({ account }) => canRead(key.accountScope, account));
  return list({ entries: readable.slice(0, limit), total: readable.length });
}

let last = { json: '', text: '' };

/** A read of one record. Caches the last text: the request log then keeps one text for equal answers. */
function single(json: string): string {
  if (last.json !== json) last = { json, text: `{"record":${json}}` };
  return last.text;
}

function list({ entries, total }: Page, offset = 0): string {
  const records = entries.map(({ json }) => json);
  return joinList(records, total, offset + entries.length < total && entries.length > 0);
}

// Array.join() makes a flat string; one built with + is a tree that every later use has to walk.
const joinList = (records: readonly string[], total: number, limited: boolean): string =>
  ['{"records":[', records.join(','), `],"total":${total},"limited":${limited}}`].join('');
