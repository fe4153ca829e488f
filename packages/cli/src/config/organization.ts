import type { ConfigurationResource } from '@orgchat/spec';
import type { Context } from '../context.ts';
import { Lookup, labelOf } from '../lookup.ts';
import type { Row } from '../output/output.ts';
import type { Data } from '../resources/collect-data.ts';
import { fieldsOf } from '../resources/fields.ts';
import { creationOrder } from './order.ts';

/** A record as the organization has it. */
export interface Held {
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
  readonly records: Readonly<Record<ConfigurationResource, readonly Held[]>>;
}

function held(resource: ConfigurationResource, record: Row): Held {
  const fields = fieldsOf(resource).map(({ name }) => name);
  const data = Object.fromEntries(
    fields.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]),
  );
  return { id: String(record.id), revision: String(record.revision), label: labelOf(record), data };
}

/** Whose organization the key is of. */
export async function organizationIdOf(context: Context): Promise<string> {
  return (await context.account()).organizationId;
}

/** Reads the resources that are asked for, and what they refer to; each resource is read once, all at a time. */
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
  const records: Partial<Record<ConfigurationResource, readonly Held[]>> = {};
  for (const [index, resource] of creationOrder.entries()) {
    records[resource] = (lists[index] ?? []).map((record) => held(resource, record)).toReversed();
  }
  return {
    id,
    accountsLimited: await lookup.isLimited('accounts'),
    accounts: accounts.map((account) => ({ id: String(account.id), label: labelOf(account) })),
    records: records as Record<ConfigurationResource, readonly Held[]>,
  };
}
