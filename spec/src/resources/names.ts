/** The nine configuration resources: read by `readChat`, changed by `changeChat`. */
export const configurationResources = [
  'tags',
  'templates',
  'auto-replies',
  'scenarios',
  'forms',
  'rich-menus',
  'links',
  'routes',
  'broadcasts',
] as const;
export type ConfigurationResource = (typeof configurationResources)[number];

/** The actions that create or replace a record of a configuration resource. */
export type ConfigurationAction = `${'create' | 'update'}-${ConfigurationResource}`;

const resourcesByAction = new Map<ConfigurationAction, ConfigurationResource>(
  configurationResources.flatMap((resource) => [
    [`create-${resource}`, resource],
    [`update-${resource}`, resource],
  ]),
);

/** The resource that an action creates or updates: `tags` of `create-tags`. */
export function getActionResource(action: ConfigurationAction): ConfigurationResource {
  const resource = resourcesByAction.get(action);
  if (resource === undefined) throw new Error(`Unknown action ${action}.`);
  return resource;
}

/** What `delete-configuration` accepts: every configuration resource but rich menus. */
export const deletableResources = [
  'tags',
  'templates',
  'auto-replies',
  'scenarios',
  'forms',
  'links',
  'routes',
  'broadcasts',
] as const satisfies readonly ConfigurationResource[];
export type DeletableResource = (typeof deletableResources)[number];

/** All sixteen resources that `readChat` accepts. */
export const readableResources = [
  'accounts',
  ...configurationResources,
  'friends',
  'conversations',
  'messages',
  'form-submissions',
  'friend-automations',
  'link-clicks',
] as const;
export type ReadableResource = (typeof readableResources)[number];

/** Lists without an offset (D46): the API returns one page of the newest, and the rest cannot be reached. */
export const boundedResources = [
  'accounts',
  'conversations',
  'messages',
  'form-submissions',
  'friend-automations',
  'link-clicks',
] as const satisfies readonly ReadableResource[];

/** One record of each readable resource, as messages name it: `Delete tag "VIP"?`. */
export const singularNames = {
  accounts: 'account',
  tags: 'tag',
  templates: 'template',
  'auto-replies': 'auto-reply',
  scenarios: 'scenario',
  forms: 'form',
  'rich-menus': 'rich menu',
  links: 'link',
  routes: 'route',
  broadcasts: 'broadcast',
  friends: 'friend',
  conversations: 'conversation',
  messages: 'message',
  'form-submissions': 'form submission',
  'friend-automations': 'friend automation',
  'link-clicks': 'link click',
} as const satisfies Record<ReadableResource, string>;

/** A noun with its indefinite article: `a tag`, `an account`. */
export const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

/** `auto-replies` → `AutoReplies`: the spelling of component names. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
