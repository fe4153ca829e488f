import { haveSameIds, toComparableId } from '@orgchat/sdk/internal';
import { idFields } from '@orgchat/spec/resources/id-fields';

/** Returns a value without fields that are null: the API treats null like a missing field. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, part]) => part !== null && part !== undefined);
  return Object.fromEntries(kept.map(([name, part]) => [name, withoutNulls(part)]));
}

/** Returns a value with every id in the form in which ids are compared: references, and ids of images too. */
export function toComparableIds(value: unknown, field = ''): unknown {
  if (typeof value === 'string') return idFields.has(field) ? toComparableId(value) : value;
  if (Array.isArray(value)) return value.map((item: unknown) => toComparableIds(item, field));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]: [string, unknown]) => [name, toComparableIds(part, name)]),
  );
}

const areIds = (value: unknown): value is string[] => Array.isArray(value);

/** Whether two lists have the same tags: those of a friend are a set. */
export const haveSameTags = (one: unknown, other: unknown): boolean =>
  areIds(one) && areIds(other) && haveSameIds(one, other);
