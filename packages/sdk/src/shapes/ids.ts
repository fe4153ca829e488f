const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** Returns whether a value is a UUID: any 8-4-4-4-12 group of hexadecimal digits. */
export const isUuid = (value: unknown): value is string => typeof value === 'string' && uuid.test(value);

/** An id in the form in which ids are compared: a server may write the letters of a UUID in upper case. */
export const toComparableId = (text: string): string => (uuid.test(text) ? text.toLowerCase() : text);

/** Returns ids, each once, as it was written first. */
export function uniqueIds(ids: readonly string[]): string[] {
  const seen = new Set<string>();
  return ids.filter((id) => seen.size !== seen.add(toComparableId(id)).size);
}

/** Returns whether two lists have the same ids, in any order. */
export function haveSameIds(one: readonly string[], other: readonly string[]): boolean {
  const [first, second] = [one, other].map((ids) => new Set(ids.map(toComparableId)));
  return first?.size === second?.size && [...(first ?? [])].every((id) => second?.has(id));
}
