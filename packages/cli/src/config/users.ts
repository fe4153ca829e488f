import { type ConfigurationResource, references } from '@orgchat/spec';
import { singularNames } from '@orgchat/spec/resources/names';
import type { Data } from '../resources/fields.ts';
import { creationOrder, findLinkIds, mapReferences } from './file/references.ts';

/** A record that refers to another one. */
export interface RecordUser {
  readonly resource: ConfigurationResource;
  readonly id: string;
  readonly label: string;
}

/** A record whose references count, with its data. */
export interface Referrer extends RecordUser {
  readonly data: Data;
}

/** The resources whose records can refer to a record of this one. Any text can have the placeholder of a link. */
export function findReferringResources(target: ConfigurationResource): ConfigurationResource[] {
  return creationOrder.filter((resource) =>
    target === 'links'
      ? resource !== 'tags' && resource !== 'links'
      : references[resource].some((reference) => reference.resource === target),
  );
}

/** The records that refer to a record. */
export function findUsers(
  { resource, id }: Pick<RecordUser, 'resource' | 'id'>,
  referrers: readonly Referrer[],
): RecordUser[] {
  return referrers
    .filter((referrer) => refersTo(referrer, resource, id))
    .map(({ resource: of, id: userId, label }) => ({ resource: of, id: userId, label }));
}

function refersTo(referrer: Referrer, target: ConfigurationResource, id: string): boolean {
  let isFound = target === 'links' && findLinkIds(referrer.data).includes(id);
  mapReferences(referrer.resource, referrer.data, (of, value) => {
    isFound ||= of === target && value === id;
    return value;
  });
  return isFound;
}

/** How many users a line names. */
const maxNamed = 5;

/** `route "Shop counter", link "Spring page" and 3 more` */
export function formatUsers(users: readonly Pick<RecordUser, 'resource' | 'label'>[]): string {
  const named = users
    .slice(0, maxNamed)
    .map(({ resource, label }) => `${singularNames[resource]} "${label}"`);
  const more = users.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
