import { isObject } from '../values.ts';
import { toComparableId } from './ids.ts';

type Fields = Readonly<Record<string, unknown>>;

const normalize = (text: string): string => toComparableId(text.trim());

/**
 * Returns whether a record has the data that are given, as the server keeps them: text is trimmed. At every depth, a field that is not
 * given is not compared, and null is the same as an absent field. Lists are compared item by item.
 */
export function containsData(record: Fields, data: Fields): boolean {
  return Object.entries(data).every(([name, value]) => value === undefined || contains(record[name], value));
}

function contains(kept: unknown, given: unknown): boolean {
  if (given === null || kept === null) return (given ?? null) === (kept ?? null);
  if (typeof given === 'string' && typeof kept === 'string') return normalize(given) === normalize(kept);
  if (Array.isArray(given)) {
    return (
      Array.isArray(kept) &&
      kept.length === given.length &&
      given.every((item, index) => contains(kept[index], item))
    );
  }
  if (isObject(given)) return isObject(kept) && containsData(kept, given);
  return given === kept;
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
    ...Object.fromEntries(given.map(([name, value]) => [name, merge(record[name], value)])),
  };
}

function merge(kept: unknown, given: unknown): unknown {
  if (Array.isArray(given) && Array.isArray(kept) && given.length === kept.length) {
    return given.map((item, index) => (contains(kept[index], item) ? kept[index] : item));
  }
  return isObject(given) && isObject(kept) && given.type === kept.type ? mergeData(kept, given) : given;
}
