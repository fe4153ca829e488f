import { ConflictError, createInvalidInputError } from '../errors/refused.ts';
import { dataFields } from '../generated/resources.ts';
import { createOffsetList } from '../lists/record-list.ts';
import type { CallOptions } from '../options/options.ts';
import type { ChatApi } from '../pipeline/endpoints.ts';
import type { ConfigurationInputs, ConfigurationResource, ResourceRecords } from '../types.ts';
import { isObject } from '../values.ts';
import { hasRecordData } from './labels.ts';

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

/** How often a list is read again because records were deleted while it was read. */
const maxRereads = 3;

/**
 * Reads the records of a resource and returns the only one that has all fields of `criteria`, text without the spaces
 * around it and labels in any Unicode form; undefined if there is none.
 */
export async function findRecord<R extends ConfigurationResource>(
  api: ChatApi,
  resource: R,
  criteria: Partial<ConfigurationInputs[R]>,
  call: CallOptions | undefined,
): Promise<ResourceRecords[R] | undefined> {
  requireCriteria(resource, criteria);
  let found = await readMatches(api, resource, criteria, call);
  // If a record is deleted between two pages, the next one moves to the earlier page and is not seen.
  for (let again = 0; found.hasShrunk && again < maxRereads; again++) {
    found = await readMatches(api, resource, criteria, call);
  }
  const { matches } = found;
  if (matches.length <= 1) return matches[0];
  const ids = matches.map(({ id }) => id).join(', ');
  throw new ConflictError(
    `${matches.length} ${resource} have the same ${Object.keys(criteria).join(' and ')}: ${ids}. Pass more fields, use an id, or rename all but one.`,
    { code: 'AMBIGUOUS_MATCH', operation: 'readChat' },
  );
}

async function readMatches<R extends ConfigurationResource>(
  api: ChatApi,
  resource: R,
  criteria: Partial<ConfigurationInputs[R]>,
  call: CallOptions | undefined,
): Promise<{ readonly matches: ResourceRecords[R][]; readonly hasShrunk: boolean }> {
  const matches: ResourceRecords[R][] = [];
  let hasShrunk = false;
  let before = 0;
  const list = createOffsetList<ResourceRecords[R]>(api, () => ({ query: { resource }, options: call }));
  for await (const { records, total } of list.pages()) {
    hasShrunk ||= total < before;
    before = total;
    matches.push(...records.filter((record) => hasRecordData(resource, record, criteria)));
  }
  return { matches, hasShrunk };
}
