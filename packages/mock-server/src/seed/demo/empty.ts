import type { CompleteSeed } from '../schema.ts';

export type Organization = CompleteSeed['organizations'][number];

/** An organization without records. */
export const empty = {
  plan: 'business',
  runtime: 'up',
  studio: true,
  deleted: false,
  credits: { allowance: 0, used: 0 },
  keys: [],
  sites: [],
  accounts: [],
  tags: [],
  templates: [],
  'auto-replies': [],
  scenarios: [],
  forms: [],
  'rich-menus': [],
  links: [],
  routes: [],
  broadcasts: [],
  friends: [],
  projects: [],
} satisfies Partial<Organization>;
