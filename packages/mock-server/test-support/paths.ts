type Json = Readonly<Record<string | number, unknown>>;

/** A copy of a value in which the value at a path (`steps.0.text`) is replaced or removed. */
export function withAt(value: unknown, path: string, replaced: unknown): unknown {
  const [head = '', ...rest] = path.split('.');
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? [...value]
    : { ...(value as Json) };
  const inner = rest.length === 0 ? replaced : withAt((value as Json)[head], rest.join('.'), replaced);
  if (inner === undefined) delete (copy as Record<string, unknown>)[head];
  else (copy as Record<string, unknown>)[head] = inner;
  return copy;
}
