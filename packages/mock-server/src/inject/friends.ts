import type * as z from 'zod';
import { createFriendFields, putFriend } from '../apply/friends.ts';
import { invalid } from '../input-checks/control-error.ts';
import { deriveFriendId } from '../primitives/digest.ts';
import { Entry } from '../records/entry.ts';
import { friendKey } from '../records/organization.ts';
import { resolveFriendId, resolveId } from '../seed/resolve-names.ts';
import type { World } from '../world/world.ts';
import { injectionSchemas } from './schemas.ts';
import {
  announceRecord,
  exists,
  type FriendName,
  getTime,
  type InjectedRecord,
  listSome,
  openTarget,
  parseRecord,
  requireAccountNumber,
  requireFriend,
  type Target,
  toRecord,
} from './target.ts';

type Schemas = ReturnType<typeof injectionSchemas>;
type Message = z.output<Schemas['message']>;
type Automation = z.output<Schemas['friend']>['automations'][number];

/** Adds a friend, with messages and automations. Nothing enrolls, tags or notifies. */
export function injectFriend(world: World, value: unknown, query: unknown): InjectedRecord & FriendName {
  const target = openTarget(world, query);
  const input = parseRecord(injectionSchemas().friend, value);
  const { friends } = target.organization.stored;
  const accountId = input.accountId ?? getFirstAccount(target);
  const account = requireAccountNumber(target, accountId);
  const userId = input.userId ?? deriveFriendId(world.random.uuid());
  const id = friendKey(accountId, userId);
  if (friends.get(id) !== undefined) throw exists(`a friend ${id}`, 'Leave out userId to get a new one.');
  checkTags(target, input.tagIds);
  const automations = input.automations.map((automation, i) => checkAutomation(target, automation, i));
  checkDifferent(input.automations, 'automations');
  checkMessages(target, input.messages);
  const newest = friends.page(undefined, 0, 1).entries[0]?.fields.createdAt;
  const createdAt = getTime(target, 'createdAt', input.createdAt, newest);
  const times = { createdAt, updatedAt: input.updatedAt ?? createdAt };
  const fields = createFriendFields({ ...input, accountId, userId }, times);
  const entry = new Entry(friends.nextSequence, account, input.version ?? 1, id, fields);
  putFriend(world, target.organization, entry);
  announceRecord(target, 'friends', entry);
  for (const automation of automations) addAutomation(target, entry, automation);
  for (const message of input.messages) addMessage(target, entry, message);
  return { ...toRecord(entry), accountId, userId };
}

/** Adds a message to the conversation with a friend, which becomes the newest. No revision changes. */
export function injectMessage(
  world: World,
  friend: FriendName,
  value: unknown,
  query: unknown,
): InjectedRecord {
  const target = openTarget(world, query);
  const message = parseRecord(injectionSchemas().message, value);
  const entry = requireFriend(target, resolveId(friend.accountId), resolveFriendId(friend.userId));
  checkMessages(target, [message]);
  return toRecord(addMessage(target, entry, message));
}

function getFirstAccount({ organization }: Target): string {
  for (const { id } of organization.stored.accounts.values()) return id;
  throw invalid(`Organization ${organization.id} has no account. Use a seed with an account.`);
}

function checkTags({ organization }: Target, tagIds: readonly string[]): void {
  const { tags } = organization.stored.configurations;
  for (const [i, id] of tagIds.entries()) {
    if (tags.get(id) === undefined) {
      throw invalid(`tagIds[${i}]: no tag with id ${id}. ${listSome('Tags', tags.values())}`);
    }
  }
}

/** The automation with the name of its scenario, which must exist unless the input has the name. */
function checkAutomation(
  { organization, world, now }: Target,
  { id, scenarioId, scenarioName, status, nextStep, enrolledAt = now }: Automation,
  index: number,
) {
  const { configurations, children } = organization.stored;
  const { scenarios } = configurations;
  const name = scenarioName ?? scenarios.get(scenarioId)?.label;
  if (name === undefined) {
    const known = listSome('Scenarios', scenarios.values());
    throw invalid(`automations[${index}].scenarioId: no scenario with id ${scenarioId}. ${known}`);
  }
  checkNewId(children.automations.values(), id, 'an automation');
  return { id: id ?? world.random.uuid(), scenarioId, scenarioName: name, status, nextStep, enrolledAt };
}

function addAutomation(
  { world, organization }: Target,
  friend: Entry,
  { id, ...automation }: ReturnType<typeof checkAutomation>,
): void {
  const { automations } = organization.stored.children;
  const { accountId, userId } = friend.fields;
  const fields = { id, accountId, userId, ...automation };
  const entry = new Entry(automations.nextSequence, friend.account, 1, id, fields);
  automations.put(friend.id, entry);
  world.recorder?.('automations', organization.id, id, entry);
}

/** Checks everything about messages before the first of them is added. */
function checkMessages(target: Target, messages: readonly Message[]): void {
  const { conversations, children } = target.organization.stored;
  let newest = conversations.page(undefined, 0, 1).entries[0]?.fields.lastMessageAt;
  for (const { id, sentAt } of messages) {
    checkNewId(children.messages.values(), id, 'a message');
    newest = getTime(target, 'sentAt', sentAt, newest);
  }
  checkDifferent(messages, 'messages');
}

/** Throws a `ControlError` 400 if two of the items of a body have the same id. */
export function checkDifferent(items: readonly { readonly id?: string | undefined }[], what: string): void {
  const given = items.map(({ id }) => id).filter((id) => id !== undefined);
  if (new Set(given).size < given.length) throw invalid(`Two ${what} have the same id. Leave out id.`);
}

function addMessage(target: Target, friend: Entry, message: Message): Entry {
  const { world, organization, now } = target;
  const { children, conversations } = organization.stored;
  const { accountId, userId } = friend.fields;
  const { id = world.random.uuid(), direction, text, sentAt = now } = message;
  const fields = { id, accountId, userId, direction, text, sentAt };
  const entry = new Entry(children.messages.nextSequence, friend.account, 1, id, fields);
  children.messages.put(friend.id, entry);
  world.recorder?.('messages', organization.id, id, entry);
  const before = conversations.get(friend.id);
  if (before !== undefined) conversations.remove(before);
  const last = { accountId, userId, lastMessageText: text, lastMessageAt: sentAt };
  conversations.put(new Entry(conversations.nextSequence, friend.account, 1, friend.id, last));
  announceRecord(target, 'messages', entry);
  return entry;
}

/** Throws a `ControlError` 409 if a record has the id. */
export function checkNewId(entries: Iterable<Entry>, id: string | undefined, what: string): void {
  if (id === undefined) return;
  for (const entry of entries)
    if (entry.id === id) throw exists(`${what} with id ${id}`, 'Leave out id to get a new one.');
}
