import { configurationResources } from '@orgchat/spec';
import { mapReferences, type Target } from '../../config/file/references.ts';
import type { Data } from '../../resources/fields.ts';
import type { SeedOrganization } from './seed-organization.ts';

/** Calls `visit` for every reference of an organization, with the resource that it refers to. */
function visitReferences(
  organization: SeedOrganization,
  visit: (target: Target | 'accounts', id: string) => void,
): void {
  for (const resource of configurationResources) {
    for (const record of organization[resource] ?? []) {
      mapReferences(resource, record as Data, (target, id) => {
        visit(target, id);
        return id;
      });
    }
  }
  for (const { accountId, tagIds = [] } of organization.friends ?? []) {
    visit('accounts', accountId);
    for (const id of tagIds) visit('tags', id);
  }
  for (const { submissions = [] } of organization.forms ?? [])
    for (const { accountId } of submissions) visit('accounts', accountId);
  for (const { clicks = [] } of organization.links ?? [])
    for (const { accountId } of clicks) if (accountId) visit('accounts', accountId);
}

const getIds = (records: readonly { readonly id?: string | undefined }[] = []): Set<string> =>
  new Set(records.flatMap(({ id }) => id ?? []));

/**
 * Adds what records refer to and a seed has to name: accounts that the API does not list, and the ids of records that
 * are not there, because they were deleted or not asked for.
 */
export function completeReferences(organization: SeedOrganization): SeedOrganization {
  const accounts = getIds(organization.accounts);
  const known = {
    tags: getIds(organization.tags),
    scenarios: getIds(organization.scenarios),
    'rich-menus': getIds(organization['rich-menus']),
  };
  const unlisted = new Set<string>();
  const missing = new Set<string>();
  visitReferences(organization, (target, id) => {
    if (target === 'accounts') {
      if (!accounts.has(id)) unlisted.add(id);
    } else if (target !== 'links' && !known[target].has(id)) missing.add(id);
  });
  const others = [...unlisted].map((id, index) => ({ id, name: `Unlisted account ${index + 1}` }));
  return {
    ...organization,
    accounts: [...others, ...(organization.accounts ?? [])],
    ...(missing.size > 0 && { missingIds: [...missing] }),
  };
}
