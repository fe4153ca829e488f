import { ConflictError, createInvalidInputError } from '../errors/refused.ts';
import { dataFields } from '../generated/resources.ts';
import { containsData } from '../operations/contains-data.ts';
import type { CallOptions } from '../options.ts';
import type { ChatApi } from '../pipeline/endpoints.ts';
import { isObject } from '../pipeline/values.ts';
import type { ConfigurationInputs, ConfigurationResource, ResourceRecords } from '../types.ts';
import { createOffsetList } from './lists.ts';

/** Throws unless each name of `criteria` is a data field of the resource, and at least one has a value. */
function requireCriteria(resource: ConfigurationResource, criteria: object): void {
  const fields: readonly string[] = dataFields[resource];
  const given = isObject(criteria)
    ? Object.keys(criteria).filter((name) => criteria[name] !== undefined)
    : [];
  const unknown = given.find((name) => !fields.includes(name));
  if (given.length > 0 && unknown === undefined) return;
  const what =
    unknown === undefined ? 'find() requires at least one field' : `${resource} have no field "${unknown}"`;
  throw createInvalidInputError(`${what}. Fields: ${fields.join(', ')}.`);
}

/**
 * Reads the records of a resource and returns the only one that has all fields of `criteria`, text without the spaces
 * around it; undefined if there is none.
 */
export async function findRecord<R extends ConfigurationResource>(
  api: ChatApi,
  resource: R,
  criteria: Partial<ConfigurationInputs[R]>,
  call: CallOptions | undefined,
): Promise<ResourceRecords[R] | undefined> {
  requireCriteria(resource, criteria);
  const found: ResourceRecords[R][] = [];
  const list = createOffsetList<ResourceRecords[R]>(api, () => ({ query: { resource }, options: call }));
  for await (const record of list) {
    if (containsData({ ...record }, { ...criteria })) found.push(record);
  }
  if (found.length <= 1) return found[0];
  const ids = found.map(({ id }) => id).join(', ');
  throw new ConflictError(
    `${found.length} ${resource} have the same ${Object.keys(criteria).join(' and ')}: ${ids}. Pass more fields, use an id, or rename all but one.`,
    { code: 'AMBIGUOUS_MATCH', operation: 'readChat' },
  );
}
