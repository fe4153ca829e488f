import type { ConfigurationResource } from '@orgchat/spec';

/** What others refer to comes first; deletions go the other way. Rich menus refer to each other as well. */
export const creationOrder = [
  'tags',
  'templates',
  'auto-replies',
  'scenarios',
  'forms',
  'rich-menus',
  'links',
  'routes',
  'broadcasts',
] as const satisfies readonly ConfigurationResource[];

/** Compiles only while the order names every resource. */
export const orderIsComplete: Exclude<ConfigurationResource, (typeof creationOrder)[number]> extends never
  ? true
  : never = true;
