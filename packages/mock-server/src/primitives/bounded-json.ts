import { isObject } from '@orgchat/spec';

/* JSON of what clients send. `JSON.parse` reads any depth; `JSON.stringify` throws at some thousand levels. */

/** Levels of objects and lists: more than any body of the contract and any saved state has. */
export const maxLevels = 100;

/** Whether a value has more levels of objects and lists than are written as JSON. */
export const isTooDeep = (value: unknown, levels: number = maxLevels): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((part) => isTooDeep(part, levels - 1)));

/**
 * The JSON of a value, or at least its first `length` characters if it is longer; undefined for undefined. Every level
 * has a character, so no value is too deep or too large.
 */
export function startOfJson(value: unknown, length: number): string | undefined {
  if (value === undefined) return undefined;
  let json = '';
  for (const piece of toPieces(value, length)) {
    json += piece;
    if (json.length >= length) break;
  }
  return json;
}

function* toPieces(value: unknown, length: number): Generator<string, void, void> {
  if (typeof value === 'string') yield JSON.stringify(value.slice(0, length));
  else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      yield i === 0 ? '[' : ',';
      yield* toPieces(item, length);
    }
    yield value.length === 0 ? '[]' : ']';
  } else if (isObject(value) && typeof value.toJSON !== 'function') {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    for (const [i, [name, field]] of fields.entries()) {
      yield `${i === 0 ? '{' : ','}${JSON.stringify(name.slice(0, length))}:`;
      yield* toPieces(field, length);
    }
    yield fields.length === 0 ? '{}' : '}';
  } else yield JSON.stringify(value) ?? 'null';
}
