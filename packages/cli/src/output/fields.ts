function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `key.scope` of `{ key: { scope } }`; a field that has the whole name wins. */
export function fieldOf(value: unknown, path: string): unknown {
  if (!isObject(value)) return undefined;
  if (path in value) return value[path];
  return path.split('.').reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), value);
}

/** The fields asked for, in the order asked for; a missing one is null, so that every row has the same keys. */
export function pick(value: unknown, fields: readonly string[] | undefined): unknown {
  if (fields === undefined || !isObject(value)) return value;
  return Object.fromEntries(fields.map((field) => [field, fieldOf(value, field) ?? null]));
}

/** Every leaf with its dotted name, for a table of one thing. */
export function flatten(value: Record<string, unknown>, prefix = ''): [name: string, value: unknown][] {
  return Object.entries(value).flatMap(([key, part]): [string, unknown][] =>
    isObject(part) && Object.keys(part).length > 0
      ? flatten(part, `${prefix}${key}.`)
      : [[`${prefix}${key}`, part]],
  );
}
