import microdiff from 'microdiff';

/** What is null and what is not there mean the same to the API; only one of them is compared. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, part]) => part !== null && part !== undefined);
  return Object.fromEntries(kept.map(([name, part]) => [name, withoutNulls(part)]));
}

export const isEqual = (one: unknown, other: unknown): boolean =>
  microdiff({ value: withoutNulls(one) }, { value: withoutNulls(other) }).length === 0;
