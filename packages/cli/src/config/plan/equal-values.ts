import microdiff from 'microdiff';

/** Removes fields that are null: the API treats null like a missing field. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, part]) => part !== null && part !== undefined);
  return Object.fromEntries(kept.map(([name, part]) => [name, withoutNulls(part)]));
}

/** Whether two values are equal; null equals a missing field. */
export const isEqual = (one: unknown, other: unknown): boolean =>
  microdiff(withoutNulls({ value: one }) as object, withoutNulls({ value: other }) as object).length === 0;
