/**
 * Puts back the white space around the texts that a schema trimmed, and returns the parsed value. Works in place, because
 * a saved state may have millions of texts; what the schema passed on as it was given stays untouched.
 */
export function restoreSpaces<T>(parsed: T, given: unknown): T;
export function restoreSpaces(parsed: unknown, given: unknown): unknown {
  if (parsed === given) return parsed;
  if (typeof parsed === 'string')
    return typeof given === 'string' && given.trim() === parsed ? given : parsed;
  if (!isTree(parsed) || !isTree(given)) return parsed;
  for (const name of Object.keys(parsed)) {
    const before = parsed[name];
    const after = restoreSpaces(before, given[name]);
    if (after !== before) parsed[name] = after;
  }
  return parsed;
}

/** An object or an array. */
const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
