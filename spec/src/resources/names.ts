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

/** What `delete-configuration` takes: every configuration resource but rich menus. */
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

/** All sixteen resources `readChat` takes. */
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

/** Lists without an offset (D46): the API returns the newest up to 50, and the rest cannot be reached. */
export const boundedResources = [
  'accounts',
  'conversations',
  'messages',
  'form-submissions',
  'friend-automations',
  'link-clicks',
] as const satisfies readonly ReadableResource[];

/** `auto-replies` → `AutoReplies`: the spelling of component names. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
