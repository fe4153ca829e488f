import { idFields } from '../generated/resources.ts';
import { isObject } from '../values.ts';
import { toComparableId } from './ids.ts';

type Fields = Readonly<Record<string, unknown>>;

/* The one comparison of data with what a server keeps. The CLI plans configurations by it. */

/** Whether a field that is not given is a difference. */
type Extent = 'given' | 'whole';

/**
 * Returns whether a record has the data that are given, as they are or as the server keeps them: trimmed. Ids have no letter
 * case. At every depth, a field that is not given is not compared, and null is the same as an absent field. Lists are
 * compared item by item.
 */
export const containsData = (record: Fields, data: Fields): boolean => containsFields(record, data, 'given');

/** Returns the same of a whole value: it has nothing that is not given, either. */
export const isSameData = (kept: unknown, given: unknown): boolean =>
  containsFields({ '': kept }, { '': given }, 'whole');

const containsFields = (kept: Fields, given: Fields, extent: Extent): boolean =>
  Object.keys(extent === 'whole' ? { ...kept, ...given } : given).every(
    (name) =>
      (extent === 'given' && given[name] === undefined) || contains(kept[name], given[name], name, extent),
  );

/** `field` is the field that the value is in, alone or in a list. */
function contains(kept: unknown, given: unknown, field: string, extent: Extent): boolean {
  if (typeof given === 'string' && typeof kept === 'string') {
    const isSameId = idFields.includes(field) && toComparableId(kept) === toComparableId(given);
    return kept === given || kept === given.trim() || isSameId;
  }
  if (Array.isArray(given)) {
    return (
      Array.isArray(kept) &&
      kept.length === given.length &&
      given.every((item, index) => contains(kept[index], item, field, extent))
    );
  }
  if (isObject(given)) return isObject(kept) && containsFields(kept, given, extent);
  return (given ?? null) === (kept ?? null);
}

/**
 * Returns the data of a record with the given data in place of its own. In objects, a field that is not given keeps its
 * value. An item of a list is replaced as a whole, unless it has everything that the caller passes for it: what belongs to one
 * message must not become a part of another.
 */
export function mergeData(record: Fields, data: Fields): Record<string, unknown> {
  const given = Object.entries(data).filter(([, value]) => value !== undefined);
  return {
    ...record,
    ...Object.fromEntries(given.map(([name, value]) => [name, merge(record[name], value, name)])),
  };
}

function merge(kept: unknown, given: unknown, field: string): unknown {
  if (Array.isArray(given) && Array.isArray(kept) && given.length === kept.length) {
    return given.map((item, index) => (contains(kept[index], item, field, 'given') ? kept[index] : item));
  }
  return isObject(given) && isObject(kept) && given.type === kept.type ? mergeData(kept, given) : given;
}
