import { isSameLabel } from '@orgchat/sdk/shapes/labels';
import type { ConfigurationResource } from '@orgchat/spec';
import type { Data } from '../../resources/data-fields.ts';
import { creationOrder } from '../creation-order.ts';
import type { Organization, RemoteRecord } from '../organization.ts';
import { isId, mapReferences } from './references.ts';

/** The content of an exported file, by resource. The id of a record is its first field. */
export type ConfigContent = Partial<Record<ConfigurationResource, readonly Data[]>>;

/** Creates a record for the file: its id, then its data with names in place of ids, if the name is unique. */
function createFileRecord(
  resource: ConfigurationResource,
  { id, data }: RemoteRecord,
  organization: Organization,
): Data {
  const named = mapReferences(resource, data, (target, value) => {
    const all = target === 'accounts' ? organization.accounts : organization.records[target];
    // An account that the API does not list may have the same name.
    if (target === 'accounts' && organization.accountsLimited) return value;
    const label = all.find((one) => one.id === value)?.label;
    const isPlain = label !== undefined && !isId(target, label);
    return isPlain && all.filter((one) => isSameLabel(one.label, label)).length === 1 ? label : value;
  });
  return { id, ...named };
}

export function createContent(
  organization: Organization,
  resources: readonly ConfigurationResource[],
): ConfigContent {
  return Object.fromEntries(
    creationOrder
      .filter((resource) => resources.includes(resource))
      .map((resource) => [
        resource,
        organization.records[resource].map((remote) => createFileRecord(resource, remote, organization)),
      ]),
  );
}
