import { isDeepStrictEqual } from 'node:util';
import { haveSameIds, pickData, toComparableId } from '@orgchat/sdk/internal';
import { configurationResources } from '@orgchat/spec';
import { isObject } from '@orgchat/spec/is-object';
import type { Row } from '../output/output.ts';

/** A value as the server keeps it: text is trimmed, null is the same as a missing field, ids have no letter case. */
function normalize(value: unknown): unknown {
  if (typeof value === 'string') return toComparableId(value.trim());
  if (Array.isArray(value)) return value.map(normalize);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([, part]) => part !== null && part !== undefined);
  return Object.fromEntries(kept.map(([name, part]) => [name, normalize(part)]));
}

const isEqual = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(normalize(one), normalize(other));

const areIds = (value: unknown): value is string[] => Array.isArray(value);

/**
 * Whether a change would leave the record as it was read. A change that expects another revision or label is not one of them:
 * the server has to refuse it.
 */
export function changesNothing(change: Row, before: Row): boolean {
  const { action, data, tagIds, expectedRevision, expectedLabel } = change;
  if (expectedRevision !== before.revision || expectedLabel !== before.label) return false;
  // The tags of a friend are a set.
  if (action === 'set-friend-tags')
    return areIds(tagIds) && areIds(before.tagIds) && haveSameIds(tagIds, before.tagIds);
  if (!isObject(data)) return false;
  if (action === 'update-friend')
    return Object.entries(data).every(([name, value]) => isEqual({ value }, { value: before[name] }));
  const resource = configurationResources.find((one) => action === `update-${one}`);
  return resource !== undefined && isEqual(data, pickData(resource, before));
}
