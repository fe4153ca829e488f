type Fields = Readonly<Record<string, unknown>>;

const isIndex = (part: string): boolean => /^(0|[1-9]\d*)$/.test(part);

function write(outer: unknown, [part, ...rest]: readonly string[], value: unknown): unknown {
  if (part === undefined) return value;
  if (Array.isArray(outer) || (outer === undefined && isIndex(part))) {
    const items = [...((outer as readonly unknown[] | undefined) ?? [])];
    items[Number(part)] = write(items[Number(part)], rest, value);
    return items;
  }
  const fields = outer as Fields | undefined;
  return { ...fields, [part]: write(fields?.[part], rest, value) };
}

/** Returns `outer` with a value at the place of a JSON pointer. What is on the way there is created. */
export function writePointer(outer: unknown, pointer: string, value: unknown): unknown {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return write(outer, parts, value);
}
