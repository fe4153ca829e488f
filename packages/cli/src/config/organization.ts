import type { Guarded, OrgChatClient } from '@orgchat/sdk';
import { getChatApi, labelFields, pickData, recordsSince, toComparableId } from '@orgchat/sdk/internal';
import type { ConfigurationResource } from '@orgchat/spec';
import { singularNames } from '@orgchat/spec/resources/names';
import type { Context } from '../context.ts';
import type { Row } from '../output/output.ts';
import { readBounded, requireShape } from '../resources/fetch-records.ts';
import type { Data } from '../resources/fields.ts';
import { getName, isTruncated } from '../resources/read-list.ts';
import { pluralName } from '../resources/resource-names.ts';
import { creationOrder, isId, mapReferences, withComparableIds } from './file/references.ts';

/** A record as the organization has it. */
export interface RemoteRecord {
  readonly id: string;
  readonly revision: string;
  /** What the server calls its label; a change sends it back. */
  readonly expectedLabel: string;
  /** The field that names it. */
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

/**
 * A record that the client read, with ids in the form in which they are compared. Its label is the field that names it:
 * what the API calls `label` is only sent back.
 */
export function toRemoteRecord(resource: ConfigurationResource, record: Guarded<object>): RemoteRecord {
  const data = withComparableIds(resource, pickData<Data>(resource, record));
  const { id, revision, label: expectedLabel }: Guarded<{ readonly id?: unknown }> = record;
  const label = String(data[labelFields[resource]]);
  return { id: toComparableId(String(id)), revision, expectedLabel, label, data };
}

/** Reads the whole records of a resource that are not known, oldest first if the list begins with the newest. */
export async function readWholeRecords(
  context: Context,
  client: OrgChatClient,
  resource: ConfigurationResource,
  isKnown: (id: string) => boolean = () => false,
): Promise<Guarded<Row>[]> {
  const api = getChatApi(client);
  let readById = 0;
  const onReadById = (): void => void readById++;
  // What is wrong with one of many records names that record.
  const naming: typeof api = {
    ...api,
    readRecord: (query, call) =>
      requireShape(`${singularNames[resource]} ${query.id}`, api.readRecord(query, call)),
  };
  // A record that was missed would be planned to be created, or be dropped from a file.
  const how = { onReadById, requiresAll: true };
  const reading = recordsSince(naming, resource, isKnown, context.bulkCall, how);
  const found = (await requireShape(resource, reading)).map((record): Guarded<Row> => ({ ...record }));
  if (readById > 0) {
    context.output.note(
      `Read ${readById} ${pluralName(resource)} by id, because the list shows only a part of them.`,
    );
  }
  return api.shapes.isNewestFirst(resource) ? found.toReversed() : found;
}

async function readRemoteRecords(...given: Parameters<typeof readWholeRecords>): Promise<RemoteRecord[]> {
  const [, , resource] = given;
  return (await readWholeRecords(...given)).map((record) => toRemoteRecord(resource, record));
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
      const newer = await readRemoteRecords(context, client, target, (id) => known.has(toComparableId(id)));
      all = { ...all, [target]: [...all[target], ...newer] };
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
  const client = await context.client();
  const [accounts, ...lists] = await Promise.all([
    readBounded(client, 'accounts', {}, context.bulkCall),
    ...creationOrder.map((resource) =>
      resources.includes(resource) ? readRemoteRecords(context, client, resource) : [],
    ),
  ]);
  const all = Object.fromEntries(
    creationOrder.map((resource, index) => [resource, lists[index] ?? []]),
    // Every configuration resource is in the creation order.
  ) as unknown as Records;
  return {
    id,
    accountsLimited: isTruncated(accounts),
    accounts: accounts.records.map((account) => ({
      id: toComparableId(String(account.id)),
      label: getName(account),
    })),
    // Records outside of a partial read are missing on purpose.
    records: resources === creationOrder ? await addMissingRecords(context, all) : all,
  };
}
