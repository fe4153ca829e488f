import type { ReadableResource } from '@orgchat/spec';

/**
 * The columns of a table, by resource; --fields selects others. Names and states come before ids and times: on a narrow
 * terminal the last ones are hidden.
 */
export const columns: Record<ReadableResource, readonly string[]> = {
  accounts: ['name', 'id', 'createdAt'],
  tags: ['name', 'color', 'id', 'updatedAt'],
  templates: ['name', 'text', 'id', 'updatedAt'],
  'auto-replies': ['keyword', 'matchType', 'active', 'responseText', 'id', 'updatedAt'],
  scenarios: ['name', 'trigger', 'active', 'id', 'updatedAt'],
  forms: ['name', 'title', 'active', 'id', 'updatedAt'],
  'rich-menus': ['name', 'size', 'chatBarText', 'id', 'updatedAt'],
  links: ['name', 'url', 'id', 'updatedAt'],
  routes: ['name', 'id', 'accountId', 'updatedAt'],
  broadcasts: ['title', 'target', 'status', 'id', 'updatedAt'],
  friends: ['displayName', 'status', 'userId', 'accountId', 'updatedAt'],
  conversations: ['displayName', 'status', 'lastMessageText', 'userId', 'lastMessageAt'],
  messages: ['sentAt', 'direction', 'text'],
  'form-submissions': ['submittedAt', 'values', 'userId'],
  'friend-automations': ['scenarioName', 'status', 'nextStep', 'enrolledAt'],
  'link-clicks': ['clickedAt', 'userId', 'accountId'],
};
