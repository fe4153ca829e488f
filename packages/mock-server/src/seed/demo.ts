import type { SeedDocument } from '../generated/public-types.ts';
import { configuration } from './demo/configuration.ts';
import { empty, type Organization } from './demo/empty.ts';
import { friends } from './demo/friends.ts';
import { key, keys } from './demo/keys.ts';
import { projects } from './demo/studio.ts';
import { type CompleteSeed, defaultPlans } from './schema.ts';

/*
 * The demo organization: a seed like any other, with names instead of ids. It has at least one record of everything that
 * the API can read.
 */

/** The organization the demo keys work in. */
export const demoOrganization = {
  ...empty,
  id: 'org_demo',
  name: 'Demo organization',
  plan: 'business',
  credits: { allowance: 1000, used: 120 },
  keys,
  sites: [
    {
      id: 'demo-site',
      name: 'Demo site',
      keywordLimit: 1000,
      keywords: ['opening hours', { keyword: 'spring sale', group: 'season' }],
    },
    { id: 'demo-blog', name: 'Demo blog', keywordLimit: 100, keywords: [] },
  ],
  accounts: [
    { id: 'shop', name: 'Demo shop' },
    { id: 'salon', name: 'Demo salon' },
  ],
  ...configuration,
  friends,
  projects,
} satisfies Organization;

/** The demo as a complete seed. */
export const completeDemo: CompleteSeed = {
  format: 'orgchat-seed',
  version: 1,
  plans: defaultPlans,
  organizations: [
    demoOrganization,
    {
      ...empty,
      id: 'org_deleted',
      name: 'Deleted organization',
      deleted: true,
      keys: [key('Key of a deleted organization', { key: 'demo-deleted-org-key', scope: 'write' })],
    },
    {
      ...empty,
      id: 'org_free',
      name: 'Organization without API access',
      plan: 'free',
      keys: [key('Key without API access', { key: 'demo-no-api-key', scope: 'write' })],
    },
  ],
};

/**
 * The default seed of a mock.
 *
 * @alias
 */
export const demoSeed: SeedDocument = completeDemo;

export { demoKeys } from './demo/keys.ts';
