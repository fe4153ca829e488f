const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether everything `asked` says is also said by `known`, which may say more: lists must be equal throughout. */
export function isSubset(asked: unknown, known: unknown): boolean {
  if (isObject(asked)) {
    return (
      isObject(known) &&
      Object.entries(asked).every(([name, value]) => value === undefined || isSubset(value, known[name]))
    );
  }
  if (Array.isArray(asked)) {
    return (
      Array.isArray(known) &&
      asked.length === known.length &&
      asked.every((item, at) => isSubset(item, known[at]))
    );
  }
  return Object.is(asked, known);
}
