import type { ConfigurationResource } from '@orgchat/spec';

/** A table, so that the compiler finds a resource that has no place. */
const places = {
  tags: 1,
  templates: 2,
  'auto-replies': 3,
  scenarios: 4,
  forms: 5,
  'rich-menus': 6,
  links: 7,
  routes: 8,
  broadcasts: 9,
} as const satisfies Record<ConfigurationResource, number>;

/** What others refer to comes first; deletions go the other way. Rich menus refer to each other as well. */
export const creationOrder = Object.keys(places) as ConfigurationResource[];
