const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value that was asked for is the one that is known. */
export type Same = (asked: unknown, known: unknown) => boolean;

/** Free text is kept trimmed, so that what was typed with white space around it is the same as without. */
export const sameText: Same = (asked, known) =>
  Object.is(asked, known) || (typeof asked === 'string' && asked.trim() === known);

/** Whether everything `asked` says is also said by `known`, which may say more: lists must be equal throughout. */
export function isSubset(asked: unknown, known: unknown, same: Same = sameText): boolean {
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
