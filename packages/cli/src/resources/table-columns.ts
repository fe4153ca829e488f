import type { ReadableResource } from '@orgchat/spec';

/** The columns of a table, by resource; --fields selects others. */
export const columns: Record<ReadableResource, readonly string[]> = {
  accounts: ['id', 'name', 'createdAt'],
  tags: ['id', 'name', 'color', 'updatedAt'],
  templates: ['id', 'name', 'text', 'updatedAt'],
  'auto-replies': ['id', 'keyword', 'matchType', 'active', 'responseText', 'updatedAt'],
  scenarios: ['id', 'name', 'trigger', 'active', 'updatedAt'],
  forms: ['id', 'name', 'title', 'active', 'updatedAt'],
  'rich-menus': ['id', 'name', 'size', 'chatBarText', 'updatedAt'],
  links: ['id', 'name', 'url', 'updatedAt'],
  routes: ['id', 'name', 'accountId', 'updatedAt'],
  broadcasts: ['id', 'title', 'target', 'status', 'updatedAt'],
  friends: ['accountId', 'userId', 'displayName', 'status', 'updatedAt'],
  conversations: ['userId', 'displayName', 'status', 'lastMessageText', 'lastMessageAt'],
  messages: ['sentAt', 'direction', 'text'],
  'form-submissions': ['submittedAt', 'userId', 'values'],
  'friend-automations': ['scenarioName', 'status', 'nextStep', 'enrolledAt'],
  'link-clicks': ['clickedAt', 'accountId', 'userId'],
};
