import { recordsSince } from '@orgchat/sdk/create-once';
import { pickData } from '@orgchat/sdk/resources/pick-data';
import type { ConfigurationResource } from '@orgchat/spec';
import type { Context } from '../context.ts';
import type { Row } from '../output/output.ts';
import type { Data } from '../resources/data-fields.ts';
import { getLabel, Lookup } from '../resources/lookup.ts';
import { creationOrder } from './creation-order.ts';
import { isId, mapReferences } from './file/references.ts';

/** A record as the organization has it. */
export interface RemoteRecord {
  readonly id: string;
  readonly revision: string;
  readonly label: string;
  readonly data: Data;
}

/** The configuration of an organization at one time. */
export interface Organization {
  readonly id: string;
  readonly accounts: readonly { readonly id: string; readonly label: string }[];
  /** Whether there are more accounts than the API lists: then an unknown id may be of one of them. */
  readonly accountsLimited: boolean;
  /** Oldest first. */
  readonly records: Readonly<Record<ConfigurationResource, readonly RemoteRecord[]>>;
}

export function toRemoteRecord(resource: ConfigurationResource, record: Row): RemoteRecord {
  const data = pickData<Data>(resource, record);
  return { id: String(record.id), revision: String(record.revision), label: getLabel(record), data };
}

/** Reads the id of the organization that the key belongs to. */
export async function readOrganizationId(context: Context): Promise<string> {
  return (await context.account()).organizationId;
}

type Records = Organization['records'];

/** How often to look for records that were created while the others were read. */
const maxRounds = 5;

/** References to records that are not there: these were deleted, or created after their list was read. */
function findMissingTargets(records: Records): Map<ConfigurationResource, Set<string>> {
  const missing = new Map<ConfigurationResource, Set<string>>();
  const ids = new Set(creationOrder.flatMap((resource) => records[resource].map(({ id }) => id)));
  for (const resource of creationOrder) {
    for (const { data } of records[resource]) {
      mapReferences(resource, data, (target, id) => {
        if (target !== 'accounts' && isId(target, id) && !ids.has(id))
          missing.set(target, (missing.get(target) ?? new Set()).add(id));
        return id;
      });
    }
  }
  return missing;
}

/**
 * Adds records that were created while the lists were read. Otherwise a record could refer to one that seems to be
 * missing, and be planned with other data than another apply sends.
 */
async function addMissingRecords(context: Context, records: Records): Promise<Records> {
  const client = await context.client();
  const call = context.bulkCall;
  let all = records;
  let before = '';
  for (let round = 0; round < maxRounds; round++) {
    const missing = findMissingTargets(all);
    const ids = [...missing.values()].flatMap((of) => [...of]);
    const now = ids.sort().join();
    // References to deleted records stay.
    if (now === before) break;
    before = now;
    for (const target of missing.keys()) {
      const known = new Set(all[target].map(({ id }) => id));
      const newer = await recordsSince(client, target, (id) => known.has(id), call);
      all = {
        ...all,
        [target]: [...all[target], ...newer.map((one) => toRemoteRecord(target, one)).toReversed()],
      };
    }
  }
  return all;
}

/** Reads the requested resources and the accounts, each once and all concurrently. */
export async function readOrganization(
  context: Context,
  id: string,
  resources: readonly ConfigurationResource[] = creationOrder,
): Promise<Organization> {
  const lookup = new Lookup(context);
  const [accounts, ...lists] = await Promise.all([
    lookup.all('accounts'),
    ...creationOrder.map((resource) => (resources.includes(resource) ? lookup.all(resource) : [])),
  ]);
  const records: Partial<Record<ConfigurationResource, readonly RemoteRecord[]>> = {};
  for (const [index, resource] of creationOrder.entries()) {
    records[resource] = (lists[index] ?? []).map((record) => toRemoteRecord(resource, record)).toReversed();
  }
  const all = records as Records;
  return {
    id,
    accountsLimited: await lookup.isLimited('accounts'),
    accounts: accounts.map((account) => ({ id: String(account.id), label: getLabel(account) })),
    // Records outside of a partial read are missing on purpose.
    records: resources === creationOrder ? await addMissingRecords(context, all) : all,
  };
}
