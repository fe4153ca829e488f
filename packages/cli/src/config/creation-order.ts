import type { ConfigurationResource } from '@orgchat/spec';

/** An object, so that the compiler reports a missing resource. */
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

/** Resources come after those they refer to; deletions use the reverse order. Rich menus also refer to each other. */
export const creationOrder = Object.keys(places) as ConfigurationResource[];
