import type { ConfigurationResource } from '@orgchat/spec';
import { singularNames } from '@orgchat/spec/resources/names';
import { findReferringResources, findUsers, formatUsers, type Referrer } from '../../config/users.ts';
import type { Context } from '../../context.ts';
import type { Row } from '../../output/output.ts';
import { getFields } from '../../resources/fields.ts';
import type { Lookup } from '../../resources/lookup.ts';
import { getName } from '../../resources/read-list.ts';
import { pluralName } from '../../resources/resource-names.ts';

/**
 * What is known of the records that refer to those that are to be deleted, as sentences: the API keeps such references, and
 * they lead nowhere. With --yes nobody reads it, so nothing is requested.
 */
export async function describeUsers(
  context: Context,
  lookup: Lookup,
  resource: ConfigurationResource,
  deleted: readonly Row[],
): Promise<string[]> {
  if (context.options.yes) return [];
  const ids = new Set(deleted.map(({ id }) => String(id)));
  const found: string[] = [];
  for (const record of deleted) {
    const name = `${singularNames[resource]} "${getName(record)}"`;
    try {
      const referrers = await readReferrers(lookup, resource);
      if (typeof referrers === 'string')
        return [...found, `Cannot find out what uses ${name}: ${referrers}.`];
      const users = findUsers({ resource, id: String(record.id) }, referrers).filter(
        ({ id }) => !ids.has(id),
      );
      if (users.length > 0) found.push(`The ${name} is still used by ${formatUsers(users)}.`);
    } catch (error) {
      // It is only for information, so it must not end the command.
      if (context.interrupt.stopping) throw error;
      const { message } = await context.toCliError(error);
      return [...found, `Cannot find out what uses ${name}: ${message}`];
    }
  }
  return resource === 'tags' ? [...found, 'Friends with a deleted tag are not looked at.'] : found;
}

/** Reads the records that can refer to a resource; a text says why that cannot be seen. */
async function readReferrers(lookup: Lookup, target: ConfigurationResource): Promise<Referrer[] | string> {
  const all: Referrer[] = [];
  for (const resource of findReferringResources(target)) {
    const records = await lookup.all(resource);
    if (records.some((record) => !showsReferences(resource, record)))
      return `the list of ${pluralName(resource)} does not show their data`;
    for (const record of records)
      all.push({ resource, id: String(record.id), label: getName(record), data: { ...record } });
  }
  return all;
}

/** Whether a row of a list has the data of its record, which a server may show only in the record itself. */
const showsReferences = (resource: ConfigurationResource, record: Row): boolean =>
  getFields(resource).every(({ name, optional }) => optional || name in record);
