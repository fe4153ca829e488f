import { type ChatReadInput, limits } from '@orgchat/spec';
import type { Applied, Exchange } from '../exchange.ts';
import type { Caller } from '../steps/authenticate.ts';
import type { Page, Sight } from '../store/collection.ts';
import type { Entry } from '../store/entry.ts';
import { friendKey } from '../store/organization.ts';
import { needRuntime } from './runtime.ts';
import { needAccount, needConfiguration, needFriend, sees } from './visible.ts';

type Read<R extends ChatReadInput['resource']> = Extract<ChatReadInput, { resource: R }>;

/** Clauses 4.3: records are joined from the JSON each keeps, so a list costs no serialization. */
export function readChat({ caller }: Exchange, input: ChatReadInput): Applied {
  needRuntime(caller.organization, 404);
  return { status: 200, body: read(caller, input) };
}

function read(caller: Caller, input: ChatReadInput): string {
  const { stored } = caller.organization;
  const { sight } = caller.key;
  switch (input.resource) {
    case 'accounts':
      return list(stored.accounts.page(sight, 0, limits.pageSize));
    case 'friends':
      return readFriends(caller, input);
    case 'conversations':
      return readConversations(caller, input);
    case 'messages':
      needFriend(caller, input.accountId, input.userId);
      return children(caller, 'messages', friendKey(input.accountId, input.userId), input.limit);
    case 'friend-automations':
      needFriend(caller, input.accountId, input.userId);
      return children(caller, 'automations', friendKey(input.accountId, input.userId));
    case 'form-submissions':
      return children(caller, 'submissions', needConfiguration(caller, 'forms', input.id).id);
    case 'link-clicks':
      return children(caller, 'clicks', needConfiguration(caller, 'links', input.id).id);
    default: {
      if (input.id !== undefined) return single(needConfiguration(caller, input.resource, input.id).json);
      const { offset = 0, limit = limits.pageSize } = input;
      return list(stored.configurations[input.resource].page(sight, offset, limit), offset);
    }
  }
}

function readFriends(caller: Caller, input: Read<'friends'>): string {
  const { accountId, userId, search = '', offset = 0, limit = limits.pageSize } = input;
  const { friends } = caller.organization.stored;
  const sight = accountId === undefined ? caller.key.sight : [needAccount(caller, accountId)];
  if (accountId !== undefined && userId !== undefined)
    return single(needFriend(caller, accountId, userId).json);
  if (search === '' && userId === undefined) return list(friends.page(sight, offset, limit), offset);
  const sought = search.toLowerCase();
  const fits = ({ fields }: Entry): boolean =>
    (userId === undefined || fields.userId === userId) &&
    (fields.displayName as string).toLowerCase().includes(sought);
  const { entries } = friends.page(sight, 0, Number.MAX_SAFE_INTEGER);
  const found = entries.filter(fits);
  return list({ entries: found.slice(offset, offset + limit), total: found.length }, offset);
}

/** A conversation is kept with its last message; name and state are the friend's as they are now. */
function readConversations(caller: Caller, { accountId }: Read<'conversations'>): string {
  const { conversations, friends } = caller.organization.stored;
  const sight: Sight = accountId === undefined ? caller.key.sight : [needAccount(caller, accountId)];
  const { entries, total } = conversations.page(sight, 0, limits.pageSize);
  const records = entries.map(({ id, fields }) => {
    const friend = friends.get(id)?.fields;
    return JSON.stringify({
      accountId: fields.accountId,
      userId: fields.userId,
      displayName: friend?.displayName,
      status: friend?.status,
      lastMessageText: fields.lastMessageText,
      lastMessageAt: fields.lastMessageAt,
    });
  });
  return listOf(records, total, total > entries.length);
}

function children(
  { key, organization }: Caller,
  name: 'messages' | 'submissions' | 'automations' | 'clicks',
  parent: string,
  limit: number = limits.pageSize,
): string {
  const found = organization.stored.children[name];
  const total = found.count(parent);
  if (key.sight === undefined) return list({ entries: found.newest(parent, limit), total });
  const seen = found.newest(parent, total).filter(({ account }) => sees(key.sight, account));
  return list({ entries: seen.slice(0, limit), total: seen.length });
}

const single = (json: string): string => `{"record":${json}}`;

function list({ entries, total }: Page, offset = 0): string {
  const records = entries.map(({ json }) => json);
  return listOf(records, total, offset + entries.length < total && entries.length > 0);
}

// Joined, because a string put together with + stays in pieces, which its measuring and its writing have to walk.
const listOf = (records: readonly string[], total: number, limited: boolean): string =>
  ['{"records":[', records.join(','), `],"total":${total},"limited":${limited}}`].join('');
