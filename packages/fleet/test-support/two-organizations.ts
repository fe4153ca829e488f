import { createMock, type Mock } from '@orgchat/mock-server';
import { type ClientOptions, createClient, type OrgChatClient } from '@orgchat/sdk';

/** The organizations of `createTwoOrganizations`. */
export const organizations = ['org_a', 'org_b'] as const;
export type OrganizationId = (typeof organizations)[number];

/** Creates a mock with two organizations, each with a key and a site named after it. */
export function createTwoOrganizations(): Mock {
  return createMock({
    rateLimit: 'off',
    seed: {
      organizations: organizations.map((id) => ({
        ...{ id, name: id },
        keys: [{ name: id, key: `key-${id}`, scope: 'write' }],
        sites: [{ id: `site-${id}`, name: id, keywordLimit: 100 }],
      })),
    },
  });
}

/** Creates the client of an organization. */
export const connectTo = (mock: Mock, organization: OrganizationId, options: ClientOptions): OrgChatClient =>
  createClient({
    ...{
      apiKey: `key-${organization}`,
      baseUrl: mock.baseUrl,
      fetch: mock.fetch,
      pacing: false,
      retry: false,
    },
    ...options,
  });

/** Returns the names of the tags of an organization, in order. */
export const listTags = (mock: Mock, organization: OrganizationId): string[] =>
  mock
    .records({ organization, resource: 'tags', limit: 1_000 })
    .records.map((record) => String((record as { readonly name?: unknown }).name))
    .sort();
