import { isObject } from '@orgchat/spec/is-object';
/** Whether a requested value equals a known one. */
export type ValueMatcher = (asked: unknown, known: unknown) => boolean;

/** The API trims free text, so surrounding white space does not matter. */
export const matchesText: ValueMatcher = (asked, known) =>
  Object.is(asked, known) || (typeof asked === 'string' && asked.trim() === known);

/** Whether `known` has all values of `asked`. It may have more fields; lists must be equal. */
export function isSubset(asked: unknown, known: unknown, same: ValueMatcher = matchesText): boolean {
  if (isObject(asked)) {
    return (
      isObject(known) &&
      Object.entries(asked).every(
        ([name, value]) => value === undefined || isSubset(value, known[name], same),
      )
    );
  }
  if (Array.isArray(asked)) {
    return (
      Array.isArray(known) &&
      asked.length === known.length &&
      asked.every((item, at) => isSubset(item, known[at], same))
    );
  }
  return same(asked, known);
}
