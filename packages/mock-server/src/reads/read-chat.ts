import type { ChatReadInput } from '@orgchat/spec';
import type { DescribedServer } from '../described-server/resolve-description.ts';
import { sha256 } from '../primitives/platform.ts';
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
} from '../request/requirements.ts';

type Read<R extends ChatReadInput['resource']> = Extract<ChatReadInput, { resource: R }>;

/** Reads chat data (section 4.3). Each record caches its JSON, so a list needs no serialization. */
export function readChat({ caller, world }: RequestContext, input: ChatReadInput): ApplyResult {
  requireRuntime(caller.organization, 404);
  return { status: 200, body: read(caller, world.rules.server, input) };
}

/** How the server lists records. */
type ListRules = Pick<DescribedServer, 'pageSize' | 'getOrder'>;

function read(caller: Caller, rules: ListRules, input: ChatReadInput): string {
  const { stored } = caller.organization;
  const { accountScope } = caller.key;
  switch (input.resource) {
    case 'accounts':
      return list(rules, 'accounts', (offset, limit) => stored.accounts.page(accountScope, offset, limit));
    case 'friends':
      return readFriends(caller, rules, input);
    case 'conversations':
      return readConversations(caller, rules, input);
    case 'messages':
      requireFriend(caller, input.accountId, input.userId);
      return readChildren(caller, rules, 'messages', friendKey(input.accountId, input.userId), input.limit);
    case 'friend-automations':
      requireFriend(caller, input.accountId, input.userId);
      return readChildren(caller, rules, 'automations', friendKey(input.accountId, input.userId));
    case 'form-submissions':
      return readChildren(caller, rules, 'submissions', requireConfiguration(caller, 'forms', input.id).id);
    case 'link-clicks':
      return readChildren(caller, rules, 'clicks', requireConfiguration(caller, 'links', input.id).id);
    default: {
      if (input.id !== undefined) return single(requireConfiguration(caller, input.resource, input.id).json);
      const configurations = stored.configurations[input.resource];
      return list(
        rules,
        input.resource,
        (offset, limit) => configurations.page(accountScope, offset, limit),
        input,
      );
    }
  }
}

function readFriends(caller: Caller, rules: ListRules, input: Read<'friends'>): string {
  const { accountId, userId, search = '' } = input;
  const { friends } = caller.organization.stored;
  const scope = accountId === undefined ? caller.key.accountScope : [requireAccount(caller, accountId)];
  if (accountId !== undefined && userId !== undefined)
    return single(requireFriend(caller, accountId, userId).json);
  if (search === '' && userId === undefined)
    return list(rules, 'friends', (offset, limit) => friends.page(scope, offset, limit), input);
  const text = search.toLowerCase();
  const matches = ({ fields }: Entry): boolean =>
    (userId === undefined || fields.userId === userId) &&
    (fields.displayName as string).toLowerCase().includes(text);
  const found = friends.page(scope, 0, Number.MAX_SAFE_INTEGER).entries.filter(matches);
  return list(rules, 'friends', pageThrough(found), input);
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

function readConversations(caller: Caller, rules: ListRules, { accountId }: Read<'conversations'>): string {
  const { conversations } = caller.organization.stored;
  const scope: AccountScope =
    accountId === undefined ? caller.key.accountScope : [requireAccount(caller, accountId)];
  const toJson = (entry: Entry): string => JSON.stringify(toConversation(caller.organization, entry));
  return list(
    rules,
    'conversations',
    (offset, limit) => conversations.page(scope, offset, limit),
    {},
    toJson,
  );
}

const childResources = {
  messages: 'messages',
  submissions: 'form-submissions',
  automations: 'friend-automations',
  clicks: 'link-clicks',
} as const;

function readChildren(
  caller: Caller,
  rules: ListRules,
  name: keyof typeof childResources,
  parent: string,
  limit?: number,
): string {
  const { key, organization } = caller;
  const found = organization.stored.children[name];
  const total = found.count(parent);
  const page: ReadPage =
    key.accountScope === undefined
      ? (offset, count) => ({ entries: found.newest(parent, offset + count).slice(offset), total })
      : pageThrough(found.newest(parent, total).filter(({ account }) => canRead(key.accountScope, account)));
  return list(rules, childResources[name], page, { limit });
}

let last = { json: '', text: '' };

/** A read of one record. Caches the last text: the request log then keeps one text for equal answers. */
function single(json: string): string {
  if (last.json !== json) last = { json, text: `{"record":${json}}` };
  return last.text;
}

/** Reads a page of records, newest first. */
type ReadPage = (offset: number, limit: number) => Page;

const pageThrough =
  (found: readonly Entry[]): ReadPage =>
  (offset, limit) => ({ entries: found.slice(offset, offset + limit), total: found.length });

const getJson = ({ json }: Entry): string => json;

function list(
  rules: ListRules,
  resource: ChatReadInput['resource'],
  readPage: ReadPage,
  { offset = 0, limit }: { readonly offset?: number | undefined; readonly limit?: number | undefined } = {},
  toJson = getJson,
): string {
  const size = Math.min(limit ?? rules.pageSize, rules.pageSize);
  const order = rules.getOrder(resource);
  const page = order === 'newest' ? readPage(offset, size) : readOrdered(order, readPage, offset, size);
  const { entries, total } = page;
  return joinList(entries.map(toJson), total, offset + entries.length < total && entries.length > 0);
}

/** A page of a list that does not begin with the newest record. It is described, not fast. */
function readOrdered(order: 'oldest' | 'unknown', readPage: ReadPage, offset: number, limit: number): Page {
  const { entries, total } = readPage(0, Number.MAX_SAFE_INTEGER);
  const sorted =
    order === 'oldest'
      ? entries.toReversed()
      : entries
          .map((entry) => ({ entry, key: sha256(entry.id) }))
          .sort((a, b) => (a.key < b.key ? -1 : 1))
          .map(({ entry }) => entry);
  return { entries: sorted.slice(offset, offset + limit), total };
}

// Array.join() makes a flat string; one built with + is a tree that every later use has to walk.
const joinList = (records: readonly string[], total: number, limited: boolean): string =>
  ['{"records":[', records.join(','), `],"total":${total},"limited":${limited}}`].join('');
